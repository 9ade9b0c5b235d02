# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

import gpuprim
from conftest import ARRAYS, as_exact, check, is_float, make, sum_type, tolerance

OFFSETS = np.array([0, 0, 3, 10, 10, 150, 151, 400])


@pytest.mark.parametrize("op", ["sum", "min", "max"])
@pytest.mark.parametrize("offset_type", ["int64", "int32"])
def test_segment_reduce(any_type, op, offset_type):
    a = make(any_type, 400)
    offsets = OFFSETS.astype(offset_type)
    result = gpuprim.segment_reduce(a, offsets, op)
    segments = [as_exact(a)[i:j] for i, j in zip(OFFSETS, OFFSETS[1:])]
    if op == "sum":
        wide = sum_type(any_type)
        expected = np.array([s.sum(dtype=np.float64 if is_float(any_type) else wide) for s in segments])
        assert result.dtype == wide
        error = np.array([np.abs(as_exact(s)).sum() if is_float(any_type) else 0 for s in segments])
        assert (np.abs(as_exact(result) - expected) <= tolerance(any_type) * error).all()
    else:
        limits = {"b": (False, True), "f": (-np.inf, np.inf)}
        kind = "b" if np.dtype(any_type) == bool else "f" if is_float(any_type) else "i"
        low, high = limits.get(kind) or (np.iinfo(any_type).min, np.iinfo(any_type).max)
        of_nothing = high if op == "min" else low
        expected = np.array([getattr(s, op)() if s.size else of_nothing for s in segments], as_exact(a).dtype)
        check(result, expected, any_type)


@pytest.mark.parametrize("descending", [False, True])
def test_segment_sort(any_type, descending):
    a = make(any_type, 400, few=True)
    expected = as_exact(a).copy()
    for i, j in zip(OFFSETS, OFFSETS[1:]):
        expected[i:j] = np.sort(expected[i:j])[:: -1 if descending else 1]
    check(gpuprim.segment_sort(a, OFFSETS, descending=descending), expected, any_type)


@pytest.mark.parametrize("op", ["sum", "min", "max"])
def test_reduce_by_key(any_type, op):
    keys = np.repeat(make(any_type, 60, few=True), 5)
    values = make("int32", keys.size)
    firsts, results = gpuprim.reduce_by_key(keys, values, op)
    exact = as_exact(keys)
    heads = np.flatnonzero(np.concatenate([[True], exact[1:] != exact[:-1]]))
    check(firsts, keys[heads])
    ufunc = {"sum": np.add, "min": np.minimum, "max": np.maximum}[op]
    check(results, ufunc.reduceat(values.astype("int64" if op == "sum" else "int32"), heads))


def test_segments_of_nothing():
    nothing = np.empty(0, np.float32)
    check(gpuprim.segment_reduce(nothing, np.array([0])), nothing)
    check(gpuprim.segment_reduce(nothing, np.array([0, 0])), np.zeros(1, np.float32))
    check(gpuprim.segment_sort(nothing, np.array([0, 0])), nothing)
    keys, results = gpuprim.reduce_by_key(nothing, nothing)
    check(keys, nothing), check(results, nothing)


@pytest.mark.skipif(ARRAYS != "numpy", reason="offsets on a GPU are not looked at")
@pytest.mark.parametrize("offsets", [[0, 5, 3, 400], [0, 401], [-1, 400], [5, 0]])
def test_offsets_that_do_not_fit(offsets):
    a = make("int32", 400)
    for call in (gpuprim.segment_reduce, gpuprim.segment_sort):
        with pytest.raises(ValueError, match="the offsets decrease, or do not fit the array"):
            call(a, np.array(offsets))
