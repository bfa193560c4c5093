"""Boards by printed markers: AprilTags of the family 36h11 laid around a board, each touching one of its corners.

Marker 4 * (seat - 1) + k belongs to corner k (0 top left, then clockwise, as the owner sees it), lies upright beyond
it, and touches it with its own nearest corner.
"""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np

from vision.pose import Array
from vision.rectify import Picture

SEARCHED_PX = 1600
"""Longer pictures are made smaller before markers are searched; markers are printed large enough."""
TOUCHING = (2, 3, 0, 1)
"""Which corner of the marker (clockwise from its top left) touches the board, by the board's corner."""


def find_markers(picture: Picture) -> list[Array]:
    """The corners of every board of which at least three markers are in view; the fourth follows from the others."""
    scale = min(1.0, SEARCHED_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(family, parameters)
    found, numbers, _ = detector.detectMarkers(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    boards: defaultdict[int, dict[int, Array]] = defaultdict(dict)
    # Where nothing is found, the numbers are None.
    for i, corners in enumerate(found):
        seat, corner = divmod(int(numbers.ravel()[i]), 4)
        boards[seat][corner] = (corners[0][TOUCHING[corner]].astype(np.float64) + 0.5) / scale - 0.5
    return [_completed(touched) for _, touched in sorted(boards.items()) if len(touched) >= 3]


def _completed(touched: dict[int, Array]) -> Array:
    """Four corners; a missing one closes the parallelogram, near enough for the print to do the rest."""
    for corner in range(4):
        if corner not in touched:
            before, across, after = ((corner + step) % 4 for step in (3, 2, 1))
            touched[corner] = touched[before] + touched[after] - touched[across]
    return np.array([touched[corner] for corner in range(4)])
