"""A step of the set-up: what only the players' own boards print is chosen, or entered once and kept as a profile."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.drawing.faces import TileFace, face_of_print
from companion.dashboard.printing import AskedField, Printing, read_printing
from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, needs
from companion.dashboard.site import site
from companion.dashboard.text.language import told
from companion.dashboard.text.words import gettext as _
from companion.profiles import NAME, Profile, all_profiles, check_profile, load_profile, save_profile
from engine import load
from engine.errors import EngineError
from engine.own_prints import OWN_VALUE, Entered, Sheet
from engine.text import Words

blueprint = Blueprint("printing", __name__)

STEP = "boards"
OWN_SIGN = "="
"""Drawn where each piece brings its own value."""


def sheets_now() -> tuple[Sheet, ...]:
    """What is to be read off the boards of the edition and side that are chosen."""
    settings = site().settings.now
    return load(settings.edition).own_prints(settings.side)


def chosen_profile() -> Profile | None:
    """The profile that new games are played by; None where none is chosen, or it belongs to other boards."""
    settings = site().settings.now
    profile = load_profile(settings.profile, site().log.folder) if settings.profile else None
    return profile if profile and _fits(profile) else None


def choices() -> dict[str, Any]:
    """What the step offers: profiles of these boards, and what is played without one."""
    kept = [profile for profile in all_profiles(site().log.folder) if _fits(profile)]
    return {"sheets": sheets_now(), "kept": kept, "chosen_prints": chosen_profile()}


@blueprint.post("/setup/boards")
@needs(Role.HOST)
def choose() -> Response:
    """Choose a profile, or to play without one."""
    name = request.form.get("profile")
    if name is None:
        abort(400, _("Choose one of these, or enter what your boards print."))
    if name and not _fits(load_profile(name, site().log.folder)):
        abort(400, _("This was entered for other boards."))
    site().settings.change(profile=name)
    return go(url_for("wizard.step", step="players"))


@blueprint.get("/setup/boards/enter")
@needs(Role.HOST)
def enter() -> str:
    """The drawings of the boards, the field that is asked for, and what it may print."""
    printing, problem = read_printing(_sheets(), request.args.getlist("f")), ""
    at = request.args.get("at", "")
    if at in {field.name for field in printing.fields} and ("kind" in request.args or "points" in request.args):
        try:
            printing, at = printing.then(at, _entered()), ""
        except EngineError:
            problem = _("Choose the points first, then what is printed there.")
    asked = printing.asked(at)
    values: dict[str, Any] = {
        "printing": printing,
        "asked": asked,
        "problem": problem,
        "own_value": OWN_VALUE,
        "own_sign": OWN_SIGN,
    }
    values |= {
        "edition": load(site().settings.now.edition),
        "told_field": told_field,
        "sign_of": sign_of,
        "pattern": NAME.pattern,
    }
    return page("setup/printing.html", warnings=_warnings(printing) if asked is None else [], **values)


@blueprint.post("/setup/boards/enter")
@needs(Role.HOST)
def keep() -> Response:
    """Keep what was entered as a profile, and play by it."""
    printing = read_printing(_sheets(), request.form.getlist("f"))
    name = request.form.get("name", "").strip()
    if not printing.is_whole:
        abort(400, _("Not every field is entered."))
    if not NAME.fullmatch(name):
        abort(400, _("A name has up to 40 letters, digits, - and _."))
    folder = site().log.folder
    same = next((profile for profile in all_profiles(folder) if profile.name == name), None)
    if same and not _fits(same):
        abort(400, _("Other boards are kept under this name already. Choose another one."))
    profile = _profile(printing, name)
    check_profile(profile)
    save_profile(profile, folder)
    site().settings.change(profile=name)
    return go(url_for("wizard.step", step="players"))


def told_field(printing: Printing, field: AskedField) -> str:
    """A field in words, with what is entered there."""
    entered = printing.told.get(field.name)
    return f"{told(field.field.text)}: {_told_entry(field.sheet, entered) if entered else _('not entered yet')}"


def sign_of(sheet: Sheet, value: str) -> TileFace:
    """What a kind looks like that a sheet may print."""
    return next(face_of_print(kind) for kind in sheet.kinds if kind.value == value)


def _told_entry(sheet: Sheet, entered: Entered) -> str:
    kinds = [told(kind.text) for kind in sheet.kinds if kind.value == entered.kind]
    own = sheet.own_value is not None and entered.points == OWN_VALUE
    points = told(sheet.own_value) if sheet.own_value and own else entered.points
    return ", ".join([*kinds, *([points] if points else [])])


def _entered() -> Entered:
    return Entered(request.args.get("kind", ""), request.args.get("points", ""))


def _warnings(printing: Printing) -> list[Words]:
    """What makes these entries unusable, else what is odd about them."""
    try:
        return [*check_profile(_profile(printing, ""))]
    except EngineError as error:
        return [error.words]


def _profile(printing: Printing, name: str) -> Profile:
    settings = site().settings.now
    return Profile(name, settings.edition, settings.side, printing.options(name))


def _fits(profile: Profile) -> bool:
    settings = site().settings.now
    return (profile.edition, profile.side) == (settings.edition, settings.side)


def _sheets() -> tuple[Sheet, ...]:
    sheets = sheets_now()
    if not sheets:
        abort(404, _("All that these boards print is known."))
    return sheets
