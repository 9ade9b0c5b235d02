# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of any library as the compiled modules take them, and new arrays of the caller's kind."""

from __future__ import annotations

import importlib.util
import sys
from math import prod
from types import ModuleType
from typing import Any, Optional

import numpy

from . import _host

if importlib.util.find_spec("gpuprim._cuda"):
    from . import _cuda
else:  # built without nvcc
    _cuda = None  # type: ignore[assignment]

# The place of a name is its number in src/core.hpp.
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
          "float32", "float64")
SIZES = (1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8)
BOOL, INT64, UINT8, UINT64, FLOAT16, FLOAT64 = 0, 4, 5, 8, 9, 12
# What DLPack calls them: kind and bits.
_DLPACK = {(6, 8): 0, (0, 8): 1, (0, 16): 2, (0, 32): 3, (0, 64): 4, (1, 8): 5, (1, 16): 6, (1, 32): 7, (1, 64): 8,
           (2, 16): 9, (4, 16): 10, (2, 32): 11, (2, 64): 12}
_DLPACK_OF = {number: kind for kind, number in _DLPACK.items()}


class Array:
    """What a call knows of an array: its address, the number of its type, its shape, its device and its library. Where
    the library has no current stream, also the stream of the array."""

    __slots__ = ("owner", "address", "dtype", "shape", "size", "device", "library", "stream")

    def __init__(self, owner, address, dtype, shape, device, size, library, stream=0):
        self.owner, self.address, self.dtype, self.shape, self.device = owner, address, dtype, shape, device
        self.size, self.library, self.stream = size, library, stream

    @property
    def bytes(self) -> int:
        return self.size * SIZES[self.dtype]


def _is_dense(shape, strides) -> bool:
    """Whether the elements follow each other in C order; strides are in elements."""
    step = 1
    for length, stride in zip(reversed(shape), reversed(strides)):
        if length == 0:
            return True
        if length != 1 and stride != step:
            return False
        step *= length
    return True


class Library:
    """How a library's arrays are read and made. A device is -1 for the host, and else the number of a GPU."""

    def read(self, call: str, array: Any) -> Array:
        raise NotImplementedError

    def empty(self, shape: tuple, dtype: int, device: int, stream: int) -> Array:
        raise NotImplementedError

    def empty_like(self, array: Array, stream: int) -> Array:
        """An array of the shape and type of another."""
        return self.empty(array.shape, array.dtype, array.device, stream)

    def stream(self, array: Array) -> int:
        """Where calls on an array of a GPU run."""
        return array.stream

    def finish(self, array: Array) -> Any:
        """A result as the caller gets it."""
        return array.owner

    def check_out(self, call: str, array: Any) -> None:
        """Refuses an array that must not be written."""


def _refuse_strides(call):
    raise ValueError(f"gpuprim.{call}: the elements of the array do not follow each other in C order; "
                     "pass a contiguous copy")


class _NumPy(Library):
    def __init__(self):
        self.numbers = {numpy.dtype(name): i for i, name in enumerate(DTYPES) if name != "bfloat16"}
        self.dtypes = [numpy.dtype(name) if name != "bfloat16" else None for name in DTYPES]

    def number(self, call, dtype):
        number = self.numbers.get(dtype)
        if number is None and dtype.name == "bfloat16":  # that of ml_dtypes, which need not be imported before
            number = self.numbers[dtype] = DTYPES.index("bfloat16")
            self.dtypes[number] = dtype
        if number is None:
            raise TypeError(f"gpuprim.{call}: has no form for arrays of dtype {dtype}")
        return number

    def read(self, call, array):
        number = self.number(call, array.dtype)
        if not array.flags.c_contiguous:
            _refuse_strides(call)
        if not array.flags.aligned:
            raise ValueError(f"gpuprim.{call}: the array is not aligned to its type")
        return Array(array, array.ctypes.data, number, array.shape, -1, array.size, self)

    def empty(self, shape, dtype, device, stream):
        array = numpy.empty(shape, self.dtypes[dtype])
        return Array(array, array.ctypes.data, dtype, shape, -1, array.size, self)

    def check_out(self, call, array):
        if not array.flags.writeable:
            raise ValueError(f"gpuprim.{call}: out is read-only")


class _Torch(Library):
    def __init__(self, torch):
        self.torch = torch
        self.dtypes = [getattr(torch, name, None) for name in DTYPES]
        self.numbers = {dtype: i for i, dtype in enumerate(self.dtypes) if dtype is not None}
        self.devices = {-1: torch.device("cpu")}  # by number: PyTorch takes an object faster than its name
        table = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)  # PyTorch has it from 2.10 on
        self.exchange = None if table is None else _host.Exchange(table)

    def read(self, call, array):
        found = None if self.exchange is None else self.exchange.read(array)
        if found is None or array.requires_grad or array.is_neg():
            found = self.look(call, array)
        return Array(array, *found, self)

    def look(self, call, array):
        """What `exchange` finds, by questions in Python, and the refusal of what has none of it."""
        number = self.numbers.get(array.dtype)
        if number is None:
            raise TypeError(f"gpuprim.{call}: has no form for tensors of dtype {array.dtype}")
        if array.layout != self.torch.strided:
            raise ValueError(f"gpuprim.{call}: the tensor has the layout {array.layout}; pass a dense one")
        if array.is_neg():
            raise ValueError(f"gpuprim.{call}: the tensor is a view whose signs are still to be changed; pass its "
                             "resolve_neg()")
        if not array.is_contiguous():
            _refuse_strides(call)
        device = array.device
        if device.type not in ("cpu", "cuda"):
            raise ValueError(f"gpuprim.{call}: the tensor is on a device of the kind {device.type}")
        if array.requires_grad and self.torch.is_grad_enabled():
            raise ValueError(f"gpuprim.{call}: the tensor requires a gradient; gpuprim.torch has the calls with one")
        number_of_device = -1 if device.type == "cpu" else device.index
        return array.data_ptr(), number, tuple(array.shape), number_of_device, array.numel()

    def empty(self, shape, dtype, device, stream):
        where = self.devices.get(device)
        if where is None:
            where = self.devices[device] = self.torch.device("cuda", device)
        array = self.torch.empty(shape, dtype=self.dtypes[dtype], device=where)
        return Array(array, array.data_ptr(), dtype, shape, device, prod(shape), self)

    def empty_like(self, array, stream):
        tensor = self.torch.empty_like(array.owner)  # which takes less time to say than shape, type and device
        return Array(tensor, tensor.data_ptr(), array.dtype, array.shape, array.device, array.size, self)

    def stream(self, array):
        return self.torch._C._cuda_getCurrentRawStream(array.device)  # torch.cuda.current_stream without an object


class _CuPy(Library):
    def __init__(self, cupy):
        self.cupy = cupy

    def read(self, call, array):
        number = _numpy.number(call, array.dtype)
        if not array.flags.c_contiguous:
            _refuse_strides(call)
        return Array(array, array.data.ptr, number, array.shape, array.device.id, array.size, self)

    def empty(self, shape, dtype, device, stream):
        with self.cupy.cuda.Device(device):
            array = self.cupy.empty(shape, _numpy.dtypes[dtype])
        return Array(array, array.data.ptr, dtype, shape, device, array.size, self)

    def stream(self, array):
        return self.cupy.cuda.get_current_stream(array.device).ptr


class _Memory:
    """A result in a GPU's memory. Other libraries read it by DLPack, or by `__cuda_array_interface__`, which has no bfloat16."""

    def __init__(self, array: Array):
        self._memory = array.owner
        dtype = _numpy.dtypes[array.dtype]
        if dtype is not None:
            self.__cuda_array_interface__ = {"shape": array.shape, "typestr": dtype.str, "version": 3,
                                             "data": (array.address, False)}

    def __dlpack__(self, **options):
        return self._memory.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._memory.__dlpack_device__()


class _Protocols(Library):
    """Arrays that others can read: by DLPack, whose arrays are ready on the default stream, or by
    `__cuda_array_interface__`, which may name a stream. Results become arrays of the same library by its `from_dlpack`,
    or by `numba.cuda.as_cuda_array`; they are waited for, because nothing says what stream they will be used on."""

    def __init__(self, example):
        self.wrap = None
        if hasattr(example, "__array_namespace__"):
            self.wrap = example.__array_namespace__().from_dlpack
        elif type(example).__module__.startswith("numba."):
            self.wrap = sys.modules["numba"].cuda.as_cuda_array

    def read(self, call, array):
        stream = 0
        if hasattr(array, "__dlpack__"):
            try:
                address, kind, bits, shape, strides, device, index = _host.describe(array)
            except (TypeError, BufferError) as error:
                raise TypeError(f"gpuprim.{call}: the array cannot be read by DLPack: {error}") from None
            number = _DLPACK.get((kind, bits))
            if device not in (1, 2, 3, 13):
                raise ValueError(f"gpuprim.{call}: the array is neither in host memory nor on a GPU of CUDA")
            index = -1 if device == 1 else index
        else:
            interface = array.__cuda_array_interface__
            number = _numpy.numbers.get(numpy.dtype(interface["typestr"]))
            kind, bits, shape, address = interface["typestr"], "", interface["shape"], interface["data"][0]
            size = SIZES[number or 0]
            strides = interface.get("strides")
            strides = None if strides is None else tuple(step // size for step in strides)
            index = _cuda.device_of(address) if _cuda else 0
            stream = interface.get("stream") or 0
        if number is None:
            raise TypeError(f"gpuprim.{call}: has no form for arrays of the type {kind}{bits}")
        if strides is not None and not _is_dense(shape, strides):
            _refuse_strides(call)
        return Array(array, address, number, tuple(shape), index, prod(shape), self, stream)

    def empty(self, shape, dtype, device, stream):
        if device < 0:
            array = _numpy.empty(shape, dtype, device, stream)
        else:
            memory = _cuda.allocate(shape, *_DLPACK_OF[dtype], device, stream)
            array = Array(memory, _cuda.describe(memory)[0], dtype, shape, device, prod(shape), self, stream)
        array.library = self
        return array

    def finish(self, array):
        if array.device < 0:
            return self.wrap(array.owner) if self.wrap else array.owner
        _cuda.synchronize(array.stream)
        result = _Memory(array)
        return self.wrap(result) if self.wrap else result

    def check_out(self, call, array):
        raise TypeError(f"gpuprim.{call}: out must be an array of NumPy, PyTorch or CuPy")


_numpy = _NumPy()
_libraries: dict[type, Library] = {numpy.ndarray: _numpy}


def _find_library(call: str, array: Any) -> Library:
    """The library of a type that is met for the first time."""
    names = [kind.__module__.partition(".")[0] for kind in type(array).__mro__]
    if isinstance(array, numpy.ma.MaskedArray):
        raise TypeError(f"gpuprim.{call}: has no form for masked arrays; pass what compressed() or filled() returns")
    if isinstance(array, numpy.ndarray):
        library: Library = _numpy
    elif "torch" in names and isinstance(array, sys.modules["torch"].Tensor):
        library = _Torch(sys.modules["torch"])
    elif "cupy" in names:
        library = _CuPy(sys.modules["cupy"])
    elif hasattr(array, "__dlpack__") or hasattr(array, "__cuda_array_interface__"):
        library = _Protocols(array)
    else:
        raise TypeError(f"gpuprim.{call}: {type(array).__name__} is no array: neither of NumPy, PyTorch or CuPy, nor "
                        "one with __dlpack__ or __cuda_array_interface__")
    _libraries[type(array)] = library
    return library


def read(call: str, array: Any) -> Array:
    """An array of the caller's. Nothing is copied."""
    library = _libraries.get(type(array)) or _find_library(call, array)
    return library.read(call, array)


def backend(call: str, device: int) -> ModuleType:
    """The compiled module for arrays of a device."""
    if device < 0:
        return _host
    if _cuda is None:
        raise RuntimeError(f"gpuprim.{call}: the array is on a GPU, and this gpuprim has no module for CUDA; install "
                           "it where there is nvcc, with -C cmake.define.GPUPRIM_PYTHON_CUDA=ON")
    return _cuda
