# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

import gpuprim
from conftest import as_exact, check, is_float, make, sum_type, tolerance

SHAPES = [((257,), -1), ((5, 33), -1), ((2, 3, 20), -1), ((4, 9), None)]


def exclusive_of(scanned, identity):
    shifted = np.roll(scanned, 1, -1)
    shifted[..., 0] = identity
    return shifted


def compare(result, expected, dtype, error):
    assert result.dtype == dtype and result.shape == expected.shape
    np.testing.assert_allclose(as_exact(result), as_exact(expected), rtol=0, atol=error)


@pytest.mark.parametrize("shape, axis", SHAPES)
def test_cumsum(any_type, shape, axis):
    a = make(any_type, shape)
    wide = sum_type(any_type)
    exact = as_exact(a) if is_float(any_type) else a.astype(wide)
    expected = np.cumsum(exact, axis)
    error = tolerance(any_type) * np.abs(as_exact(a)).sum() if is_float(any_type) else 0
    compare(gpuprim.cumsum(a, axis), expected, wide, error)
    compare(gpuprim.cumsum(a, axis, exclusive=True), exclusive_of(expected, 0), wide, error)


@pytest.mark.parametrize("shape, axis", SHAPES)
def test_cumprod(any_type, shape, axis):
    wide = sum_type(any_type)
    if is_float(any_type):  # near 1, so that products stay in the range of the type
        a = np.random.default_rng(3).uniform(0.9, 1.1, shape).astype(any_type)
        expected = np.cumprod(as_exact(a), axis)
        error = 300 * {"float16": 1e-3, "bfloat16": 8e-3, "float32": 1e-7, "float64": 1e-15}[np.dtype(any_type).name]
    else:
        a = make(any_type, shape) | np.ones(1, any_type)
        expected, error = np.cumprod(a.astype(wide), axis), 0
    compare(gpuprim.cumprod(a, axis), expected, wide, error)
    compare(gpuprim.cumprod(a, axis, exclusive=True), exclusive_of(expected, 1), wide, error)


@pytest.mark.parametrize("shape, axis", SHAPES)
def test_cummax_and_cummin(any_type, shape, axis):
    a = make(any_type, shape)
    exact = as_exact(a)
    if np.dtype(any_type) == bool:
        low, high = False, True
    elif is_float(any_type):
        low, high = -np.inf, np.inf
    else:
        low, high = np.iinfo(any_type).min, np.iinfo(any_type).max
    if axis is None:
        exact, axis_of_numpy = exact.reshape(-1), -1
    else:
        axis_of_numpy = axis
    for call, ufunc, identity in ((gpuprim.cummax, np.maximum, low), (gpuprim.cummin, np.minimum, high)):
        expected = ufunc.accumulate(exact, axis_of_numpy)
        check(call(a, axis), expected, any_type)
        check(call(a, axis, exclusive=True), exclusive_of(expected, identity), any_type)


def test_a_nan_stays(float_type):
    a = make(float_type, (2, 50))
    a[1, 20] = np.nan
    check(gpuprim.cummax(a), np.maximum.accumulate(as_exact(a), -1), float_type)
    check(gpuprim.cummin(a), np.minimum.accumulate(as_exact(a), -1), float_type)


def test_scans_in_place_and_of_nothing():
    a = make("int64", (3, 40))
    expected = np.cumsum(a, -1)
    assert gpuprim.cumsum(a, out=a) is a
    check(a, expected)
    check(gpuprim.cumsum(np.empty((2, 0), np.int8)), np.empty((2, 0), np.int64))
    check(gpuprim.cumsum(np.empty(0, np.float16), exclusive=True), np.empty(0, np.float16))


def test_scans_of_many_elements():
    a = make("int32", 30_000)
    check(gpuprim.cumsum(a), np.cumsum(a, dtype=np.int64))
    check(gpuprim.cumsum(a.reshape(2, -1)), np.cumsum(a.reshape(2, -1), -1, dtype=np.int64))
