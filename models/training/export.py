"""From a taught network to its file, and from files to the manifest."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path

import torch
from torch import nn

from models.training.looks import Taught
from models.training.nets import plain
from vision.cells import asked_of, tracks
from vision.closeup import CLOSEUP_PX
from vision.network import CLOSEUP, NETWORKS
from vision.rectify import ALIGN, FIT, VIEW_PX

OPSET = 17
READER_INPUTS = ("view", "places", "hints", "marks_at")


def export(name: str, net: nn.Module, learned: Taught, folder: Path) -> Path:
    """Write a network as ONNX; sizes that differ between pictures and editions stay open."""
    path = folder / f"{name}.onnx"
    picture = {2: "height", 3: "width"}
    layout, surface = max(map(learned.surface_of, learned.kinds), key=lambda each: len(tracks(*each)))
    asked = asked_of(layout, layout.sides[0], learned.labels, surface)
    reader = (
        (torch.zeros(2, 6, VIEW_PX, VIEW_PX), {0: "boards"}),
        (torch.from_numpy(asked.places), {0: "cells"}),
        (torch.from_numpy(asked.hints), {0: "cells"}),
        (torch.from_numpy(asked.marks), {0: "marks"}),
    )
    known: dict[str, dict[str, tuple[torch.Tensor, dict[int, str]]]] = {
        "finder": {"picture": (torch.zeros(1, 3, 384, 512), picture)},
        "aligner": {"picture": (torch.zeros(1, 3, ALIGN.size_px, ALIGN.size_px), {})},
        "fitter": {"picture": (torch.zeros(1, 3, FIT.size_px, FIT.size_px), {})},
        "reader": dict(zip(READER_INPUTS, reader, strict=True)),
        "loose": {"picture": (torch.zeros(1, 3, 352, 352), picture)},
        CLOSEUP: {"picture": (torch.zeros(2, 3, CLOSEUP_PX, CLOSEUP_PX), {0: "pieces"})},
    }
    inputs = known[name]
    outputs = {"aligner": ["corners", "turns", "kinds"], "reader": ["labels", "marks", "none"]}.get(name, ["maps"])
    with warnings.catch_warnings():
        # The older exporter is deprecated, but folds these nets better and needs no further package.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            nn.utils.convert_conv2d_weight_memory_format(plain(net).eval(), torch.contiguous_format),
            tuple(tensor for tensor, _ in inputs.values()),
            str(path),
            input_names=list(inputs),
            output_names=outputs,
            dynamic_axes={key: axes for key, (_, axes) in inputs.items() if axes},
            opset_version=OPSET,
            dynamo=False,
        )
    return path


def write_manifest(folder: Path, learned: Taught, temperatures: dict[str, float], facts: dict[str, str]) -> None:
    """The manifest of the networks in a folder."""
    lines = ["# Written by `python -m models.training`; run time refuses a file whose sha256 is another.", ""]
    lines += [
        f"kinds = {list(learned.kinds)}".replace("'", '"'),
        f"labels = {list(learned.labels)}".replace("'", '"'),
        "",
    ]
    lines += ["[temperatures]", *(f"{name} = {value:.3f}" for name, value in temperatures.items()), ""]
    lines += ["[trained]", *(f'{name} = "{value}"' for name, value in facts.items()), ""]
    for name in (*NETWORKS, *([CLOSEUP] if learned.parts is not None else [])):
        data = (folder / f"{name}.onnx").read_bytes()
        lines += [f"[networks.{name}]", f'file = "{name}.onnx"', f"bytes = {len(data)}"]
        lines += [f'sha256 = "{hashlib.sha256(data).hexdigest()}"', ""]
    (folder / "manifest.toml").write_text("\n".join(lines), encoding="utf-8")
