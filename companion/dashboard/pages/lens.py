"""Measuring the camera's lens with a printed sheet, a step of the set-up."""

from __future__ import annotations

import tempfile
from concurrent.futures import TimeoutError as LateError
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.replies import go
from companion.dashboard.security.access import Role, needs
from companion.dashboard.security.limits import UPLOADS, limiter
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.dashboard.text.words import locale
from hardware.calibration import VIEWS_NEEDED, CalibrationError, CorrectedCamera, Lens, find_sheet, lens_of
from hardware.camera import Frame

blueprint = Blueprint("lens", __name__)

PATIENCE_S = 15.0
"""A full picture is taken with the next preview, of which one comes every two seconds at least."""
MOST_VIEWS = 20
FOUND, MISSING = "found", "missing"


@blueprint.get("/setup/sheet.pdf")
@needs(Role.HOST)
def sheet() -> Response:
    """The sheet, to be printed."""
    # Imported here, since it takes a tenth of a second and most visits print nothing.
    from hardware.rig.sheets.calibrate import print_charuco

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.pdf"
        print_charuco(path, "a4", locale())
        response = Response(path.read_bytes(), mimetype="application/pdf")
    response.headers["Content-Disposition"] = 'attachment; filename="azul-lens-sheet.pdf"'
    return response


@blueprint.post("/setup/lens/picture")
@needs(Role.HOST)
@limiter.limit(UPLOADS)
def picture() -> Response:
    """Have the camera take a picture of the sheet."""
    _camera()
    view = find_sheet(shot(raw=True).picture)
    if view is not None:
        # Pictures of another size are of another camera.
        same = [each for each in site().sheet if each.size_px == view.size_px]
        site().sheet = [*same, view][-MOST_VIEWS:]
    return go(url_for("wizard.step", step="lens", said=MISSING if view is None else FOUND))


@blueprint.post("/setup/lens/keep")
@needs(Role.HOST)
def keep() -> Response:
    """Use what was measured, from now on."""
    camera, (lens, problem) = _camera(), measured()
    if lens is None:
        abort(409, problem or _("There are too few pictures of the sheet."))
    camera.learn(lens)
    site().sheet = []
    return go(url_for("wizard.step", step="ready"))


@blueprint.post("/setup/lens/anew")
@needs(Role.HOST)
def anew() -> Response:
    """Forget the pictures of the sheet."""
    site().sheet = []
    return go(url_for("wizard.step", step="lens"))


def shown() -> dict[str, Any]:
    """What the step shows."""
    window = site().window
    lens, problem = measured()
    return {
        "can_measure": window is not None and window.lens is not None,
        "known": window.lens.calibration.lens if window and window.lens else None,
        "views": len(site().sheet),
        "views_needed": VIEWS_NEEDED,
        "measured": lens,
        "lens_problem": problem,
        "said": request.args.get("said", ""),
    }


def measured() -> tuple[Lens | None, str]:
    """The lens as far as the pictures tell it, or why they do not."""
    views = site().sheet
    if len(views) < VIEWS_NEEDED:
        return None, ""
    try:
        return lens_of(views), ""
    except CalibrationError:
        return None, _("The pictures do not fit together. Glue the sheet on something flat, then begin anew.")


def shot(raw: bool = False) -> Frame:
    """A full picture of what the camera sees now."""
    window = site().window
    if window is None:
        abort(404, _("No camera looks at the table just now."))
    try:
        return window.ask(raw).result(PATIENCE_S)
    except LateError:
        abort(503, _("The camera gives no picture just now. Try again in a moment."))


def _camera() -> CorrectedCamera:
    window = site().window
    if window is None or window.lens is None:
        abort(409, _("There is no camera here whose lens can be measured."))
    return window.lens
