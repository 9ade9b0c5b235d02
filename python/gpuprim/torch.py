# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The calls whose results have a known shape as custom operators of PyTorch, under the names of gpuprim.

They work under `torch.compile` and in a captured CUDA graph, because each says the shapes and types of its results
without its elements. `cumsum`, `sort`, `topk` and `segment_reduce` have gradients; the others refuse a backward pass.
"""

from __future__ import annotations

from typing import Optional, Tuple

import torch
from torch import Tensor

from . import _calls

_WIDE = {torch.bool: torch.int64, torch.int8: torch.int64, torch.int16: torch.int64, torch.int32: torch.int64,
         torch.uint8: torch.uint64, torch.uint16: torch.uint64, torch.uint32: torch.uint64}


def _wide(array: Tensor) -> torch.dtype:
    return _WIDE.get(array.dtype, array.dtype)


def _scan_shape(array: Tensor, axis: Optional[int]) -> list:
    return [array.numel()] if axis is None else list(array.shape)


def _reduced_shape(array: Tensor, axis: Optional[int]) -> list:
    return [] if axis is None else list(array.shape[:-1])


# Running sums


@torch.library.custom_op("gpuprim::cumsum", mutates_args=())
def cumsum(array: Tensor, axis: Optional[int] = -1, exclusive: bool = False) -> Tensor:
    """gpuprim.cumsum with a gradient."""
    return _calls.cumsum(array.detach(), axis, exclusive=exclusive)


@cumsum.register_fake
def _(array, axis=-1, exclusive=False):
    return array.new_empty(_scan_shape(array, axis), dtype=_wide(array))


def _keep_scan(ctx, inputs, output):
    array, ctx.axis, ctx.exclusive = inputs
    ctx.shape = array.shape


def _cumsum_backward(ctx, gradient):
    # An element is part of the sums from its place on.
    sums = cumsum(gradient.flip(-1).contiguous(), -1, ctx.exclusive)
    return sums.flip(-1).reshape(ctx.shape), None, None


cumsum.register_autograd(_cumsum_backward, setup_context=_keep_scan)


# Sorts


@torch.library.custom_op("gpuprim::sort", mutates_args=())
def sort(array: Tensor, axis: int = -1, descending: bool = False) -> Tuple[Tensor, Tensor]:
    """The elements of each row in order, and their positions, as of torch.sort(stable=True), with a gradient."""
    call = _calls._Call("sort", array.detach())
    rows, columns, _ = call.rows(axis)
    positions = call.empty(call.first.shape, _calls.INT64)
    if call.first.size == 0:
        return torch.empty_like(array), call.finish(positions)
    keys = _calls._argsort(call, call.first, rows, columns, descending, positions)
    if descending:
        call.core.flip_keys(keys.dtype, keys.address, keys.address, keys.size, call.place)
    return call.finish(keys), call.finish(positions)


@sort.register_fake
def _(array, axis=-1, descending=False):
    return array.new_empty(array.shape), array.new_empty(array.shape, dtype=torch.int64)


def _keep_positions(ctx, inputs, output):
    ctx.shape = inputs[0].shape
    ctx.save_for_backward(output[1])
    ctx.mark_non_differentiable(output[1])


def _put_back(ctx, gradient):
    """Zeros, and each gradient where its element has been."""
    (positions,) = ctx.saved_tensors
    zeros = gradient.new_zeros(ctx.shape)
    return zeros.scatter(-1, positions, gradient)


def _sort_backward(ctx, gradient, _):
    return _put_back(ctx, gradient), None, None


sort.register_autograd(_sort_backward, setup_context=_keep_positions)


@torch.library.custom_op("gpuprim::topk", mutates_args=())
def topk(array: Tensor, k: int, axis: int = -1, largest: bool = True) -> Tuple[Tensor, Tensor]:
    """gpuprim.topk with a gradient."""
    return _calls.topk(array.detach(), k, axis, largest=largest)


@topk.register_fake
def _(array, k, axis=-1, largest=True):
    shape = [*array.shape[:-1], k]
    return array.new_empty(shape), array.new_empty(shape, dtype=torch.int64)


def _topk_backward(ctx, gradient, _):
    return _put_back(ctx, gradient), None, None, None


topk.register_autograd(_topk_backward, setup_context=_keep_positions)


# Segments


@torch.library.custom_op("gpuprim::segment_reduce", mutates_args=())
def segment_reduce(array: Tensor, offsets: Tensor, op: str = "sum") -> Tensor:
    """gpuprim.segment_reduce with a gradient. Equal extrema of a segment share that of the result."""
    return _calls.segment_reduce(array.detach(), offsets, op)


@segment_reduce.register_fake
def _(array, offsets, op="sum"):
    return array.new_empty([offsets.shape[0] - 1], dtype=_wide(array) if op == "sum" else array.dtype)


def _keep_segments(ctx, inputs, output):
    array, offsets, ctx.op = inputs
    ctx.save_for_backward(array, offsets, output)


def _segment_backward(ctx, gradient):
    array, offsets, result = ctx.saved_tensors
    places = torch.arange(array.shape[0], device=array.device)
    segment = torch.searchsorted(offsets.to(torch.int64), places, right=True) - 1
    segments = gradient.shape[0]
    is_inside = (segment >= 0) & (segment < segments)
    if segments == 0:
        return torch.zeros_like(array), None, None
    segment = segment.clamp(0, segments - 1)
    share = is_inside.to(gradient.dtype)
    if ctx.op != "sum":
        share = share * (array == result[segment]).to(gradient.dtype)
        among = segment_reduce(share, offsets, "sum").clamp(min=1)
        share = share / among[segment]
    return gradient[segment] * share, None, None


segment_reduce.register_autograd(_segment_backward, setup_context=_keep_segments)


# Calls without a gradient


def _operator(name: str, shape_of, dtype_of, default: Optional[int]):
    """A call of an array and an axis; the functions say what its result is without elements."""

    def run(array: Tensor, axis: Optional[int] = default) -> Tensor:
        return getattr(_calls, name)(array.detach(), axis)

    run.__annotations__ = {"array": Tensor, "axis": Optional[int], "return": Tensor}
    operator = torch.library.custom_op(f"gpuprim::{name}", run, mutates_args=())
    operator.register_fake(lambda array, axis=default: array.new_empty(shape_of(array, axis), dtype=dtype_of(array)))
    return operator


def _same(array: Tensor) -> torch.dtype:
    return array.dtype


def _position(array: Tensor) -> torch.dtype:
    return torch.int64


def _real(array: Tensor) -> torch.dtype:
    return array.dtype if array.dtype.is_floating_point else torch.float64


sum = _operator("sum", _reduced_shape, _wide, None)
min = _operator("min", _reduced_shape, _same, None)
max = _operator("max", _reduced_shape, _same, None)
argmin = _operator("argmin", _reduced_shape, _position, None)
argmax = _operator("argmax", _reduced_shape, _position, None)
mean = _operator("mean", _reduced_shape, _real, None)
var = _operator("var", _reduced_shape, _real, None)
cumprod = _operator("cumprod", _scan_shape, _wide, -1)
cummin = _operator("cummin", _scan_shape, _same, -1)
cummax = _operator("cummax", _scan_shape, _same, -1)
argsort = _operator("argsort", _scan_shape, _position, -1)
