"""Our drawings otherwise: for editions whose real print nobody could show us.

What is learned from such pictures rests on where things are and what they are, not on the inks, ornaments and borders
that we chose. Pieces keep their colours nearly, since these are known.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from hardware.tabletop.motifs import MOTIFS

Rng = np.random.Generator
INK = re.compile(r"#[0-9a-fA-F]{6}")
PIECE_HUE, PIECE_STRENGTH, PIECE_LIGHT = 0.016, 0.18, 0.12
"""How far the colours of pieces stray (one standard deviation): turns of hue, and natural logarithms."""
GREY_LIGHT, GREY_HUES, GREY_STRENGTH = (-0.15, 0.4), (0.5, 0.7), 0.15
"""How much lighter any grey may be (natural logarithm: its mean and one standard deviation), its hue, and how strong
that is."""
PRINT_HUE, PRINT_STRENGTH, PRINT_LIGHT = 0.09, 0.45, 0.28
ANY_HUE, TURNED_OVER = 0.45, 0.12
"""How often all print has another hue, and how often its light and dark parts change places."""
LEFT_OUT, BARE_BORDER = 0.35, 0.35
"""How often an ornament is left out, and a border has none."""
PIECES_IN_PRINT = (0.0, 0.45)
"""How far pieces that are printed are faded towards their card, drawn between these."""
TURNS = (0.0, 30.0)
"""How motifs are turned against the corners of their pieces."""
MOTIF_SIZE, MOTIF_WIDTH = 0.07, 0.05
LARGEST = 0.84
HEAVIER, HEAVIEST = (-0.004, 0.014), 0.03
"""How else motifs of pieces are drawn (one standard deviation): natural logarithms of their size (which has a bound)
and their width, and by what share of it their lines are heavier or finer (mean and one standard deviation; a bound)."""

Style = dict[str, Any]


def restyled(style: Style, rng: Rng) -> Style:
    """A style in other inks, with other ornaments, some left out."""
    known = _piece_inks(style)
    hue = float(rng.random()) if rng.random() < ANY_HUE else float(rng.normal(0, 0.06))
    over = rng.random() < TURNED_OVER
    greys = {ink for look in style["faces"].values() if look.get("any_grey") for ink in _inks(look)}
    inks = {ink: (_grey_ink if ink in greys else _piece_ink)(ink, rng) for ink in sorted(known)}
    inks |= {ink: _print_ink(ink, hue, over, rng) for ink in sorted({*_inks(style)} - known)}
    motifs = {name: str(rng.choice(others)) for name, others in style.get("alternatives", {}).items()}
    drawn: Style = _replaced(style, inks, motifs)
    boards = {name: _board(look, rng) for name, look in drawn["boards"].items()}
    zones = {name: _zone(look, rng) for name, look in drawn.get("zones", {}).items()}
    faded = {
        "fade": float(rng.uniform(*PIECES_IN_PRINT)),
        "faded": _ink(float(rng.random()), float(rng.random()), 0.25),
    }
    hands = _by_another_hand(drawn.get("families", {}), rng)
    bare = rng.random() < LEFT_OUT
    faces = {name: _face(look, faded, hands.get(name), bare) for name, look in drawn["faces"].items()}
    return drawn | {"boards": boards, "zones": zones, "faces": faces}


def _by_another_hand(families: Mapping[str, Style], rng: Rng) -> dict[str, Style]:
    """How the motif of each face of the families is drawn: all stand upright on corners of pieces, or on edges."""
    turn = float(rng.choice(TURNS))
    found: dict[str, Style] = {}
    for family in families.values():
        for pattern in sorted(family["patterns"]):
            hand = {
                "turn": turn,
                "larger": float(np.exp(rng.normal(0, MOTIF_SIZE))),
                "wider": float(np.exp(rng.normal(0, MOTIF_WIDTH))),
                "heavier": float(np.clip(rng.normal(*HEAVIER), -HEAVIEST, HEAVIEST)),
            }
            found |= {colour + pattern: hand for colour in family["colours"]}
    return found


def _face(look: Style, faded: Style, hand: Style | None, bare: bool) -> Style:
    """A face drawn by another hand; pieces that are printed on it are paler, or darker, than they are. Grey ones may be
    bare."""
    if bare and look.get("any_grey"):
        return look | {"motifs": [], "rims": []}
    if hand is not None:
        own = {key: hand[key] for key in ("turn", "wider", "heavier")}
        marks = [mark | own | {"size": min(mark["size"] * hand["larger"], LARGEST)} for mark in look["motifs"]]
        return look | {"motifs": marks}
    if not any("face" in mark for mark in look.get("motifs", ()) if isinstance(mark, dict)):
        return look
    return look | {"motifs": [mark | faded if "face" in mark else mark for mark in look["motifs"]]}


def _piece_inks(style: Style) -> set[str]:
    """The colours of pieces; cards are print."""
    families = style.get("families", {}).values()
    cards = [family["card"] for family in families if "card" in family]
    printed = {ink for card in cards for ink in _inks(card["look"])}
    own = {name: look for name, look in style["faces"].items() if not any(name.startswith(c["prefix"]) for c in cards)}
    of_families = {ink for family in families for ink in _inks(family.get("colours", {}))}
    return (_inks(own) - printed) | of_families


def _inks(value: Any) -> set[str]:
    """All colours that a part of a style names."""
    if isinstance(value, Mapping):
        return {ink for part in value.values() for ink in _inks(part)}
    if isinstance(value, list):
        return {ink for part in value for ink in _inks(part)}
    return {value} if isinstance(value, str) and INK.fullmatch(value) else set()


def _replaced(value: Any, inks: Mapping[str, str], motifs: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _replaced(part, inks, motifs) for key, part in value.items()}
    if isinstance(value, list):
        return [_replaced(part, inks, motifs) for part in value]
    return inks.get(value, motifs.get(value, value)) if isinstance(value, str) else value


def _piece_ink(ink: str, rng: Rng) -> str:
    hue, light, strength = _parts(ink)
    hue += float(rng.normal(0, PIECE_HUE))
    strength *= float(np.exp(rng.normal(0, PIECE_STRENGTH)))
    return _ink(hue, light * float(np.exp(rng.normal(0, PIECE_LIGHT))), strength)


def _grey_ink(ink: str, rng: Rng) -> str:
    """Another grey."""
    light = _parts(ink)[1] * float(np.exp(rng.normal(*GREY_LIGHT)))
    return _ink(float(rng.uniform(*GREY_HUES)), float(np.clip(light, 0.12, 0.9)), float(rng.uniform(0, GREY_STRENGTH)))


def _print_ink(ink: str, hue: float, over: bool, rng: Rng) -> str:
    own, light, strength = _parts(ink)
    light = 0.95 - 0.9 * light if over else light
    strength *= float(np.exp(rng.normal(-0.1, PRINT_STRENGTH)))
    return _ink(own + hue + float(rng.normal(0, PRINT_HUE)), light + float(rng.normal(0, PRINT_LIGHT)) * 0.5, strength)


def _parts(ink: str) -> tuple[float, float, float]:
    red, green, blue = (int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return colorsys.rgb_to_hls(red, green, blue)


def _ink(hue: float, light: float, strength: float) -> str:
    colours = colorsys.hls_to_rgb(hue % 1.0, float(np.clip(light, 0.04, 0.97)), float(np.clip(strength, 0.0, 1.0)))
    return "#" + "".join(f"{round(255 * part):02x}" for part in colours)


def _board(look: Style, rng: Rng) -> Style:
    """A board with some of its ornaments, each as large and as strong as chance has it."""
    changed = dict(look)
    kept = {name: mark for name, mark in look.get("patterns", {}).items() if rng.random() > LEFT_OUT}
    changed["patterns"] = {name: _mark(mark, rng) for name, mark in kept.items()}
    # A count of 0 leaves a mark out, also where another side changes it.
    gone = {name for name in look.get("marks", {}) if rng.random() < LEFT_OUT}
    changed["marks"] = {
        name: {**mark, "count": 0} if name in gone else _mark(mark, rng) for name, mark in look.get("marks", {}).items()
    }
    if "border_mm" in look:
        changed["border_mm"] = 0.0 if rng.random() < BARE_BORDER else float(rng.uniform(1.5, 8.0))
    changed["mottle"] = float(rng.uniform(2, 14))
    return changed


def _mark(mark: Style, rng: Rng) -> Style:
    changed = dict(mark)
    if "motif" in mark and "step_mm" in mark:
        changed["motif"] = str(rng.choice([name for name in MOTIFS if name != "plain"]))
        changed["step_mm"] = mark["step_mm"] * float(rng.uniform(0.5, 1.6))
        changed["alpha"] = float(rng.uniform(0.1, 0.8))
    elif "at" in mark and "size" in mark:
        changed["size"] = mark["size"] * float(rng.uniform(0.8, 1.15))
    return changed


def _zone(look: Style, rng: Rng) -> Style:
    changed = dict(look)
    for key in ("motifs", "rims", "beds"):
        if key in look and rng.random() < LEFT_OUT:
            del changed[key]
    if "edge_mm" in look:
        changed["edge_mm"] = look["edge_mm"] * float(rng.uniform(0.4, 2.5))
    return changed
