"""What happens at a table stays there."""

from __future__ import annotations

import os


def be_discreet() -> None:
    """Keep onnxruntime from reporting to its maker, and from writing down what it would report; call this before it."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
