# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls with an operator of the user's, as CUDA text. The first call compiles it, and its machine code is kept."""

from __future__ import annotations

import re
import threading
from operator import index
from pathlib import Path
from typing import Any, Optional

import numpy

from ._arrays import BOOL, DTYPES, FLOAT16, SIZES, UINT8
from ._calls import ArrayT, _Call
from ._compile import compile_for_gpu, compile_for_host

_CUDA_TYPES = ("bool", "std::int8_t", "std::int16_t", "std::int32_t", "std::int64_t", "std::uint8_t", "std::uint16_t",
               "std::uint32_t", "std::uint64_t", "__half", "__nv_bfloat16", "float", "double")
_BFLOAT16 = DTYPES.index("bfloat16")
_NAMES = "xyzw"  # of the elements of a transform
_KERNELS = Path(__file__).with_name("_operators.cuh").read_text()

_loaded: dict[tuple, int] = {}
_loading = threading.Lock()


def _function(result: str, parameters: str, text: str) -> str:
    """A function object of the user's text: an expression, or statements that return. Messages of the compiler give
    the lines of the text."""
    if not re.search(r"\breturn\b", text):
        text, before, behind = f"{text}\n", "return (", ");"
    else:
        text, before, behind = f"{text}\n", "", ""
    return (f"struct user_operator {{\n  __device__ {result} operator()({parameters}) const {{ {before}\n"
            f"#line 1 \"operator\"\n{text}"
            f"#line 1 \"kernel\"\n{behind} }}\n}};\n")


def make_source(kind: str, text: str, preamble: str, types: tuple[int, ...]) -> str:
    """The text that is compiled. `types` are those of the result and of the elements."""
    result, *elements = [_CUDA_TYPES[number] for number in types]
    if kind == "transform":
        names = _NAMES[:len(elements)]
        function = _function(result, ", ".join(f"const {t} {name}" for t, name in zip(elements, names)), text)
        parameters = "".join(f", const {t}* {name}" for t, name in zip(elements, names))
        head = f"std::int64_t n, {result}* out{parameters}"
        run = f"transform(n, user_operator{{}}, out, {', '.join(names)})"
    elif kind == "select":
        function = _function("bool", f"const {result} x", text)
        head = f"const {result}* in, std::int64_t n, {result}* out, std::int64_t* count, void* memory"
        run = "select(in, n, user_operator{}, out, count, memory)"
    else:  # "reduce", or "scan<...>" with its kind
        function = _function(result, f"const {result} a, const {result} b", text)
        head = f"const {result}* in, std::int64_t n, std::uint64_t initial, {result}* out, void* memory"
        run = f"{kind}(in, n, user_operator{{}}, initial, out, memory)"
    return (f"#line 1 \"_operators.cuh\"\n{_KERNELS}\n#line 1 \"preamble\"\n{preamble}\n#line 1 \"kernel\"\n{function}"
            "extern \"C\" __attribute__((visibility(\"default\")))  // all else is hidden\n"
            "__global__ void __launch_bounds__(gpuprim_operators::block_size)\n"
            f"    gpuprim_operator({head}) {{\n  gpuprim_operators::{run};\n}}\n"
            "#if defined(SIMT_DEVICE)\n"
            "[[maybe_unused]] static const void* const is_known = simt::identify(&gpuprim_operator);\n#endif\n")


def _find_kernel(call: _Call, kind: str, text: str, preamble: str, types: tuple[int, ...]) -> int:
    """The kernel, which is compiled or read from disk when it is used first."""
    for what, given in (("the operator", text), ("preamble", preamble)):
        if not isinstance(given, str):
            call.refuse(f"{what} must be CUDA text, not {type(given).__name__}", TypeError)
    key = (kind, text, preamble, types, call.first.device)
    kernel = _loaded.get(key)
    if kernel is not None:
        return kernel
    if not text.strip():
        call.refuse("the operator has no text")
    with _loading:
        if key not in _loaded:
            source = make_source(kind, text, preamble, types)
            if call.first.device < 0:
                code = compile_for_host(call.name, source)
            else:
                code = compile_for_gpu(call.name, source, call.core.find_architecture(call.first.device))
            _loaded[key] = call.core.load_operator(code, call.place)
        return _loaded[key]


def _bits(call: _Call, value: Any, dtype: int) -> int:
    """A number as an element of an array, as the bytes of an integer."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        if dtype >= FLOAT16:
            if dtype != _BFLOAT16:
                return int.from_bytes(numpy.array(float(value), DTYPES[dtype]).tobytes(), "little")
            bits = int(numpy.array(float(value), numpy.float32).view(numpy.uint32))
            if bits & 0x7fffffff > 0x7f800000:  # a NaN keeps its upper bits
                return bits >> 16 | 0x40
            return (bits + 0x7fff + (bits >> 16 & 1)) >> 16
        number = int(bool(value)) if dtype == BOOL else index(value)
        return int.from_bytes(number.to_bytes(SIZES[dtype], "little", signed=BOOL < dtype < UINT8), "little")
    except (TypeError, ValueError):
        call.refuse(f"initial must be a number for {DTYPES[dtype]}, not {value!r}", TypeError)
    except OverflowError:
        call.refuse(f"initial must be a number of {DTYPES[dtype]}, and {value} is none")
    raise AssertionError


def reduce(array: Any, op: str, initial: Any, *, preamble: str = "", out: Any = None) -> Any:
    """All elements joined by an operator of your own, in their order, behind an initial value.

    array     any shape, taken as flattened; all dtypes
    op        CUDA text that joins `a`, which stands first, and `b`: an expression such as "a > b ? a : b", or statements
              that return. It is associative; it need not be commutative. Both have the element's type, which for
              float16 and bfloat16 is __half and __nv_bfloat16.
    initial   a number of the dtype; the result without elements
    preamble  CUDA text before the operator, such as functions that it calls, each marked __device__
    out       where the result goes: an array of its dtype without dimensions, apart from `array`
    Result    the dtype of `array`. The same bits in every run on one device.
    Raises    ValueError with the compiler's messages if the text does not compile; RuntimeError without a compiler
    Cost      one launch; each element is read once. The first call compiles, or reads what is kept on disk.
    """
    call = _Call("reduce", array)
    a = call.first
    start = _bits(call, initial, a.dtype)
    to = call.result(out, (), a.dtype, a)
    kernel = _find_kernel(call, "reduce", op, preamble, (a.dtype,))
    call.core.reduce_by(kernel, SIZES[a.dtype], a.address, a.size, start, to.address, call.place)
    return call.finish(to)


def scan(array: ArrayT, op: str, *, exclusive: bool = False, initial: Any = None, preamble: str = "",
         out: Optional[ArrayT] = None) -> ArrayT:
    """What the elements up to each place come to, joined by an operator of your own.

    array      one dimension; all dtypes
    op         CUDA text that joins `a` and `b`, as of `reduce`
    exclusive  whether each place has what comes before it, which needs an initial value
    initial    a number of the dtype that stands before the first element
    preamble   CUDA text before the operator, as of `reduce`
    out        where the result goes: an array of the shape and dtype of `array`, which it may be
    Result     the dtype of `array`. The same bits in every run on one device.
    Raises     ValueError with the compiler's messages if the text does not compile; RuntimeError without a compiler
    Cost       one launch that reads and writes each element once. The first call compiles, as of `reduce`.
    """
    call = _Call("scan", array)
    a = call.line(call.first)
    if exclusive and initial is None:
        call.refuse("an exclusive scan needs an initial value")
    start = 0 if initial is None else _bits(call, initial, a.dtype)
    kind = "exclusive" if exclusive else "inclusive" if initial is None else "inclusive_from_initial"
    to = call.result(out, a.shape, a.dtype, a, in_place=True)
    kernel = _find_kernel(call, f"scan<gpuprim_operators::scan_kind::{kind}>", op, preamble, (a.dtype,))
    if a.size:
        call.core.scan_by(kernel, SIZES[a.dtype], a.address, a.size, start, to.address, call.place)
    return call.finish(to)


def select_if(array: ArrayT, condition: str, *, preamble: str = "") -> ArrayT:
    """The elements of which a condition of your own holds, in their order.

    array      any shape, taken as flattened; all dtypes
    condition  CUDA text of an element `x`: an expression such as "x > 0", or statements that return
    preamble   CUDA text before the condition, as of `reduce`
    Result     one dimension: the front of a new array that has room for all
    Raises     ValueError with the compiler's messages if the text does not compile; RuntimeError without a compiler
    Cost       one launch, and waits for the number of elements. The first call compiles, as of `reduce`.
    """
    call = _Call("select_if", array)
    a = call.first
    to = call.empty((a.size,), a.dtype)
    kernel = _find_kernel(call, "select", condition, preamble, (a.dtype,))
    count = 0
    if a.size:
        count = call.core.select_by(kernel, SIZES[a.dtype], a.address, a.size, to.address, call.place)
    return call.finish(to, count)


def _number_of(call: _Call, dtype: Any) -> int:
    """The number of a type, which is named by a text or by an object of NumPy's or PyTorch's."""
    name = str(getattr(dtype, "name", dtype)).removeprefix("torch.")
    if name not in DTYPES:
        try:
            name = numpy.dtype(dtype).name
        except TypeError:
            pass
    if name not in DTYPES:
        call.refuse(f"has no form for results of dtype {name}", TypeError)
    return DTYPES.index(name)


def transform(expression: str, *arrays: Any, dtype: Any = None, preamble: str = "", out: Any = None) -> Any:
    """A function of your own of the elements at each place of one to four arrays.

    expression  CUDA text of `x`, an element of the first array, and of `y`, `z` and `w`, those of the others: an
                expression such as "x * y + 1", or statements that return
    arrays      one shape; all dtypes, which may differ
    dtype       of the result: a name, or what NumPy or PyTorch calls it; that of the first array by default
    preamble    CUDA text before the expression, as of `reduce`
    out         where the result goes: an array of its shape and dtype, which may be one of the arrays, but may not
                overlap one otherwise; it says the dtype where `dtype` does not
    Raises      ValueError with the compiler's messages if the text does not compile; RuntimeError without a compiler
    Cost        one launch that reads and writes each element once. The first call compiles, as of `reduce`.
    """
    if not 1 <= len(arrays) <= len(_NAMES):
        raise TypeError(f"gpuprim.transform: there must be one to {len(_NAMES)} arrays, not {len(arrays)}")
    call = _Call("transform", arrays[0])
    inputs = [call.first, *(call.also(array, f"the array {name}") for array, name in zip(arrays[1:], _NAMES[1:]))]
    for array, name in zip(inputs, _NAMES):
        if array.shape != call.first.shape:
            call.refuse(f"the array {name} must have the shape {call.first.shape} of the first, not {array.shape}")
    if dtype is not None:
        number = _number_of(call, dtype)
    else:
        number = call.first.dtype if out is None else call.also(out, "out").dtype
    to = call.result(out, call.first.shape, number, *inputs, in_place=True)
    kernel = _find_kernel(call, "transform", expression, preamble, (number, *(array.dtype for array in inputs)))
    if to.size:
        call.core.transform_by(kernel, [array.address for array in inputs], [SIZES[array.dtype] for array in inputs],
                               to.size, to.address, SIZES[number], call.place)
    return call.finish(to)
