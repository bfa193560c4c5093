"""No library reports what happens at a table to its maker."""

from __future__ import annotations

import os


def disable_telemetry() -> None:
    """Switch off the telemetry of onnxruntime; call this before it is imported."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
