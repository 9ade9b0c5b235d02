# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

import gpuprim
from conftest import as_exact, check, is_float, make, sum_type, tolerance

SHAPES = [((301,), None), ((5, 67), -1), ((2, 3, 20), -1), ((4, 9), None)]


@pytest.mark.parametrize("shape, axis", SHAPES)
def test_sum(any_type, shape, axis):
    a = make(any_type, shape)
    result = gpuprim.sum(a, axis)
    assert result.dtype == sum_type(any_type)
    if is_float(any_type):
        error = tolerance(any_type) * np.abs(as_exact(a)).sum(axis)
        assert (np.abs(as_exact(result) - as_exact(a).sum(axis)) <= error).all()
    else:
        check(result, a.sum(axis, dtype=sum_type(any_type)))


@pytest.mark.parametrize("shape, axis", SHAPES)
@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_extrema(any_type, name, shape, axis):
    for few in (False, True):
        a = make(any_type, shape, few=few)
        expected = getattr(as_exact(a), name)(axis)
        check(getattr(gpuprim, name)(a, axis), expected, "int64" if name.startswith("arg") else any_type)


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_a_nan_is_the_extremum(float_type, name):
    a = make(float_type, (3, 40))
    a[1, 17] = a[1, 30] = np.nan
    a[2, :] = np.inf
    expected = getattr(as_exact(a), name)(-1)
    check(getattr(gpuprim, name)(a, -1), expected, "int64" if name.startswith("arg") else float_type)
    a[:] = -np.inf
    expected = getattr(as_exact(a), name)(-1)
    check(getattr(gpuprim, name)(a, -1), expected, "int64" if name.startswith("arg") else float_type)


@pytest.mark.parametrize("shape, axis", SHAPES)
def test_statistics(any_type, shape, axis):
    a = make(any_type, shape)
    exact = a.astype(np.float64)
    of_type = np.dtype(any_type) if is_float(any_type) else np.dtype("float64")
    error = max(tolerance(of_type), 1e-12)

    def compare(result, expected):
        assert result.dtype == of_type and result.shape == np.shape(expected)
        np.testing.assert_allclose(as_exact(result), expected, rtol=error, atol=error * np.abs(exact).max())

    compare(gpuprim.mean(a, axis), exact.mean(axis))
    if is_float(any_type) or np.dtype(any_type).itemsize < 8:
        compare(gpuprim.norm(a, axis=axis), np.sqrt((exact**2).sum(axis)))
    compare(gpuprim.norm(a, 1, axis), np.abs(exact).sum(axis))
    compare(gpuprim.norm(a, np.inf, axis), np.abs(exact).max(axis))
    for ddof in (0, 1):
        result = gpuprim.var(a, axis, ddof)
        assert result.dtype == of_type
        np.testing.assert_allclose(as_exact(result), exact.var(axis, ddof=ddof), rtol=error)


def test_dot(number_type):
    a, b = make(number_type, 300, 1), make(number_type, 300, 2)
    result = gpuprim.dot(a, b)
    assert result.dtype == sum_type(number_type) and result.shape == ()
    if is_float(number_type):
        products = as_exact(a) * as_exact(b)
        assert abs(float(result) - products.sum()) <= tolerance(number_type) * np.abs(products).sum()
    else:
        wide = sum_type(number_type)
        check(result, np.dot(a.astype(wide), b.astype(wide)))


def test_results_of_nothing():
    nothing, rows = np.empty(0, np.float32), np.empty((3, 0), np.int16)
    check(gpuprim.sum(nothing), np.float32(0))
    check(gpuprim.sum(rows, -1), np.zeros(3, np.int64))
    check(gpuprim.norm(nothing), np.float32(0))
    check(gpuprim.dot(nothing, nothing), np.float32(0))
    assert np.isnan(gpuprim.mean(nothing)) and np.isnan(gpuprim.var(nothing))
    check(gpuprim.min(np.empty((0, 4), np.int8), -1), np.empty(0, np.int8))
    for call in (gpuprim.min, gpuprim.max, gpuprim.argmin, gpuprim.argmax):
        with pytest.raises(ValueError, match="without elements has no least"):
            call(nothing)
        with pytest.raises(ValueError, match="without elements has no least"):
            call(rows, -1)


def test_sums_have_the_same_bits_in_every_run():
    a = make("float32", 5000)
    assert len({gpuprim.sum(a).tobytes() for _ in range(4)}) == 1


def test_sums_of_many_elements():
    a = make("int32", (3, 20_000))
    check(gpuprim.sum(a, -1), a.sum(-1, dtype=np.int64))
    check(gpuprim.max(a), a.max())
