"""Links as pictures that phones read."""

from __future__ import annotations

import io

import segno
from markupsafe import Markup


def qr(link: str) -> Markup:
    """A link as a picture that phones read."""
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, border=3, omitsize=True, dark="#12294b", light="#fff"
    )
    # segno draws squares alone: nothing of the link is written into the picture.
    return Markup(drawn.getvalue().decode())  # noqa: S704
