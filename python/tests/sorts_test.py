# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import sys

import numpy as np
import pytest

import gpuprim
from conftest import as_exact, check, make

SHAPES = [((600,), -1), ((5, 40), -1), ((2, 3, 20), -1), ((4, 9), None)]


def falling(order):
    return -1 if order else 1


def argsort_of(a, axis, descending):
    """Stable in both directions."""
    exact = as_exact(a).astype(object) if a.dtype == np.uint64 else as_exact(a)
    if exact.dtype == bool or exact.dtype.kind in "iu":
        exact = exact.astype(object)
    return np.argsort(-exact if descending else exact, axis=axis, kind="stable")


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("shape, axis", SHAPES)
def test_sorts(any_type, shape, axis, descending):
    for few in (False, True):
        a = make(any_type, shape, few=few)
        positions = argsort_of(a, axis, descending)
        flat = a.reshape(-1) if axis is None else a
        expected = np.take_along_axis(flat, positions, -1)
        check(gpuprim.sort(a, axis, descending=descending), expected)
        check(gpuprim.argsort(a, axis, descending=descending), positions)
    values = make("int16", shape, 5)
    keys, moved = gpuprim.sort_by_key(a, values, axis, descending=descending)
    check(keys, expected)
    check(moved, np.take_along_axis(values.reshape(-1) if axis is None else values, positions, -1))


def test_values_of_all_types(any_type):
    keys, values = make("float32", 100, few=True), make(any_type, 100)
    check(gpuprim.sort_by_key(keys, values)[1], values[np.argsort(keys, kind="stable")])


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("shape, axis", SHAPES)
def test_topk(any_type, shape, axis, largest):
    for few, k in ((False, 7), (True, 9), (False, 1), (False, 0)):
        a = make(any_type, shape, few=few)
        positions = argsort_of(a, axis, largest)[..., :k]
        flat = a.reshape(-1) if axis is None else a
        values, found = gpuprim.topk(a, k, axis, largest=largest)
        check(values, np.take_along_axis(flat, positions, -1))
        check(found, positions)


def test_nans_come_last(float_type):
    a = make(float_type, 70)
    a[[3, 40]] = np.nan
    a[7] = np.inf
    check(gpuprim.sort(a), np.sort(as_exact(a)), float_type)
    check(gpuprim.sort(a, descending=True), np.sort(as_exact(a))[::-1], float_type)
    check(gpuprim.argsort(a)[-2:], np.array([3, 40]))
    check(gpuprim.argsort(a, descending=True)[:3], np.array([3, 40, 7]))
    check(gpuprim.topk(a, 3)[1], np.array([3, 40, 7]))


def test_sorts_in_place_and_of_nothing():
    a = make("float64", (3, 30))
    expected = np.sort(a)[:, ::-1]
    assert gpuprim.sort(a, descending=True, out=a) is a
    check(a, expected)
    nothing = np.empty((2, 0), np.uint8)
    check(gpuprim.sort(nothing), nothing)
    check(gpuprim.argsort(nothing), np.empty((2, 0), np.int64))
    keys, values = gpuprim.sort_by_key(nothing, nothing)
    check(keys, nothing), check(values, nothing)
    assert gpuprim.topk(nothing, 0)[0].shape == (2, 0)


def test_sorts_on_a_gpu_with_clusters():
    """The last test of this file once more, where sorts and top-k have kernels for clusters."""
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "many_elements", __file__],
                   env={**os.environ, "SIMT_DEVICE_MODEL": "H200"}, check=True)


def test_sorts_of_many_elements():
    a = make("uint32", 20_000)
    check(gpuprim.sort(a), np.sort(a))
    rows = make("float32", (2, 5_000))
    check(gpuprim.sort(rows), np.sort(rows))
    check(gpuprim.topk(rows, 100)[0], np.sort(rows)[:, :-101:-1])
