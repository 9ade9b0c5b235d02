# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is refused, what an array may be, and calls from several threads."""
import ctypes
import threading

import numpy as np
import pytest

import gpuprim
from conftest import check, make
from gpuprim import _arrays, _host

EVERY = {
    "sum": lambda a: gpuprim.sum(a), "min": gpuprim.min, "max": gpuprim.max, "argmin": gpuprim.argmin,
    "argmax": gpuprim.argmax, "mean": gpuprim.mean, "var": gpuprim.var, "norm": gpuprim.norm,
    "dot": lambda a: gpuprim.dot(a, a), "cumsum": gpuprim.cumsum, "cumprod": gpuprim.cumprod,
    "cummax": gpuprim.cummax, "cummin": gpuprim.cummin, "sort": gpuprim.sort, "argsort": gpuprim.argsort,
    "sort_by_key": lambda a: gpuprim.sort_by_key(a, a), "topk": lambda a: gpuprim.topk(a, 1),
    "nonzero": gpuprim.nonzero, "select": lambda a: gpuprim.select(a, a),
    "partition": lambda a: gpuprim.partition(a, a),
    "unique": gpuprim.unique, "unique_consecutive": gpuprim.unique_consecutive, "run_lengths": gpuprim.run_lengths,
    "segment_reduce": lambda a: gpuprim.segment_reduce(a, a), "reduce_by_key": lambda a: gpuprim.reduce_by_key(a, a),
    "segment_sort": lambda a: gpuprim.segment_sort(a, a), "histogram": gpuprim.histogram,
    "bincount": gpuprim.bincount, "searchsorted": lambda a: gpuprim.searchsorted(a, a),
    "merge": lambda a: gpuprim.merge(a, a), "intersect1d": lambda a: gpuprim.intersect1d(a, a),
    "union1d": lambda a: gpuprim.union1d(a, a), "setdiff1d": lambda a: gpuprim.setdiff1d(a, a),
    "transpose": gpuprim.transpose, "reduce": lambda a: gpuprim.reduce(a, "a", 0),
    "scan": lambda a: gpuprim.scan(a, "a"), "select_if": lambda a: gpuprim.select_if(a, "true"),
    "transform": lambda a: gpuprim.transform("x", a),
}


def test_every_call_is_here():
    assert sorted(EVERY) == sorted(name for name in gpuprim.__all__ if name != "CudaError")
    for name in EVERY:
        assert getattr(gpuprim, name).__doc__


@pytest.mark.parametrize("name", EVERY)
def test_what_every_call_refuses(name):
    call = EVERY[name]
    with pytest.raises(TypeError, match=rf"gpuprim\.\w+: has no form for arrays of dtype complex64"):
        call(np.zeros(3, np.complex64))
    with pytest.raises(TypeError, match="has no form for arrays of dtype >i4"):
        call(np.zeros(3, ">i4"))
    with pytest.raises(TypeError, match="list is no array"):
        call([1, 2, 3])
    with pytest.raises(ValueError, match="do not follow each other in C order; pass a contiguous copy"):
        call(np.zeros(6, np.int32)[::2])
    with pytest.raises(ValueError, match="do not follow each other in C order"):
        call(np.zeros((3, 4), np.float32).T)
    with pytest.raises(ValueError, match="the array is not aligned to its type"):
        call(np.zeros(9, np.uint8)[1:].view(np.int32))


@pytest.mark.parametrize("name", ["sum", "max", "argmin", "mean", "var", "norm", "cumsum", "cummax", "sort", "argsort"])
def test_axis(name):
    call, matrix = EVERY[name], make("int32", (3, 4))
    function = getattr(gpuprim, name)
    check(function(matrix, axis=1), function(matrix, axis=-1))
    for axis in (0, 2, -2):
        with pytest.raises(ValueError, match="axis must be -1, the last axis, or None for the whole array"):
            function(matrix, axis=axis)
    with pytest.raises(ValueError, match="the array has no dimensions, so that axis must be None"):
        function(np.array(3), axis=-1)


def test_out():
    a = make("int32", (4, 10))
    out = np.empty(4, np.int64)
    assert gpuprim.sum(a, -1, out=out) is out
    check(out, a.sum(-1, dtype=np.int64))
    with pytest.raises(TypeError, match="out must be an array of int64, not of int32"):
        gpuprim.sum(a, -1, out=np.empty(4, np.int32))
    with pytest.raises(ValueError, match=r"out must have the shape \(4,\), not \(5,\)"):
        gpuprim.sum(a, -1, out=np.empty(5, np.int64))
    with pytest.raises(ValueError, match="do not follow each other in C order"):
        gpuprim.sum(a, -1, out=np.empty(8, np.int64)[::2])
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        gpuprim.sum(a, -1, out=out)


@pytest.mark.parametrize("call", [gpuprim.sort, gpuprim.cummax, gpuprim.cumsum])
def test_overlap(call):
    memory = np.zeros(20, np.int64)
    with pytest.raises(ValueError, match="out overlaps an array that is read"):
        call(memory[:10], out=memory[1:11])
    call(memory[:10], out=memory[10:])
    with pytest.raises(ValueError, match="out overlaps an array that is read"):
        gpuprim.transpose(memory[:6].reshape(2, 3), out=memory[:6].reshape(3, 2))
    with pytest.raises(ValueError, match="out overlaps an array that is read"):
        gpuprim.argsort(memory, out=memory)


def test_numbers_of_numpy_are_numbers():
    a = np.arange(10, dtype=np.int32)
    check(gpuprim.topk(a, np.int64(2))[0], np.array([9, 8], np.int32))
    check(gpuprim.histogram(a, np.int64(2))[0], np.array([5, 5]))
    check(gpuprim.bincount(a, np.int64(12)), np.array([1] * 10 + [0] * 2))
    check(gpuprim.bincount(a, length=np.int64(2)), np.array([1, 1]))


def test_a_read_only_array_is_read():
    a = make("float32", 50)
    a.flags.writeable = False
    check(gpuprim.sort(a), np.sort(a))


@pytest.mark.parametrize("wrong, sentence", [
    (lambda a: gpuprim.topk(a, 11), "topk: k must be from 0 to 10, the length of a row, not 11"),
    (lambda a: gpuprim.topk(a, -1), "topk: k must be from 0 to 10"),
    (lambda a: gpuprim.norm(a, 3), "norm: ord must be 1, 2 or inf, not 3"),
    (lambda a: gpuprim.norm(a, [1]), "norm: ord must be 1, 2 or inf, not "),
    (lambda a: gpuprim.segment_reduce(a, np.array([0, 10]), ["sum"]), "op must be sum, min or max, not "),
    (lambda a: gpuprim.dot(a, a[:5]), "dot: the arrays must have one length, not 10 and 5"),
    (lambda a: gpuprim.sort_by_key(a, a[:5]), r"sort_by_key: the values must have the shape \(10,\) of the keys"),
    (lambda a: gpuprim.reduce_by_key(a, a[:5]), "reduce_by_key: there must be as many values as keys, not 5 for 10"),
    (lambda a: gpuprim.segment_reduce(a, np.array([0, 10]), "prod"), "op must be sum, min or max, not prod"),
    (lambda a: gpuprim.segment_reduce(a, np.empty(0, np.int64)), "one offset more than there are segments"),
    (lambda a: gpuprim.select(a, np.zeros(5, bool)), r"mask must have the shape \(10,\) of the array, not \(5,\)"),
    (lambda a: gpuprim.histogram(a, 0), "histogram: there must be at least one bin, not 0"),
    (lambda a: gpuprim.histogram(a, 3, (1, 1)), "histogram: the range must be finite and in order"),
    (lambda a: gpuprim.histogram(a, np.array([1.0])), "histogram: there must be at least two edges"),
    (lambda a: gpuprim.histogram(a, np.array([1.0, 0.0])), "histogram: the edges are not in order"),
    (lambda a: gpuprim.bincount(a - 100), "bincount: the array has negative numbers"),
    (lambda a: gpuprim.bincount(a, length=-1), "bincount: the result must have from 0 to"),
    (lambda a: gpuprim.searchsorted(a, a, "middle"), "searchsorted: side must be left or right, not middle"),
    (lambda a: gpuprim.transpose(a), "transpose: the array must have two dimensions, not 1"),
    (lambda a: gpuprim.unique(a.reshape(2, 5)), "unique: the array must have one dimension, not 2"),
    (lambda a: gpuprim.nonzero(np.array(1)), "nonzero: the array has no dimensions"),
])
def test_wrong_values(wrong, sentence):
    with pytest.raises(ValueError, match=f"^gpuprim.*{sentence}"):
        wrong(np.arange(10, dtype=np.int32))


@pytest.mark.parametrize("wrong, sentence", [
    (lambda a: gpuprim.dot(a, a.astype(np.int64)), "dot: the second array must be an array of int32, not of int64"),
    (lambda a: gpuprim.dot(a > 1, a > 1), "dot: has no form for arrays of bool"),
    (lambda a: gpuprim.select(a, a), "select: mask must be an array of bool, not of int32"),
    (lambda a: gpuprim.segment_sort(a, a.astype(np.float32)), "offsets must be an array of int64 or int32"),
    (lambda a: gpuprim.bincount(a.astype(np.float32)), "bincount: has no form for arrays of float32"),
    (lambda a: gpuprim.searchsorted(a, a.astype(np.int8)), "the array of values must be an array of int32"),
    (lambda a: gpuprim.merge(a, a.astype(np.int8)), "merge: the second array must be an array of int32"),
    (lambda a: gpuprim.histogram(a, a), "the array of edges must be an array of float64, not of int32"),
    (lambda a: gpuprim.histogram(a, 3, 5), "histogram: the range must be two numbers, not 5"),
    (lambda a: gpuprim.histogram(a, 3, (1, 2, 3)), r"histogram: the range must be two numbers, not \(1, 2, 3\)"),
    (lambda a: gpuprim.topk(a, 2.0), "topk: k must be an integer, not 2.0"),
    (lambda a: gpuprim.topk(a, None), "topk: k must be an integer, not None"),
    (lambda a: gpuprim.bincount(a, 2.0), "bincount: minlength must be an integer, not 2.0"),
    (lambda a: gpuprim.bincount(a, length="2"), "bincount: length must be an integer, not '2'"),
    (lambda a: gpuprim.var(a, ddof="one"), "var: ddof must be a number, not 'one'"),
    (lambda a: gpuprim.sum(np.ma.array(a, mask=a > 3)), "sum: has no form for masked arrays"),
    (lambda a: gpuprim.reduce(a.astype(np.float32), "a + b", "3"), "initial must be a number for float32, not '3'"),
    (lambda a: gpuprim.select_if(a, ["x"]), "select_if: the operator must be CUDA text, not list"),
])
def test_wrong_types(wrong, sentence):
    with pytest.raises(TypeError, match=f"^gpuprim.*{sentence}"):
        wrong(np.arange(10, dtype=np.int32))


def test_the_librarys_own_sentence():
    """What Python does not check is refused by the library, in its words."""
    place = _host.Place(0, 0)
    memory = np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="^gpuprim.bincount: there is no bin$"):
        _host.bincount(_arrays.INT64, memory.ctypes.data, 3, 0, memory.ctypes.data, place)
    with pytest.raises(TypeError, match="gpuprim.bincount: has no form for arrays of this dtype"):
        _host.bincount(_arrays.FLOAT64, 0, 0, 1, 0, place)


def test_an_array_on_a_gpu_needs_the_module_for_cuda(monkeypatch):
    class OnGpu:
        __cuda_array_interface__ = {"typestr": "<f4", "shape": (3,), "data": (256, False), "version": 3}

    monkeypatch.setattr(_arrays, "_cuda", None)
    with pytest.raises(RuntimeError, match="the array is on a GPU, and this gpuprim has no module for CUDA"):
        gpuprim.sum(OnGpu())
    with pytest.raises(ValueError, match="the second array is on GPU 0, but the first array is in host memory"):
        gpuprim.dot(np.zeros(3, np.float32), OnGpu())


class Foreign:
    """An array of a library that gpuprim does not know, in host memory."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __array_namespace__(self):
        class Namespace:
            from_dlpack = staticmethod(lambda other: Foreign(np.from_dlpack(other)))

        return Namespace

    def __getitem__(self, index):
        return Foreign(self.array[index])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float64"])
def test_arrays_by_dlpack(dtype):
    a = make(dtype, (3, 20))
    result = gpuprim.sort(Foreign(a))
    assert isinstance(result, Foreign)
    check(result.array, np.sort(a))
    values, positions = gpuprim.topk(Foreign(a), 4)
    check(positions.array, gpuprim.topk(a, 4)[1])
    check(gpuprim.unique(Foreign(a.reshape(-1))).array, np.unique(a))
    with pytest.raises(ValueError, match="do not follow each other in C order"):
        gpuprim.sort(Foreign(a[:, ::2]))
    with pytest.raises(TypeError, match="has no form for arrays of the type 564"):
        gpuprim.sort(Foreign(np.zeros(3, np.complex64)))
    with pytest.raises(TypeError, match="out must be an array of NumPy, PyTorch or CuPy"):
        gpuprim.sort(Foreign(a), out=Foreign(a))


def test_threads():
    arrays = [make("float32", 2000, seed) for seed in range(4)]
    results = [None] * len(arrays)

    def work(i):
        results[i] = [(gpuprim.sort(arrays[i]), gpuprim.cumsum(arrays[i].astype(np.int32)), gpuprim.unique(arrays[i]))
                      for _ in range(3)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(arrays))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a, found in zip(arrays, results):
        for by_sort, by_scan, by_unique in found:
            check(by_sort, np.sort(a))
            check(by_scan, np.cumsum(a.astype(np.int32), dtype=np.int64))
            check(by_unique, np.unique(a))


def test_the_module_shows_no_function_of_cuda():
    """A module with functions of CUDA's names would take PyTorch's in their place, or give PyTorch its own."""
    module = ctypes.CDLL(_host.__file__)
    assert not hasattr(module, "cudaMalloc") or ctypes.cast(module.cudaMalloc, ctypes.c_void_p).value is None


def test_arrays_of_jax():
    jnp = pytest.importorskip("jax.numpy", reason="JAX is not installed", exc_type=ImportError)
    a = make("float32", (3, 20))
    values, positions = gpuprim.topk(jnp.asarray(a), 4)
    assert type(values) is type(positions) is type(jnp.asarray(a))
    check(np.asarray(values), gpuprim.topk(a, 4)[0])
    np.testing.assert_array_equal(positions, gpuprim.topk(a, 4)[1])  # of int32, unless JAX is told to have int64
    check(np.asarray(gpuprim.run_lengths(jnp.asarray([3, 3, 5], jnp.int32))[0]), np.array([3, 5], np.int32))


class StandIn:
    """Takes the place of the module for CUDA: its device is the host, and it notes streams and waits."""

    def __init__(self):
        self.places, self.waits = [], []

    def __getattr__(self, name):
        return getattr(_host, name)

    def Place(self, device, stream):
        self.places.append((device, stream))
        return _host.Place(device, 0)

    def allocate(self, shape, code, bits, device, stream):
        self.places.append((device, stream))
        return np.empty(shape, _arrays._numpy.dtypes[_arrays._DLPACK[code, bits]])

    def device_of(self, address):
        return 1

    def synchronize(self, stream):
        self.waits.append(stream)


class OnGpu:
    def __init__(self, array, stream):
        self.array = array
        self.__cuda_array_interface__ = {**array.__array_interface__, "version": 3, "stream": stream}


@pytest.mark.parametrize("stream", [None, 77])
def test_arrays_of_a_gpu_by_their_interface(monkeypatch, stream):
    cuda = StandIn()
    monkeypatch.setattr(_arrays, "_cuda", cuda)
    a = make("float32", (4, 30))
    result = gpuprim.sort(OnGpu(a, stream))
    check(np.from_dlpack(result), np.sort(a))
    interface = result.__cuda_array_interface__
    assert interface["shape"] == a.shape and interface["typestr"] == a.dtype.str
    # On the stream that the array names, on the GPU that has its memory; results are waited for.
    assert cuda.places == [(1, stream or 0)] * 2 and cuda.waits == [stream or 0]
    values, positions = gpuprim.topk(OnGpu(a, stream), 3)
    check(np.from_dlpack(positions), gpuprim.topk(a, 3)[1])
    with pytest.raises(ValueError, match="do not follow each other in C order"):
        gpuprim.sort(OnGpu(a[:, ::2], stream))
    with pytest.raises(ValueError, match="the array of values is in host memory, but the first array is on GPU 1"):
        gpuprim.sort_by_key(OnGpu(a, stream), a)
