"""From a network's file back to one that can be taught on.

The file has every normalisation folded into the convolution before it, and most weights in eight bits. What
normalisations did to the activations is measured on a few lessons, so that the network answers as the file does and
learns as one that was never written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.nets import Summed, SummedMap

Floats = NDArray[np.float32]


def restore(net: nn.Module, path: Path, run: Callable[[nn.Module], object]) -> None:
    """Give a network the weights of its file; `run` shows it some lessons.

    A network that answers for more, or fewer, kinds than the file's takes what both have; the rest begins by chance.
    """
    found = _layers(onnx.load(path).graph)
    wanted = {name for name, module in net.named_modules() if isinstance(module, nn.Conv2d | nn.Linear | nn.LayerNorm)}
    if found.keys() != wanted:
        raise ValueError(f"{path.name} is of another network: {', '.join(sorted(found.keys() ^ wanted))} differ")
    normals = _normals(net)
    with torch.no_grad():
        for name, layer in found.items():
            module: Any = net.get_submodule(name)
            weight, bias = (torch.from_numpy(value) for value in layer.values)
            if layer.operation == "MatMul":
                weight = weight.T
            if isinstance(module, Summed | SummedMap):
                _take_apart(module, weight, bias)
                continue
            _lay_over(module.weight, weight)
            if module in normals:
                _make_plain(normals[module], bias)
            elif module.bias is not None:
                _lay_over(module.bias, bias)
    _measure(net, normals.values(), run)


def _take_apart(module: Summed | SummedMap, weight: Tensor, bias: Tensor) -> None:
    """Give a layer of parts what a file knows of its labels; a file of other labels tells it nothing."""
    if len(weight) != len(module.parts):
        return
    apart = torch.linalg.pinv(module.parts)
    module.weight.copy_((apart @ weight.flatten(1)).reshape(module.weight.shape))
    if module.bias is not None:
        module.bias.copy_(apart @ bias)


def _lay_over(weights: Tensor, known: Tensor) -> None:
    """Put what is known over the part of a layer's weights that it is known for."""
    both = tuple(slice(min(sides)) for sides in zip(weights.shape, known.shape, strict=True))
    weights[both] = known[both]


def blend(path: Path, known: Path, kept: float) -> None:
    """Bring the weights in a plain file a share of the way back to those that an older file of the same network has.

    What is taught anew is learned at some cost to what was known; the mean of both answers better than either on what
    neither was shown.
    """
    model = onnx.load(path)
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    before = _layers(onnx.load(known).graph)
    for place, now in _layers(model.graph).items():
        for name, new, old in zip(now.names, now.values, before[place].values, strict=True):
            tensors[name].CopyFrom(numpy_helper.from_array(np.asarray((1 - kept) * new + kept * old, np.float32), name))
    onnx.save(model, path)


@dataclass(frozen=True)
class _Layer:
    """Weight and bias of a layer as the file has them."""

    operation: str
    names: tuple[str, str]
    values: tuple[Floats, Floats]


def _layers(graph: onnx.GraphProto) -> dict[str, _Layer]:
    """The layers with weights by where they are in the network."""
    known = {tensor.name: np.array(numpy_helper.to_array(tensor)) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in known:
            axis = next((entry.i for entry in node.attribute if entry.name == "axis"), 1)
            rounded, step, zero = (known[name] for name in node.input)
            known[node.output[0]] = _exact(rounded, step, zero, axis)
    found: dict[str, _Layer] = {}
    for node in graph.node:
        weights = [name for name in node.input if name in known]
        if node.op_type == "MatMul" and weights:
            weights += [name for name in _used_by(graph, node).input if name in known]
        if node.op_type in ("Conv", "Gemm", "LayerNormalization", "MatMul") and weights:
            weight, bias = weights
            found[place_of(node.name)] = _Layer(node.op_type, (weight, bias), (known[weight], known[bias]))
    return found


def place_of(node: str) -> str:
    """Where in the network the layer is that a node was made from: /to8/to8.2/body/body.0/Conv is to8.2.body.0."""
    parts: list[str] = []
    for part in node.split("/")[1:-1]:
        if parts and part.startswith(f"{parts[-1]}."):
            parts.pop()
        parts.append(part)
    return ".".join(parts)


def _used_by(graph: onnx.GraphProto, node: onnx.NodeProto) -> onnx.NodeProto:
    """What works with a node's result, after it was rounded."""
    used = next(other for other in graph.node if node.output[0] in other.input)
    return _used_by(graph, used) if used.op_type in ("QuantizeLinear", "DequantizeLinear") else used


def _exact(rounded: NDArray[Any], step: Floats, zero: NDArray[Any], axis: int) -> Floats:
    """What numbers of eight bits, by channel, stand for."""
    shape = [-1 if i == axis else 1 for i in range(rounded.ndim)] if step.ndim else ()
    off = rounded.astype(np.float32) - zero.astype(np.float32).reshape(shape)
    return np.asarray(off * step.reshape(shape), np.float32)


def _normals(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """The normalisation after each convolution that has one."""
    found: dict[nn.Module, nn.BatchNorm2d] = {}
    for module in net.modules():
        if isinstance(module, nn.Sequential):
            parts = list(module)
            found |= {a: b for a, b in pairwise(parts) if isinstance(b, nn.BatchNorm2d)}
    return found


def _make_plain(normal: nn.BatchNorm2d, bias: Tensor) -> None:
    """Let a normalisation only add a bias."""
    normal.running_mean, normal.running_var = torch.zeros_like(bias), torch.full_like(bias, 1 - normal.eps)
    normal.weight.fill_(1)
    normal.bias.copy_(bias)


def _measure(net: nn.Module, normals: Any, run: Callable[[nn.Module], object]) -> None:
    """Let normalisations divide by what they see and multiply it in again."""
    seen: dict[nn.BatchNorm2d, list[Tensor]] = {normal: [] for normal in normals}
    hooks = [normal.register_forward_pre_hook(lambda normal, given: seen[normal].append(given[0])) for normal in seen]
    with torch.no_grad():
        run(net.eval())
        for hook in hooks:
            hook.remove()
        for normal, given in seen.items():
            values = torch.cat([x.transpose(0, 1).flatten(1) for x in given], dim=1)
            mean, spread = values.mean(dim=1), values.var(dim=1)
            normal.running_mean, normal.running_var = mean.clone(), spread.clone()
            normal.weight.copy_((spread + normal.eps).sqrt())
            normal.bias.add_(mean)
