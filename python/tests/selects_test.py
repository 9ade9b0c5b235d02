# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

import gpuprim
from conftest import as_exact, check, is_float, make


@pytest.mark.parametrize("shape", [(0,), (1,), (300,), (7, 30), (3, 0, 2), (2, 3, 20)])
def test_nonzero(any_type, shape):
    a = make(any_type, shape, few=True)
    if is_float(any_type) and a.size > 3:
        a.reshape(-1)[:3] = [-0.0, np.nan, 0.0]
    found, expected = gpuprim.nonzero(a), np.nonzero(as_exact(a))
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        check(one, other, "int64")


@pytest.mark.parametrize("shape", [(0,), (300,), (7, 30)])
def test_select_and_partition(any_type, shape):
    a = make(any_type, shape)
    for share in (0.0, 0.3, 1.0):
        mask = np.random.default_rng(4).random(shape) < share
        check(gpuprim.select(a, mask), a[mask])
        chosen, others = gpuprim.partition(a, mask)
        check(chosen, a[mask])
        check(others, a[~mask])


def runs_of(a):
    """First elements, lengths and the number of each element's run, as NumPy's == has them."""
    exact = as_exact(a)
    heads = np.flatnonzero(np.concatenate([[True][:a.size], exact[1:] != exact[:-1]]))
    lengths = np.diff(np.append(heads, a.size))
    return a[heads], lengths, np.repeat(np.arange(heads.size), lengths)


@pytest.mark.parametrize("n", [0, 1, 500])
def test_runs(any_type, n):
    a = np.repeat(make(any_type, n, few=True), 3)[:n]
    firsts, lengths, inverse = runs_of(a)
    values, counts = gpuprim.run_lengths(a)
    check(values, firsts), check(counts, lengths, "int64")
    check(gpuprim.unique_consecutive(a), firsts)
    found = gpuprim.unique_consecutive(a, return_inverse=True, return_counts=True)
    check(found[0], firsts), check(found[1], inverse, "int64"), check(found[2], lengths, "int64")


@pytest.mark.parametrize("n", [0, 1, 500])
def test_unique(any_type, n):
    a = make(any_type, n, few=n % 2 == 0)
    expected, inverse, counts = np.unique(as_exact(a), return_inverse=True, return_counts=True)
    check(gpuprim.unique(a), expected, any_type)
    found = gpuprim.unique(a, return_inverse=True, return_counts=True)
    check(found[0], expected, any_type), check(found[1], inverse, "int64"), check(found[2], counts, "int64")


def test_each_nan_is_different(float_type):
    a = np.array([np.nan, 1, np.nan, 1, -0.0, 0.0], float_type)
    check(gpuprim.unique(a), np.array([0, 1, np.nan, np.nan]), float_type)
    check(gpuprim.run_lengths(a)[1], np.array([1, 1, 1, 1, 2]))


@pytest.mark.parametrize("call, numpys", [(gpuprim.intersect1d, np.intersect1d), (gpuprim.union1d, np.union1d),
                                          (gpuprim.setdiff1d, np.setdiff1d)])
def test_sets(any_type, call, numpys):
    for m, n in ((200, 300), (0, 5), (5, 0), (0, 0), (1, 1)):
        a, b = make(any_type, m, 1, few=True), make(any_type, n, 2, few=True)
        if np.dtype(any_type) != bool:
            a, b = a + a, b + b[:1].sum(dtype=b.dtype)  # so that they share some elements only
        check(call(a, b), numpys(as_exact(a), as_exact(b)), any_type)


def test_merge(any_type):
    for m, n in ((200, 300), (0, 5), (0, 0), (7, 0)):
        a, b = np.sort(make(any_type, m, 1)), np.sort(make(any_type, n, 2))
        check(gpuprim.merge(a, b), np.sort(np.concatenate([a, b])))


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(any_type, side):
    for few in (False, True):
        a, values = np.sort(make(any_type, 200, few=few)), make(any_type, (3, 40), 2, few=few)
        check(gpuprim.searchsorted(a, values, side), np.searchsorted(as_exact(a), as_exact(values), side), "int64")
    check(gpuprim.searchsorted(a[:0], values, side), np.zeros((3, 40), np.int64))


def test_histogram(any_type):
    a = make(any_type, 900)
    exact = a.astype(np.float64)
    counts, edges = gpuprim.histogram(a, 12)
    expected, numpys_edges = np.histogram(exact, 12)
    np.testing.assert_allclose(edges, numpys_edges, rtol=1e-15, atol=1e-15 * np.abs(exact).max())
    # Elements are compared with the edges themselves.
    check(counts, np.histogram(exact, edges)[0], "int64")
    some = np.array([exact.min(), np.median(exact), exact.max()])
    check(gpuprim.histogram(a, some)[0], np.histogram(exact, some)[0], "int64")
    check(gpuprim.histogram(a, 5, (0, 100))[0], np.histogram(exact, 5, (0, 100))[0], "int64")
    check(gpuprim.histogram(a[:0], 3)[0], np.zeros(3, np.int64))


def test_bincount():
    for dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        a = np.random.default_rng(1).integers(0, 100, (3, 200)).astype(dtype)
        check(gpuprim.bincount(a), np.bincount(a.reshape(-1).astype(np.int64)), "int64")
        check(gpuprim.bincount(a, 300), np.bincount(a.reshape(-1).astype(np.int64), minlength=300), "int64")
        check(gpuprim.bincount(a, length=10), np.bincount(a[a < 10].astype(np.int64), minlength=10), "int64")
        check(gpuprim.bincount(a[:0]), np.empty(0, np.int64))


def test_transpose(any_type):
    for shape in ((30, 17), (1, 5), (0, 4), (9, 9)):
        a = make(any_type, shape)
        check(gpuprim.transpose(a), np.ascontiguousarray(a.T))
    expected = np.ascontiguousarray(a.T)
    assert gpuprim.transpose(a, out=a) is a
    check(a, expected)
