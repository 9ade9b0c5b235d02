# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of all types for the tests, as NumPy makes them.

With GPUPRIM_TEST_ARRAYS=torch or cupy the tests of calls run on a GPU: each call gets copies of its arrays there, and
the test gets copies of the results.
"""
import functools
import os

import numpy as np
import pytest

import gpuprim

ARRAYS = os.environ.get("GPUPRIM_TEST_ARRAYS", "numpy")
ON_GPU = ["operators_test", "reductions_test", "scans_test", "segments_test", "selects_test", "sorts_test"]
# Of the GPUs that the host SIMT device can be, the one with the fewest threads takes the least time.
os.environ.setdefault("SIMT_DEVICE_MODEL", "T4")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
try:
    import ml_dtypes

    BFLOAT16 = [ml_dtypes.bfloat16]
except ImportError:  # the type is left out
    BFLOAT16 = []
NUMBERS = INTEGERS + FLOATS + BFLOAT16
ALL = ["bool", *NUMBERS]


def name_of(dtype):
    return np.dtype(dtype).name


def is_float(dtype):
    return np.dtype(dtype).name.endswith(("float16", "float32", "float64"))


def make(dtype, shape, seed=0, few=False):
    """Random elements, of which many are equal if `few`."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == bool:
        return random.integers(0, 2, shape).astype(bool)
    if few:
        return random.integers(0, 9, shape).astype(dtype)
    if is_float(dtype):
        return (random.standard_normal(shape) * 8).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, shape, dtype, endpoint=True)


def sum_type(dtype):
    """The type of sums: that of NumPy."""
    if is_float(dtype):
        return np.dtype(dtype)
    return np.dtype("uint64" if np.dtype(dtype).kind == "u" else "int64")


def tolerance(dtype):
    """The relative error of a sum of some hundred numbers that are added in another order and rounded once."""
    return {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "float64": 1e-13}.get(name_of(dtype), 0)


def as_exact(array):
    """Short floats as float64, so that NumPy can compute with them."""
    return array.astype(np.float64) if is_float(array.dtype) else array


def check(result, expected, dtype=None):
    """The same shape, type and elements; NaNs are equal."""
    expected = np.asarray(expected)
    assert isinstance(result, np.ndarray)
    assert result.dtype == np.dtype(dtype or expected.dtype)
    assert result.shape == expected.shape
    np.testing.assert_array_equal(as_exact(result), as_exact(expected.astype(result.dtype)))


@pytest.fixture(params=ALL, ids=name_of)
def any_type(request):
    return request.param


@pytest.fixture(params=NUMBERS, ids=name_of)
def number_type(request):
    return request.param


@pytest.fixture(params=[*FLOATS, *BFLOAT16], ids=name_of)
def float_type(request):
    return request.param


def _to_torch(array):
    import torch

    if name_of(array.dtype) == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16).cuda()
    return torch.from_numpy(array).cuda()


def _from_torch(tensor):
    import torch

    if tensor.dtype == torch.bfloat16:
        return tensor.cpu().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.cpu().numpy()


def _on_gpu(call, to_gpu, to_host):
    """The call on copies in the GPU's memory. An array that is the result is written back and returned itself."""

    @functools.wraps(call)
    def moved_call(*arguments, **options):
        moved = []

        def move(value):
            if not isinstance(value, np.ndarray):
                return value
            for host, device in moved:
                if host is value:
                    return device
            moved.append((value, to_gpu(value)))
            return moved[-1][1]

        def move_back(value):
            if isinstance(value, tuple):
                return tuple(map(move_back, value))
            for host, device in moved:
                if value is device:
                    host[...] = to_host(device)
                    return host
            return to_host(value)

        return move_back(call(*map(move, arguments), **{name: move(value) for name, value in options.items()}))

    return moved_call


@pytest.fixture(autouse=True, scope="session")
def empty_cache(tmp_path_factory):
    """Operators are compiled anew, and what has been kept for the user stays as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUPRIM_CACHE", str(tmp_path_factory.mktemp("operators")))
        yield


@pytest.fixture(autouse=True)
def calls_of_the_gpu(request, monkeypatch):
    if ARRAYS == "numpy" or request.module.__name__ not in ON_GPU:
        return
    if ARRAYS == "torch":
        to_gpu, to_host = _to_torch, _from_torch
    else:
        import cupy

        to_gpu, to_host = cupy.asarray, cupy.asnumpy
    for name in gpuprim.__all__:
        if name != "CudaError":
            monkeypatch.setattr(gpuprim, name, _on_gpu(getattr(gpuprim, name), to_gpu, to_host))
