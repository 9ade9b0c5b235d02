# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The calls of the package. Each reads its arrays, checks them, makes room for its results and calls the module of
the device that the arrays are on."""

from __future__ import annotations

import math
from operator import index
from typing import Any, Optional, TypeVar

import numpy

from ._arrays import BOOL, DTYPES, FLOAT64, INT64, SIZES, UINT64, Array, backend, read

# A result of this type has the dtype and the number of dimensions of the argument; others are Any.
ArrayT = TypeVar("ArrayT")
ValuesT = TypeVar("ValuesT")

_REDUCTIONS = {"sum": 0, "min": 1, "max": 2}
_MEAN, _NORMS = 0, {1: 1, 2: 2, math.inf: 3}
_CUMSUM, _CUMPROD, _CUMMIN, _CUMMAX = range(4)
_FIRST_FLOAT = DTYPES.index("float16")


class _Call:
    """A call while it runs: its name, the array that says where it works, the module, the device and the stream."""

    __slots__ = ("name", "first", "core", "stream", "place")

    def __init__(self, name: str, array: Any):
        self.name = name
        self.first = first = read(name, array)
        self.core = backend(name, first.device)
        self.stream = first.library.stream(first) if first.device >= 0 else 0
        self.place = self.core.Place(first.device, self.stream)

    def refuse(self, sentence: str, error: type = ValueError):
        raise error(f"gpuprim.{self.name}: {sentence}")

    def integer(self, value: Any, what: str) -> int:
        """An argument that counts something."""
        try:
            return index(value)
        except TypeError:
            self.refuse(f"{what} must be an integer, not {value!r}", TypeError)
        raise AssertionError

    def also(self, array: Any, what: str, dtype: Optional[int] = None) -> Array:
        """Another array of the call, on the same device."""
        other = read(self.name, array)
        if other.device != self.first.device:
            places = [("in host memory" if d < 0 else f"on GPU {d}") for d in (other.device, self.first.device)]
            self.refuse(f"{what} is {places[0]}, but the first array is {places[1]}")
        if dtype is not None and other.dtype != dtype:
            self.refuse(f"{what} must be an array of {DTYPES[dtype]}, not of {DTYPES[other.dtype]}", TypeError)
        return other

    def rows(self, axis: Optional[int]) -> tuple[int, int, tuple]:
        """Rows, their length, and the shape without the axis; a whole array is one row."""
        shape = self.first.shape
        if axis is None:
            return 1, self.first.size, ()
        if not shape:
            self.refuse("the array has no dimensions, so that axis must be None")
        if axis not in (-1, len(shape) - 1):
            self.refuse("axis must be -1, the last axis, or None for the whole array")
        return math.prod(shape[:-1]), shape[-1], shape[:-1]

    def empty(self, shape: tuple, dtype: int) -> Array:
        first = self.first
        if dtype == first.dtype and shape == first.shape:
            return first.library.empty_like(first, self.stream)
        return first.library.empty(shape, dtype, first.device, self.stream)

    def result(self, out: Any, shape: tuple, dtype: int, *apart: Array, in_place: bool = False) -> Array:
        """Room for a result: `out`, where the caller has named one, or new memory."""
        if out is None:
            return self.empty(shape, dtype)
        to = self.also(out, "out", dtype)
        to.library.check_out(self.name, out)
        if to.shape != shape:
            self.refuse(f"out must have the shape {shape}, not {to.shape}")
        for array in apart:
            overlaps = to.address < array.address + array.bytes and array.address < to.address + to.bytes
            is_same = in_place and to.address == array.address and to.bytes == array.bytes
            if overlaps and not is_same:
                self.refuse("out overlaps an array that is read")
        return to

    def finish(self, array: Array, count: Optional[int] = None) -> Any:
        result = array.library.finish(array)
        return result if count is None else result[:count]

    def wide(self, array: Array) -> int:
        """The type of sums and products of an array."""
        if array.dtype >= _FIRST_FLOAT:
            return array.dtype
        return UINT64 if array.dtype >= DTYPES.index("uint8") else INT64

    def mask(self, mask: Any) -> Array:
        flags = self.also(mask, "mask", BOOL)
        if flags.shape != self.first.shape:
            self.refuse(f"mask must have the shape {self.first.shape} of the array, not {flags.shape}")
        return flags

    def line(self, array: Array, what: str = "the array") -> Array:
        if len(array.shape) != 1:
            self.refuse(f"{what} must have one dimension, not {len(array.shape)}")
        return array

    def offsets(self, offsets: Any) -> Array:
        """Offsets of segments, in 64 bits."""
        array = self.line(self.also(offsets, "offsets"), "offsets")
        if array.dtype not in (INT64, DTYPES.index("int32")):
            self.refuse(f"offsets must be an array of int64 or int32, not of {DTYPES[array.dtype]}", TypeError)
        if array.size == 0:
            self.refuse("there must be one offset more than there are segments")
        if array.dtype == INT64:
            return array
        to = self.empty(array.shape, INT64)
        self.core.convert(array.dtype, INT64, array.address, array.size, to.address, self.place)
        return to

    def sequence(self, count: int) -> Array:
        to = self.empty((count,), INT64)
        self.core.sequence(count, to.address, 1, self.place)
        return to

    # Steps that several calls have in common: new arrays of one dimension.

    def sorted(self, array: Array) -> Array:
        to = self.empty((array.size,), array.dtype)
        if array.size:
            self.core.sort_rows(array.dtype, array.address, to.address, 1, array.size, self.place)
        return to

    def encoded(self, array: Array) -> tuple[Array, Array, int]:
        """The first elements of runs, their lengths, and how many runs there are."""
        values, lengths = self.empty((array.size,), array.dtype), self.empty((array.size,), INT64)
        count = 0
        if array.size:
            count = self.core.run_lengths(array.dtype, array.address, array.size, values.address, lengths.address,
                                          self.place)
        return values, lengths, count

    def ends(self, lengths: Array, count: int) -> Array:
        """Where runs end, of their lengths."""
        to = self.empty((count,), INT64)
        if count:
            self.core.scan_rows(_CUMSUM, INT64, lengths.address, to.address, 1, count, self.place)
        return to

    def run_of_each(self, lengths: Array, count: int, n: int) -> Array:
        """For each element the number of its run."""
        ends, places, to = self.ends(lengths, count), self.sequence(n), self.empty((n,), INT64)
        if n:
            self.core.search(True, INT64, ends.address, count, places.address, n, to.address, self.place)
        return to


# Reductions


def _reduce(name: str, array: Any, axis: Optional[int], out: Any) -> Any:
    call = _Call(name, array)
    a = call.first
    rows, columns, shape = call.rows(axis)
    if columns == 0 and name != "sum" and rows:
        call.refuse("an array without elements has no least and no greatest one")
    to = call.result(out, shape, call.wide(a) if name == "sum" else a.dtype, a)
    if rows:
        call.core.reduce_rows(_REDUCTIONS[name], a.dtype, a.address, to.address, rows, columns, call.place)
    return call.finish(to)


def sum(array: Any, axis: Optional[int] = None, *, out: Any = None) -> Any:
    """The sum of all elements, or of each row.

    array   any shape; all dtypes
    axis    None: the whole array; -1: the last axis, which the result's shape lacks
    out     where the result goes: an array of its shape and dtype, apart from `array`
    Result  bool and signed integers: int64; unsigned ones: uint64, both modulo 2^64; floats: their dtype, summed in
            float32 if they have 16 bits. The same bits in every run. No elements: 0.
    Cost    one launch; each element is read once.
    """
    return _reduce("sum", array, axis, out)


def min(array: Any, axis: Optional[int] = None, *, out: Any = None) -> Any:
    """The least element of all, or of each row. A NaN among them is the result.

    array   any shape, at least one element in each row; all dtypes
    axis    None: the whole array; -1: the last axis, which the result's shape lacks
    out     where the result goes: an array of its shape and of the dtype of `array`, apart from it
    Raises  ValueError without elements
    Cost    one launch; each element is read once.
    """
    return _reduce("min", array, axis, out)


def max(array: Any, axis: Optional[int] = None, *, out: Any = None) -> Any:
    """The greatest element of all, or of each row. A NaN among them is the result. See `min` for all else."""
    return _reduce("max", array, axis, out)


def _find(name: str, array: Any, axis: Optional[int], out: Any) -> Any:
    call = _Call(name, array)
    a = call.first
    rows, columns, shape = call.rows(axis)
    if columns == 0 and rows:
        call.refuse("an array without elements has no least and no greatest one")
    to = call.result(out, shape, INT64, a)
    if rows:
        call.core.find_extremum(name == "argmax", a.dtype, a.address, to.address, rows, columns, call.place)
    return call.finish(to)


def argmin(array: Any, axis: Optional[int] = None, *, out: Any = None) -> Any:
    """Where the least element is: the first of equals, or the first NaN if there is one.

    array   any shape, at least one element in each row; all dtypes
    axis    None: positions in the flattened array; -1: in each row
    out     where the result goes: an array of int64 of its shape, apart from `array`
    Raises  ValueError without elements
    Cost    one launch; each element is read once.
    """
    return _find("argmin", array, axis, out)


def argmax(array: Any, axis: Optional[int] = None, *, out: Any = None) -> Any:
    """Where the greatest element is: the first of equals, or the first NaN if there is one. See `argmin`."""
    return _find("argmax", array, axis, out)


def _statistic(name: str, find: str, which: float, array: Any, axis: Optional[int], out: Any) -> Any:
    call = _Call(name, array)
    a = call.first
    rows, columns, shape = call.rows(axis)
    to = call.result(out, shape, a.dtype if a.dtype >= _FIRST_FLOAT else FLOAT64, a)
    if rows:
        getattr(call.core, find)(which, a.dtype, a.address, to.address, rows, columns, call.place)
    return call.finish(to)


def mean(array: Any, axis: Optional[int] = None, *, out: Any = None) -> Any:
    """The mean of all elements, or of each row.

    array   any shape; all dtypes
    axis    None: the whole array; -1: the last axis, which the result's shape lacks
    out     where the result goes: an array of its shape and dtype, apart from `array`
    Result  bool and integers: float64; floats: their dtype. Summed in float64. No elements: NaN.
    Cost    one launch; each element is read once.
    """
    return _statistic("mean", "find_statistic", _MEAN, array, axis, out)


def var(array: Any, axis: Optional[int] = None, ddof: float = 0, *, out: Any = None) -> Any:
    """The variance: the sum of the squares of the distances from the mean, over the number of elements less `ddof`.

    array   any shape; all dtypes
    axis    None: the whole array; -1: the last axis, which the result's shape lacks
    out     where the result goes: an array of its shape and dtype, apart from `array`
    Result  bool and integers: float64; floats: their dtype. Computed in float64. No elements: NaN.
    Cost    one launch; each element is read once.
    """
    try:
        ddof = float(ddof)
    except (TypeError, ValueError):
        raise TypeError(f"gpuprim.var: ddof must be a number, not {ddof!r}") from None
    return _statistic("var", "find_variance", ddof, array, axis, out)


def norm(array: Any, ord: float = 2, axis: Optional[int] = None, *, out: Any = None) -> Any:
    """A norm: the sum of magnitudes (`ord` 1), the root of the sum of squares (2) or the greatest magnitude (inf).

    array   any shape; all dtypes
    axis    None: the whole array; -1: the last axis, which the result's shape lacks
    out     where the result goes: an array of its shape and dtype, apart from `array`
    Result  bool and integers: float64; floats: their dtype. Computed in float64, which a square of float64 may
            overflow. No elements: 0.
    Raises  ValueError for another `ord`
    Cost    one launch; each element is read once.
    """
    if ord not in tuple(_NORMS):  # a list has no hash
        raise ValueError(f"gpuprim.norm: ord must be 1, 2 or inf, not {ord}")
    return _statistic("norm", "find_statistic", _NORMS[ord], array, axis, out)


def dot(first: Any, second: Any, *, out: Any = None) -> Any:
    """The sum of the products of two arrays.

    first, second   one dimension, one length, one dtype: integers or floats
    out             where the result goes: an array of its dtype without dimensions, apart from both
    Result          signed integers: int64; unsigned ones: uint64; floats: their dtype, summed in float32 if they have
                    16 bits. The same bits in every run.
    Cost            one launch; each element is read once.
    """
    call = _Call("dot", first)
    a = call.line(call.first)
    if a.dtype == BOOL:
        call.refuse("has no form for arrays of bool", TypeError)
    b = call.line(call.also(second, "the second array", a.dtype), "the second array")
    if b.size != a.size:
        call.refuse(f"the arrays must have one length, not {a.size} and {b.size}")
    to = call.result(out, (), call.wide(a), a, b)
    call.core.dot(a.dtype, a.address, b.address, a.size, to.address, call.place)
    return call.finish(to)


# Scans


def _scan(name: str, op: int, array: Any, axis: Optional[int], exclusive: bool, out: Any) -> Any:
    call = _Call(name, array)
    a, core, place = call.first, call.core, call.place
    rows, columns, _ = call.rows(axis)
    is_wide = op in (_CUMSUM, _CUMPROD)
    dtype = call.wide(a) if is_wide else a.dtype
    to = call.result(out, (a.size,) if axis is None else a.shape, dtype, a, in_place=SIZES[dtype] == SIZES[a.dtype])
    if a.size == 0:
        return call.finish(to)
    scanned = call.empty(to.shape, dtype) if exclusive else to
    source, source_dtype = a.address, a.dtype
    has_own = a.dtype == dtype or op == _CUMSUM and DTYPES[a.dtype] in ("bool", "uint8", "int32")
    if is_wide and not has_own:
        core.convert(a.dtype, dtype, a.address, a.size, scanned.address, place)
        source, source_dtype = scanned.address, dtype
    core.scan_rows(op, source_dtype, source, scanned.address, rows, columns, place)
    if exclusive:
        core.shift_rows(op, dtype, scanned.address, to.address, rows, columns, place)
    return call.finish(to)


def cumsum(array: Any, axis: Optional[int] = -1, *, exclusive: bool = False,
           out: Any = None) -> Any:
    """Running sums of each row: each place has the sum of the elements up to it, or, exclusive, before it.

    array   any shape; all dtypes
    axis    -1: the last axis; None: the flattened array
    out     where the result goes: an array of its shape and dtype; `array` itself if the dtype is the same
    Result  bool and signed integers: int64; unsigned ones: uint64; floats: their dtype, summed in float32 if they have
            16 bits. The same bits in every run.
    Cost    one launch that reads and writes each element once. An exclusive scan, and int8, int16, uint16 and uint32,
            take one more pass over the result each.
    """
    return _scan("cumsum", _CUMSUM, array, axis, exclusive, out)


def cumprod(array: Any, axis: Optional[int] = -1, *, exclusive: bool = False,
            out: Any = None) -> Any:
    """Running products of each row; exclusive ones begin with 1.

    See `cumsum` for all else. Integers of less than 64 bits, and bool, take one more pass.
    """
    return _scan("cumprod", _CUMPROD, array, axis, exclusive, out)


def cummin(array: ArrayT, axis: Optional[int] = -1, *, exclusive: bool = False,
           out: Optional[ArrayT] = None) -> ArrayT:
    """Running minima of each row, NaN from the first NaN on; exclusive ones begin with the greatest value of the dtype.

    array   any shape; all dtypes
    axis    -1: the last axis; None: the flattened array
    out     where the result goes: an array of its shape and of the dtype of `array`, which it may be
    Cost    one launch that reads and writes each element once; an exclusive scan takes one more pass.
    """
    return _scan("cummin", _CUMMIN, array, axis, exclusive, out)


def cummax(array: ArrayT, axis: Optional[int] = -1, *, exclusive: bool = False,
           out: Optional[ArrayT] = None) -> ArrayT:
    """Running maxima of each row, NaN from the first NaN on; exclusive ones begin with the least value of the dtype.

    See `cummin` for all else.
    """
    return _scan("cummax", _CUMMAX, array, axis, exclusive, out)


# Sorts


def sort(array: ArrayT, axis: Optional[int] = -1, *, descending: bool = False,
         out: Optional[ArrayT] = None) -> ArrayT:
    """The elements of each row in order.

    A NaN comes last, or first if descending, but one whose sign bit is set the other way round. -0.0 comes before 0.0.

    array       any shape; all dtypes
    axis        -1: the last axis; None: the flattened array
    out         where the result goes: an array of its shape and of the dtype of `array`, which it may be
    Cost        a few launches, each of which moves all elements; descending takes two more passes.
    """
    call = _Call("sort", array)
    a, core, place = call.first, call.core, call.place
    rows, columns, _ = call.rows(axis)
    to = call.result(out, (a.size,) if axis is None else a.shape, a.dtype, a, in_place=True)
    if a.size == 0:
        return call.finish(to)
    source = a.address
    if descending:
        core.flip_keys(a.dtype, source, to.address, a.size, place)
        source = to.address
    core.sort_rows(a.dtype, source, to.address, rows, columns, place)
    if descending:
        core.flip_keys(a.dtype, to.address, to.address, a.size, place)
    return call.finish(to)


def _argsort(call: _Call, a: Array, rows: int, columns: int, descending: bool, positions: Array) -> Array:
    """Writes positions, and returns the keys in order, flipped if descending."""
    keys = call.empty(a.shape, a.dtype)
    source = a.address
    if descending:
        call.core.flip_keys(a.dtype, source, keys.address, a.size, call.place)
        source = keys.address
    call.core.argsort_rows(a.dtype, source, keys.address, positions.address, rows, columns, call.place)
    return keys


def argsort(array: Any, axis: Optional[int] = -1, *, descending: bool = False,
            out: Any = None) -> Any:
    """The positions that sort each row. Equal elements stay in their order, descending too.

    array   any shape; all dtypes; ordered as by `sort`
    axis    -1: positions in each row; None: in the flattened array
    out     where the result goes: an array of int64 of its shape, apart from `array`
    Cost    a few launches, each of which moves all elements and positions; descending takes one more pass.
    """
    call = _Call("argsort", array)
    a = call.first
    rows, columns, _ = call.rows(axis)
    to = call.result(out, (a.size,) if axis is None else a.shape, INT64, a)
    if a.size:
        _argsort(call, a, rows, columns, descending, to)
    return call.finish(to)


def sort_by_key(keys: ArrayT, values: ValuesT, axis: Optional[int] = -1, *,
                descending: bool = False) -> tuple[ArrayT, ValuesT]:
    """The keys of each row in order, and the value of each. Equal keys stay in their order.

    keys    any shape; all dtypes; ordered as by `sort`
    values  the shape of the keys; any dtype
    axis    -1: the last axis; None: the flattened arrays
    Result  new arrays of the dtypes of keys and values
    Cost    an `argsort` and a pass that gathers the values.
    """
    call = _Call("sort_by_key", keys)
    a, core, place = call.first, call.core, call.place
    rows, columns, _ = call.rows(axis)
    v = call.also(values, "the array of values")
    if v.shape != a.shape:
        call.refuse(f"the values must have the shape {a.shape} of the keys, not {v.shape}")
    shape = (a.size,) if axis is None else a.shape
    to, positions = call.empty(shape, v.dtype), call.empty(shape, INT64)
    if a.size == 0:
        return call.finish(call.empty(shape, a.dtype)), call.finish(to)
    ordered = _argsort(call, a, rows, columns, descending, positions)
    if descending:
        core.flip_keys(a.dtype, ordered.address, ordered.address, a.size, place)
    core.gather_rows(SIZES[v.dtype], v.address, positions.address, rows, columns, to.address, place)
    ordered_keys = call.finish(ordered)
    return (ordered_keys.reshape(-1) if axis is None else ordered_keys), call.finish(to)


def topk(array: ArrayT, k: int, axis: Optional[int] = -1, *, largest: bool = True) -> tuple[ArrayT, Any]:
    """The k largest elements of each row, the largest first, and their positions; or the k smallest.

    Of equal elements those at the lowest positions are taken, in that order.

    array   any shape; all dtypes; ordered as by `sort`
    k       at most the length of a row
    axis    -1: the last axis; None: the flattened array
    Result  values of the dtype of `array` and positions of int64; the last axis has the length k
    Raises  ValueError for another k
    Cost    one launch for up to 2048 results of a row; many elements are read once.
    """
    call = _Call("topk", array)
    a = call.first
    rows, columns, shape = call.rows(axis)
    k = call.integer(k, "k")
    if not 0 <= k <= columns:
        call.refuse(f"k must be from 0 to {columns}, the length of a row, not {k}")
    to, positions = call.empty((*shape, k), a.dtype), call.empty((*shape, k), INT64)
    if rows * k:
        call.core.top_k_rows(largest, a.dtype, a.address, to.address, positions.address, rows, columns, k, call.place)
    return call.finish(to), call.finish(positions)


# Selections, and runs of equal elements


def nonzero(array: Any) -> tuple[Any, ...]:
    """The positions of the elements that are not zero, in order: an array of int64 for each dimension.

    array   any shape of at least one dimension; all dtypes; a NaN is not zero
    Cost    one launch, and waits for the number of positions; another pass for dtypes other than bool, and for each
            dimension if there are several.
    """
    call = _Call("nonzero", array)
    a, core, place = call.first, call.core, call.place
    if not a.shape:
        call.refuse("the array has no dimensions")
    flags = a
    if a.dtype != BOOL:
        flags = call.empty((a.size,), BOOL)
        if a.size:
            core.convert(a.dtype, BOOL, a.address, a.size, flags.address, place)
    positions = call.empty((a.size,), INT64)
    count = core.select_positions(flags.address, a.size, positions.address, place) if a.size else 0
    if len(a.shape) == 1:
        return (call.finish(positions, count),)
    found, stride = [], a.size
    for length in a.shape:
        to = call.empty((count,), INT64)
        if count:
            stride //= length
            core.find_coordinate(positions.address, count, stride, length, to.address, place)
        found.append(call.finish(to))
    return tuple(found)


def select(array: Any, mask: Any) -> Any:
    """The elements whose flags are set, in order.

    array   any shape; all dtypes
    mask    bool, of the shape of `array`
    Result  one dimension: the front of a new array that has room for all
    Cost    one launch, and waits for the number of elements. Only the elements that are kept are read.
    """
    call = _Call("select", array)
    a, flags = call.first, call.mask(mask)
    to = call.empty((a.size,), a.dtype)
    count = 0
    if a.size:
        count = call.core.select(SIZES[a.dtype], a.address, flags.address, a.size, to.address, call.place)
    return call.finish(to, count)


def partition(array: Any, mask: Any) -> tuple[Any, Any]:
    """The elements whose flags are set, and the others, both in order.

    array   any shape; all dtypes
    mask    bool, of the shape of `array`
    Result  one dimension each: the two parts of one new array
    Cost    three launches, and waits for the number of elements. Each element is read once, and each flag three times.
    """
    call = _Call("partition", array)
    a, flags, core, place = call.first, call.mask(mask), call.core, call.place
    to, unset = call.empty((a.size,), a.dtype), call.empty((a.size,), BOOL)
    count = 0
    if a.size:
        count = core.select(SIZES[a.dtype], a.address, flags.address, a.size, to.address, place)
        core.invert_mask(flags.address, a.size, unset.address, place)
        others = to.address + count * SIZES[a.dtype]
        core.select(SIZES[a.dtype], a.address, unset.address, a.size, others, place)
    both = call.finish(to)
    return both[:count], both[count:]


def run_lengths(array: ArrayT) -> tuple[ArrayT, Any]:
    """The first element of each run of equal neighbours, and the lengths of the runs.

    array   one dimension; all dtypes; a NaN is a run by itself, and -0.0 equals 0.0
    Result  values of the dtype of `array`, and lengths of int64: the fronts of new arrays that have room for all
    Cost    one launch, and waits for the number of runs.
    """
    call = _Call("run_lengths", array)
    values, lengths, count = call.encoded(call.line(call.first))
    return call.finish(values, count), call.finish(lengths, count)


def unique_consecutive(array: Any, *, return_inverse: bool = False,
                       return_counts: bool = False) -> Any:
    """The first element of each run of equal neighbours.

    array           one dimension; all dtypes; equal as in `run_lengths`
    return_inverse  also an array of int64: for each element the number of its run
    return_counts   also an array of int64: the lengths of the runs
    Cost            one launch, and waits for the number of runs; the inverse takes three launches more.
    """
    call = _Call("unique_consecutive", array)
    a = call.line(call.first)
    values, lengths, count = call.encoded(a)
    results = [call.finish(values, count)]
    if return_inverse:
        results.append(call.finish(call.run_of_each(lengths, count, a.size)))
    if return_counts:
        results.append(call.finish(lengths, count))
    return tuple(results) if len(results) > 1 else results[0]


def unique(array: Any, *, return_inverse: bool = False,
           return_counts: bool = False) -> Any:
    """The different elements, in order.

    array           one dimension; all dtypes; ordered as by `sort`, and each NaN is different from all others
    return_inverse  also an array of int64: for each element the place of its equal in the result
    return_counts   also an array of int64: how often each occurs
    Cost            a `sort` and a launch, and waits for the number of elements; with the inverse an `argsort` and
                    five launches.
    """
    call = _Call("unique", array)
    a = call.line(call.first)
    if not return_inverse or a.size == 0:
        ordered = call.sorted(a)
    else:
        positions = call.empty((a.size,), INT64)
        ordered = _argsort(call, a, 1, a.size, False, positions)
    values, lengths, count = call.encoded(ordered)
    results = [call.finish(values, count)]
    if return_inverse:
        inverse = call.empty((a.size,), INT64)
        if a.size:
            runs = call.run_of_each(lengths, count, a.size)
            call.core.scatter(8, runs.address, positions.address, a.size, inverse.address, call.place)
        results.append(call.finish(inverse))
    if return_counts:
        results.append(call.finish(lengths, count))
    return tuple(results) if len(results) > 1 else results[0]


# Segments


def _check_reduction(name: str, op: str) -> int:
    if op not in tuple(_REDUCTIONS):
        raise ValueError(f"gpuprim.{name}: op must be sum, min or max, not {op}")
    return _REDUCTIONS[op]


def segment_reduce(array: Any, offsets: Any, op: str = "sum", *, out: Any = None) -> Any:
    """The sum, the least or the greatest element of each segment of an array.

    array    one dimension; all dtypes
    offsets  int64 or int32: segment i is array[offsets[i]:offsets[i + 1]]. They never decrease; on a GPU the result
             is unspecified if they do, because nothing waits to look.
    op       "sum", "min" or "max"
    out      where the result goes: an array of its shape and dtype, apart from both
    Result   one element for each segment: of sums the dtype of `sum`, else that of `array`. Of an empty segment 0, or
             the greatest or the least value of the dtype. A NaN among the elements is the result.
    Raises   ValueError for offsets in host memory that decrease or leave the array
    Cost     one launch; each element is read once, however long the segments are. Offsets of int32 are converted.
    """
    which = _check_reduction("segment_reduce", op)
    call = _Call("segment_reduce", array)
    a, begins = call.line(call.first), call.offsets(offsets)
    segments = begins.size - 1
    to = call.result(out, (segments,), call.wide(a) if op == "sum" else a.dtype, a, begins)
    if segments:
        call.core.reduce_segments(which, a.dtype, a.address, a.size, begins.address, segments, to.address, call.place)
    return call.finish(to)


def reduce_by_key(keys: ArrayT, values: Any, op: str = "sum") -> tuple[ArrayT, Any]:
    """The first key of each run of equal neighbours, and the sum, the least or the greatest of its values.

    keys    one dimension; all dtypes; equal as in `run_lengths`
    values  the length of the keys; all dtypes
    op      "sum", "min" or "max"
    Result  keys, the front of a new array, and results as of `segment_reduce`
    Cost    `run_lengths`, which waits for the number of runs, a scan of the lengths, and a `segment_reduce`.
    """
    which = _check_reduction("reduce_by_key", op)
    call = _Call("reduce_by_key", keys)
    a, core, place = call.line(call.first), call.core, call.place
    v = call.line(call.also(values, "the array of values"), "the array of values")
    if v.size != a.size:
        call.refuse(f"there must be as many values as keys, not {v.size} for {a.size}")
    firsts, lengths, count = call.encoded(a)
    begins = call.empty((count + 1,), INT64)
    core.sequence(1, begins.address, 1, place)
    if count:
        core.scan_rows(_CUMSUM, INT64, lengths.address, begins.address + 8, 1, count, place)
    to = call.empty((count,), call.wide(v) if op == "sum" else v.dtype)
    if count:
        core.reduce_segments(which, v.dtype, v.address, v.size, begins.address, count, to.address, place)
    return call.finish(firsts, count), call.finish(to)


def segment_sort(array: ArrayT, offsets: Any, *, descending: bool = False,
                 out: Optional[ArrayT] = None) -> ArrayT:
    """Each segment of an array sorted by itself.

    array    one dimension; all dtypes; ordered as by `sort`
    offsets  int64 or int32, as of `segment_reduce`; the first is 0 and the last the length of `array`
    out      where the result goes: an array of the shape and dtype of `array`, which it may be
    Raises   ValueError for offsets in host memory that decrease or do not cover the array
    Cost     a few launches, whatever the lengths are; descending takes two more passes.
    """
    call = _Call("segment_sort", array)
    a, begins, core, place = call.line(call.first), call.offsets(offsets), call.core, call.place
    to = call.result(out, a.shape, a.dtype, a, in_place=True)
    if a.size == 0:
        return call.finish(to)
    source = a.address
    if descending:
        core.flip_keys(a.dtype, source, to.address, a.size, place)
        source = to.address
    core.sort_segments(a.dtype, source, to.address, a.size, begins.address, begins.size - 1, place)
    if descending:
        core.flip_keys(a.dtype, to.address, to.address, a.size, place)
    return call.finish(to)


# Counts and searches


def histogram(array: Any, bins: Any = 10,
              range: Optional[tuple[float, float]] = None) -> tuple[Any, Any]:
    """How many elements lie in each bin. The last bin has its upper edge, the others do not.

    array   any shape; all dtypes; elements outside of all bins and NaNs are not counted
    bins    a number of bins of one width, or an array of float64 of edges that never decrease
    range   the lowest and the highest edge; by default the least and the greatest element, for which the call waits
    Result  counts of int64 and edges of float64. Elements are compared with these edges in float64.
    Raises  ValueError for no bins, and for edges that are not finite or not in order
    Cost    one launch for up to some thousand bins, and one or two small ones for the edges.
    """
    call = _Call("histogram", array)
    a, core, place = call.first, call.core, call.place
    if isinstance(bins, (int, numpy.integer)):
        bins = index(bins)
        if bins < 1:
            call.refuse(f"there must be at least one bin, not {bins}")
        if range is None:
            low, high = core.find_range(a.dtype, a.address, a.size, place) if a.size else (0.0, 1.0)
            if low == high:
                low, high = low - 0.5, high + 0.5
        else:
            try:
                low, high = map(float, range)
            except (TypeError, ValueError):
                call.refuse(f"the range must be two numbers, not {range!r}", TypeError)
        if not math.isfinite(high - low) or not low < high:
            call.refuse(f"the range must be finite and in order, not from {low} to {high}")
        edges = call.empty((bins + 1,), FLOAT64)
        core.even_edges(low, high, bins, edges.address, place)
    else:
        edges = call.line(call.also(bins, "the array of edges", FLOAT64), "the array of edges")
        bins = edges.size - 1
        if bins < 1:
            call.refuse("there must be at least two edges")
    levels, counts = call.empty((bins + 1,), FLOAT64), call.empty((bins,), INT64)
    core.close_last_bin(edges.address, bins, levels.address, place)
    core.histogram(a.dtype, a.address, a.size, levels.address, bins, counts.address, place)
    return call.finish(counts), call.finish(edges)


def bincount(array: Any, minlength: int = 0, *, length: Optional[int] = None) -> Any:
    """How often each of the numbers 0, 1, 2, ... occurs.

    array      any shape; integers
    minlength  the least length of the result
    length     the length of the result: numbers outside of it are not counted, and nothing waits
    Result     int64; without `length` up to the greatest number, for which the call waits
    Raises     TypeError for floats and bool; ValueError without `length` for negative numbers
    Cost       one launch for up to some thousand numbers; without `length` one pass more.
    """
    call = _Call("bincount", array)
    a = call.first
    if a.dtype >= _FIRST_FLOAT or a.dtype == BOOL:
        call.refuse(f"has no form for arrays of {DTYPES[a.dtype]}", TypeError)
    if length is None:
        length = call.integer(minlength, "minlength")
        if a.size:
            least, greatest = call.core.find_range(a.dtype, a.address, a.size, call.place)
            if least < 0:
                call.refuse("the array has negative numbers")
            if greatest >= length:
                length = int(greatest) + 1
    else:
        length = call.integer(length, "length")
    if not 0 <= length < 2**31:
        call.refuse(f"the result must have from 0 to 2^31 - 1 elements, not {length}")
    counts = call.empty((length,), INT64)
    if length:
        call.core.bincount(a.dtype, a.address, a.size, length, counts.address, call.place)
    return call.finish(counts)


def searchsorted(sorted: Any, values: Any, side: str = "left", *, out: Any = None) -> Any:
    """For each value how many elements of a sorted array come before it, or, to the right, do not come after it.

    sorted  one dimension, in order; all dtypes
    values  any shape; the dtype of `sorted`
    side    "left" or "right"
    out     where the result goes: an array of int64 of the shape of `values`, apart from both
    Cost    one launch: a search for each value.
    """
    if side not in ("left", "right"):
        raise ValueError(f"gpuprim.searchsorted: side must be left or right, not {side}")
    call = _Call("searchsorted", sorted)
    a = call.line(call.first)
    v = call.also(values, "the array of values", a.dtype)
    to = call.result(out, v.shape, INT64, a, v)
    if v.size:
        call.core.search(side == "right", a.dtype, a.address, a.size, v.address, v.size, to.address, call.place)
    return call.finish(to)


# Merges and sets


def merge(first: ArrayT, second: ArrayT, *, out: Optional[ArrayT] = None) -> ArrayT:
    """The elements of two sorted arrays, in order.

    first, second   one dimension, in order, without NaN; one dtype of all
    out             where the result goes: an array of its shape and dtype, apart from both
    Cost            one or two launches; each element is read once.
    """
    call = _Call("merge", first)
    a = call.line(call.first)
    b = call.line(call.also(second, "the second array", a.dtype), "the second array")
    to = call.result(out, (a.size + b.size,), a.dtype, a, b)
    if to.size:
        call.core.merge(a.dtype, a.address, a.size, b.address, b.size, to.address, call.place)
    return call.finish(to)


def _two_sets(name: str, first: Any, second: Any) -> tuple[_Call, Array, Array]:
    """The different elements of the first array, and all of the second, both in order."""
    call = _Call(name, first)
    a = call.line(call.first)
    b = call.line(call.also(second, "the second array", a.dtype), "the second array")
    values, _, count = call.encoded(call.sorted(a))
    values.size = count
    return call, values, call.sorted(b)


def _join(name: str, op: int, first: Any, second: Any) -> Any:
    call, a, b = _two_sets(name, first, second)
    to = call.empty((a.size,), a.dtype)
    count = 0
    if a.size:
        count = call.core.join_sets(op, a.dtype, a.address, a.size, b.address, b.size, to.address, call.place)
    return call.finish(to, count)


def intersect1d(first: ArrayT, second: ArrayT) -> ArrayT:
    """The different elements that are in both arrays, in order.

    first, second   one dimension, in any order; one dtype of all
    Result          the front of a new array that has room for all of the first
    Cost            a `sort` of each, and two passes that wait for numbers of elements.
    """
    return _join("intersect1d", 0, first, second)


def setdiff1d(first: ArrayT, second: ArrayT) -> ArrayT:
    """The different elements of the first array that are not in the second, in order. See `intersect1d`."""
    return _join("setdiff1d", 1, first, second)


def union1d(first: ArrayT, second: ArrayT) -> ArrayT:
    """The different elements of both arrays, in order.

    first, second   one dimension, in any order; one dtype of all
    Result          the front of a new array that has room for all
    Cost            a `sort` of each, a `merge`, and a pass; waits for numbers of elements.
    """
    call, a, b = _two_sets("union1d", first, second)
    both = call.empty((a.size + b.size,), a.dtype)
    if both.size:
        call.core.merge(a.dtype, a.address, a.size, b.address, b.size, both.address, call.place)
    values, _, count = call.encoded(both)
    return call.finish(values, count)


def transpose(array: ArrayT, *, out: Optional[ArrayT] = None) -> ArrayT:
    """The transpose of a matrix, as a new dense array.

    array   two dimensions; all dtypes
    out     where the result goes: an array of its shape and dtype, apart from `array`; for a square matrix `array` too
    Cost    one launch; each element is read once and written once.
    """
    call = _Call("transpose", array)
    a = call.first
    if len(a.shape) != 2:
        call.refuse(f"the array must have two dimensions, not {len(a.shape)}")
    rows, columns = a.shape
    to = call.result(out, (columns, rows), a.dtype, a, in_place=rows == columns)
    if a.size:
        call.core.transpose(SIZES[a.dtype], a.address, rows, columns, to.address, call.place)
    return call.finish(to)
