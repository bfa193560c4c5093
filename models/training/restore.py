"""From a network's file back to one that can be taught on.

The file has every normalisation folded into the convolution before it. What it did to the activations is measured on a
few lessons, so that the network answers as the file does and learns as one that was never written.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def restore(net: nn.Module, path: Path, run: Callable[[nn.Module], object]) -> None:
    """Give a network the weights of its file; `run` shows it some lessons."""
    weights = _weights(path)
    calls = _calls(net, run)
    if len(calls) != len(weights):
        raise ValueError(f"{path.name} has {len(weights)} layers with weights, the network {len(calls)}")
    normals = _normals(net)
    with torch.no_grad():
        for layer, (weight, bias) in zip(calls, weights, strict=True):
            if weight.shape != layer.weight.shape:
                raise ValueError(f"{path.name} has a layer of {tuple(weight.shape)}, not {tuple(layer.weight.shape)}")
            layer.weight.copy_(weight)
            if layer in normals:
                _make_plain(normals[layer], bias)
            elif layer.bias is not None:
                layer.bias.copy_(bias)
    _measure(net, normals.values(), run)


def blend(path: Path, known: bytes) -> None:
    """Bring the weights in a file half-way back to those of an older file of the same network.

    What is taught anew is learned at some cost to what was known; the mean of both answers better than either on what
    neither was shown.
    """
    model, before = onnx.load(path), onnx.load_model_from_string(known)
    for tensor, old in zip(model.graph.initializer, before.graph.initializer, strict=True):
        now, then = numpy_helper.to_array(tensor), numpy_helper.to_array(old)
        if now.dtype == np.float32:
            tensor.CopyFrom(numpy_helper.from_array(np.asarray((now + then) / 2, np.float32), tensor.name))
    onnx.save(model, path)


def _weights(path: Path) -> list[tuple[Tensor, Tensor]]:
    """Weight and bias of each layer, in the order they are used."""
    graph = onnx.load(path).graph
    known = {tensor.name: torch.from_numpy(np.array(numpy_helper.to_array(tensor))) for tensor in graph.initializer}
    found: list[tuple[Tensor, Tensor]] = []
    for i, node in enumerate(graph.node):
        if node.op_type in ("Conv", "Gemm", "LayerNormalization"):
            found.append((known[node.input[1]], known[node.input[2]]))
        elif node.op_type == "MatMul" and node.input[1] in known:
            bias = next(name for name in graph.node[i + 1].input if name in known)
            found.append((known[node.input[1]].T, known[bias]))
    return found


def _calls(net: nn.Module, run: Callable[[nn.Module], object]) -> list[Any]:
    """The layers with weights in the order they are used."""
    calls: dict[nn.Module, None] = {}
    layers = [module for module in net.modules() if isinstance(module, nn.Conv2d | nn.Linear | nn.LayerNorm)]
    hooks = [layer.register_forward_hook(lambda layer, *_: calls.setdefault(layer)) for layer in layers]
    with torch.no_grad():
        run(net.eval())
    for hook in hooks:
        hook.remove()
    return list(calls)


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
