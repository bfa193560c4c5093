"""What several tests of the rig need."""

import numpy as np
import pypdfium2
import pytest

DOTS_PER_MM = 8


@pytest.fixture
def rastered():
    """Pages of a PDF as grey pictures, at 8 dots per millimetre."""

    def raster(path):
        with pypdfium2.PdfDocument(path) as document:
            scale = DOTS_PER_MM * 25.4 / 72
            return [np.array(page.render(scale=scale, grayscale=True).to_numpy().squeeze()) for page in document]

    return raster
