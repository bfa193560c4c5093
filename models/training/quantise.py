"""Networks that work with whole numbers of eight bits: in less than half the time, and what they know is kept.

Weights are rounded by channel, activations by what lessons show of their range, and pictures come as the bytes that
they are. What gives the answer, and sums of what is no map, keep all digits: rounding those costs far more than it
saves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch.utils.data import DataLoader

from models.training.export import READER_INPUTS
from models.training.lessons import STEPS
from models.training.looks import Taught
from models.training.restore import place_of
from models.training.teach import Course, ReaderLoss

Feed = dict[str, NDArray[np.float32]]
PRODUCTS = ["Conv", "MatMul"]
"""What most of the work is; corners that are told by a sum of all of a picture (Gemm) were less exact when rounded."""
ON_MAPS = ["Add", "Resize", "Relu", "Transpose", "Reshape", "Gather"]
"""What is done with maps that convolutions made."""
SHOWN = 64
"""Lessons that show the range of activations."""


def quantise(plain: Path, file: Path, feeds: Iterator[Feed]) -> None:
    """Write the network of a file anew in whole numbers; `feeds` show what its activations are like."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / plain.name
        quant_pre_process(str(plain), str(ready), skip_optimization=True, skip_symbolic_shape=True)
        graph = onnx.load(ready).graph
        step = {"scale": np.array(1 / STEPS, np.float32), "zero_point": np.array(0, np.uint8)}
        quantize_static(
            ready,
            file,
            _Shown(feeds),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=PRODUCTS + ON_MAPS,
            nodes_to_quantize=_rounded(graph),
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
            extra_options={"TensorQuantOverrides": {graph.input[0].name: [step]}},
        )
    model = onnx.load(file)
    _take_bytes(model.graph)
    onnx.save(model, file)


def _take_bytes(graph: onnx.GraphProto) -> None:
    """Let the network take pictures as they lie in memory, channels last, in place of floats that it rounds to them."""
    picture = graph.input[0]
    rounding = next(node for node in graph.node if node.op_type == "QuantizeLinear" and node.input[0] == picture.name)
    boards, channels, height, width = (side.dim_param or side.dim_value for side in picture.type.tensor_type.shape.dim)
    shape = [boards, height, width, channels]
    picture.CopyFrom(onnx.helper.make_tensor_value_info(picture.name, onnx.TensorProto.UINT8, shape))
    turned = onnx.helper.make_node(
        "Transpose", [picture.name], [rounding.output[0]], "channels_first", perm=[0, 3, 1, 2]
    )
    graph.node.remove(rounding)
    graph.node.insert(0, turned)


def lessons_for(name: str, course: Course, learned: Taught, folders: Sequence[Path], seed: int) -> Iterator[Feed]:
    """Some lessons of a network, as its file is fed."""
    torch.manual_seed(seed)
    queries = ReaderLoss(learned).queries
    for picture, *rest in islice(DataLoader(course.lessons(folders, vary=True), 1, shuffle=True), SHOWN):
        if name == "reader":
            given = (picture, *queries[int(rest[0])].given)
            yield {key: tensor.numpy() for key, tensor in zip(READER_INPUTS, given, strict=True)}
        else:
            yield {"picture": picture.numpy()}


def _rounded(graph: onnx.GraphProto) -> list[str]:
    """Products with weights, but for those that answer, and what is done with maps."""
    weights = {tensor.name for tensor in graph.initializer}
    found: list[str] = []
    maps: set[str] = set()
    for node in graph.node:
        given = node.input if node.op_type == "Add" else node.input[:1]
        if node.op_type == "Conv" or (node.op_type in ON_MAPS and maps.issuperset(given)):
            maps.update(node.output)
        elif node.op_type not in PRODUCTS or node.input[1] not in weights:
            continue
        # What is no part of a part of the network answers.
        if node.op_type in ON_MAPS or "." in place_of(node.name):
            found.append(node.name)
    return found


class _Shown(CalibrationDataReader):
    def __init__(self, feeds: Iterator[Feed]) -> None:
        self._feeds = feeds

    def get_next(self) -> Feed | None:
        return next(self._feeds, None)
