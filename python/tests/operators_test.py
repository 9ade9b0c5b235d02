# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators as CUDA text. With arrays of NumPy a C++ compiler compiles them, on a GPU NVRTC does."""
import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gpuprim
from conftest import ARRAYS, BFLOAT16, check, make
from gpuprim import _compile
from gpuprim._operators import make_source

on_host = pytest.mark.skipif(ARRAYS != "numpy", reason="it is about arrays in host memory")
needs_compiler = pytest.mark.skipif(
    ARRAYS == "numpy" and shutil.which(os.environ.get("CXX", "c++").split()[0]) is None,
    reason="this machine has no C++ compiler")
pytestmark = needs_compiler

SOME_TYPES = ["bool", "int8", "int64", "float16", "float32", *BFLOAT16]
SIZES = [0, 1, 31, 1000, 20_000]  # a tile has 2048 or 4096 elements
LAST_NON_ZERO = "b != 0 ? b : a"  # depends on the order


def make_sparse(dtype, n):
    """Mostly zeros."""
    a = make(dtype, n, few=True)
    a[np.random.default_rng(5).random(n) < 0.9] = 0
    return a


def last_non_zeros(a, initial):
    """At each place the last element that is not zero, up to there."""
    behind = np.concatenate([np.array([initial], a.dtype), a])
    return behind[np.maximum.accumulate(np.where(behind != 0, np.arange(behind.size), 0))][1:]


@pytest.mark.parametrize("dtype", SOME_TYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_order_of_reductions_and_scans(dtype):
    text = "float(b) != 0 ? b : a"
    for n in SIZES:
        a = make_sparse(dtype, n)
        expected = last_non_zeros(a, 1)
        check(gpuprim.scan(a, text, initial=1), expected)
        check(gpuprim.reduce(a, text, 1), np.append(np.array([1], a.dtype), expected)[-1])
        if n > 100:  # so that the last element is not the last that counts
            a[-70:] = 0
            check(gpuprim.reduce(a, text, 1), last_non_zeros(a, 1)[-1])


@pytest.mark.parametrize("dtype", SOME_TYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_select_if(dtype):
    for n in SIZES:
        a = make_sparse(dtype, n)
        check(gpuprim.select_if(a, "float(x) != 0"), a[a != 0])
    check(gpuprim.select_if(a.reshape(4, -1), "float(x) != 0"), a[a != 0])


@pytest.mark.parametrize("dtype", SOME_TYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_transform(dtype):
    for n in SIZES:
        a = make(dtype, n)
        check(gpuprim.transform("float(x) > 3 ? x : decltype(x)(0)", a), np.where(a > 3, a, a.dtype.type(0)))


# A map x -> m * x + c, of numbers modulo 2^32, in 64 bits. The second follows the first: not commutative.
JOIN_MAPS = """
__device__ unsigned long long join_maps(unsigned long long first, unsigned long long second) {
  const unsigned m = unsigned(first >> 32) * unsigned(second >> 32);
  const unsigned c = unsigned(first) * unsigned(second >> 32) + unsigned(second);
  return (unsigned long long)m << 32 | c;
}"""


@pytest.mark.parametrize("n", [1, 1000, 20_000])
def test_affine_maps(n):
    maps = np.random.default_rng(3).integers(0, 2**64, n, np.uint64)
    m, c, steps = 1, 0, []
    for one in map(int, maps):
        m, c = m * (one >> 32) & 0xFFFFFFFF, (c * (one >> 32) + one) & 0xFFFFFFFF
        steps.append(m << 32 | c)
    op = "return join_maps(a, b);"
    check(gpuprim.scan(maps, op, preamble=JOIN_MAPS), np.array(steps, np.uint64))
    check(gpuprim.reduce(maps, op, 1 << 32, preamble=JOIN_MAPS), np.uint64(steps[-1]))
    exclusive = gpuprim.scan(maps, op, preamble=JOIN_MAPS, exclusive=True, initial=1 << 32)
    check(exclusive, np.array([1 << 32, *steps[:-1]], np.uint64))


def test_more_tiles_than_blocks():
    """Blocks take more than one tile, and look back over more than one row of them."""
    a = make_sparse("int64", 700_001 if ARRAYS == "numpy" else 30_000_001)
    a[-1000:] = 0
    check(gpuprim.scan(a, LAST_NON_ZERO), last_non_zeros(a, 0))
    check(gpuprim.reduce(a, LAST_NON_ZERO, 0), last_non_zeros(a, 0)[-1])
    check(gpuprim.select_if(a, "x > 3"), a[a > 3])
    check(gpuprim.reduce(a[1:], LAST_NON_ZERO, 0), last_non_zeros(a, 0)[-1])  # not aligned to 16 bytes
    check(gpuprim.scan(a[1:5001], LAST_NON_ZERO), last_non_zeros(a[1:5001], 0))


@on_host
def test_a_grid_of_many_blocks():
    """Of a device with more multiprocessors, so that the blocks of a reduction are joined by a tree."""
    program = ("import numpy as np, gpuprim; a = np.arange(3_000_000) % 1001 * (np.arange(3_000_000) < 2_900_000);"
               f"assert gpuprim.reduce(a, '{LAST_NON_ZERO}', 0) == a[2_899_999] != 0")
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "SIMT_DEVICE_MODEL": "H100"})


def test_transform_of_several_arrays():
    a, b, c = make("int16", 5000), make("float32", 5000, 1), make("int64", 5000, 2)
    flags = make("bool", 5000)
    check(gpuprim.transform("x < y", a, b), a < b, a.dtype)
    check(gpuprim.transform("x < y", a, b, dtype=bool), a < b)
    check(gpuprim.transform("w ? double(x) + y : double(z >> 3)", a, b, c, flags, dtype="float64"),
          np.where(flags, a.astype(np.float64) + b, (c >> 3).astype(np.float64)))
    shaped = a.reshape(50, 100)
    check(gpuprim.transform("if (x < 0) return -1;\nreturn x > 0; // the sign", shaped), np.sign(shaped))


def test_out():
    a = make("int32", 10_000)
    expected = {"scan": np.cumsum(a, dtype=np.int32), "transform": a // 2 * 2, "reduce": a.sum(dtype=np.int32)}
    for out in (np.empty_like(a), a.copy()):
        assert gpuprim.scan(out if (out == a).all() else a, "unsigned(a) + unsigned(b)", out=out) is out
        check(out, expected["scan"])
    for out in (np.empty_like(a), a.copy()):
        assert gpuprim.transform("x & ~1", out if (out == a).all() else a, out=out) is out
        check(out, expected["transform"])
    wide = np.empty(a.shape, np.int64)
    check(gpuprim.transform("x & ~1", a, out=wide), expected["transform"].astype(np.int64))
    out = np.empty((), np.int32)
    assert gpuprim.reduce(a, "unsigned(a) + unsigned(b)", 0, out=out) is out
    check(out, expected["reduce"])


@pytest.mark.parametrize("dtype, initial", [("int8", -3), ("uint64", 2**64 - 1), ("float16", 0.1), ("float64", -1e300),
                                            ("bool", True), *((t, 1.01) for t in BFLOAT16)], ids=str)
def test_initial_values(dtype, initial):
    check(gpuprim.reduce(np.empty(0, dtype), "a", initial), np.array(initial, dtype))


def test_the_same_bits_in_every_run():
    a = make("float32", 50_000)
    sums, scan = gpuprim.reduce(a, "a + b", 0), gpuprim.scan(a, "a + b")
    for _ in range(3):
        check(gpuprim.reduce(a, "a + b", 0), sums)
        check(gpuprim.scan(a, "a + b"), scan)
    np.testing.assert_allclose(scan, np.cumsum(a.astype(np.float64)), rtol=1e-3, atol=1e-2)


def test_threads():
    """All of them need operators at once that nobody has compiled."""
    a = np.arange(3000, dtype=np.int32)

    def work(i):
        return gpuprim.scan(a, f"a + b + {i % 2}", exclusive=True, initial=0)

    with ThreadPoolExecutor(8) as pool:
        for i, result in enumerate(pool.map(work, range(16))):
            check(result, np.cumsum(a) - a + i % 2 * a.size * 0 + i % 2 * np.arange(a.size), "int32")


A = np.arange(6, dtype=np.int32)


@pytest.mark.parametrize("error, sentence, call", [
    (ValueError, r"gpuprim.reduce: the operator does not compile:\n(.*\n)*.*operator[:(]2",
     lambda: gpuprim.reduce(A, "a +\nb c", 0)),
    (ValueError, r"does not compile:\n(.*\n)*.*preamble[:(]3", lambda: gpuprim.scan(A, "a", preamble="\n\nint f() { return missing; }")),
    (ValueError, "the operator has no text", lambda: gpuprim.select_if(A, " ")),
    (TypeError, "the operator must be CUDA text, not function", lambda: gpuprim.select_if(A, lambda x: x)),
    (TypeError, "preamble must be CUDA text", lambda: gpuprim.scan(A, "a", preamble=3)),
    (TypeError, "dtype complex64", lambda: gpuprim.scan(A.astype(np.complex64), "a")),
    (ValueError, "must have one dimension, not 2", lambda: gpuprim.scan(A.reshape(2, 3), "a")),
    (ValueError, "pass a contiguous copy", lambda: gpuprim.select_if(A[::2], "x")),
    (ValueError, "an exclusive scan needs an initial value", lambda: gpuprim.scan(A, "a", exclusive=True)),
    (ValueError, "initial must be a number of int32", lambda: gpuprim.reduce(A, "a", 2**31)),
    (TypeError, "initial must be a number for int32, not 0.5", lambda: gpuprim.reduce(A, "a", 0.5)),
    (TypeError, "out must be an array of int32", lambda: gpuprim.scan(A, "a", out=np.empty(6))),
    (ValueError, "out overlaps", lambda: gpuprim.scan(A[1:], "a", out=A[:-1])),
    (ValueError, r"the array y must have the shape \(6,\)", lambda: gpuprim.transform("x", A, A[1:])),
    (TypeError, "there must be one to 4 arrays, not 0", lambda: gpuprim.transform("1")),
    (TypeError, "no form for results of dtype complex64", lambda: gpuprim.transform("x", A, dtype=np.complex64)),
])
def test_errors(error, sentence, call):
    if ARRAYS != "numpy" and ("contiguous" in sentence or "overlaps" in sentence or "complex" in sentence):
        pytest.skip("a copy on the GPU has none of this, or there is no copy")
    with pytest.raises(error, match=sentence):
        call()


def test_no_folder_to_keep_code(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("GPUPRIM_CACHE", str(tmp_path / "file" / "folder"))
    with pytest.raises(RuntimeError, match="set GPUPRIM_CACHE to a folder that can be written"):
        gpuprim.transform("x + 417", A)


@on_host
def test_no_compiler(monkeypatch):
    monkeypatch.setenv("CXX", "a-compiler-that-is-not-there")
    with pytest.raises(RuntimeError, match="needs a C\\+\\+ compiler, and there is no a-compiler-that-is-not-there"):
        gpuprim.transform("x + 418", A)


def test_no_nvrtc(monkeypatch, tmp_path):
    monkeypatch.setattr(_compile, "_toolkits", lambda: [([tmp_path], [tmp_path / "include"])])
    with pytest.raises(RuntimeError, match="needs NVRTC and the headers of CUDA, .* install nvidia-cuda-nvrtc"):
        _compile._find_toolkit()
    (tmp_path / "libnvrtc.so").touch()
    with pytest.raises(RuntimeError, match=r"lacks cuda_fp16\.h"):
        _compile._find_toolkit()


@on_host
def test_code_on_disk_is_used_again(tmp_path):
    log, cache = tmp_path / "log", tmp_path / "cache"
    compiler = tmp_path / "compiler"
    compiler.write_text(f"#!/bin/sh\necho >> {log}\nexec {os.environ.get('CXX', 'c++')} \"$@\"\n")
    compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
    environment = {**os.environ, "CXX": str(compiler), "GPUPRIM_CACHE": str(cache)}

    def run(text="x + 1"):
        program = f"import numpy as np, gpuprim; print(gpuprim.transform('{text}', np.arange(3)))"
        printed = subprocess.run([sys.executable, "-c", program], check=True, env=environment, capture_output=True)
        return printed.stdout.decode().strip(), len(log.read_text())

    assert run() == ("[1 2 3]", 1)
    assert run() == ("[1 2 3]", 1)
    (kept,) = cache.iterdir()
    good = kept.read_bytes()
    for damage in (good[:3000] + bytes([good[3000] ^ 1]) + good[3001:], b""):
        kept.write_bytes(damage)
        before = len(log.read_text())
        assert run() == ("[1 2 3]", before + 1)
    before = len(log.read_text())
    assert run("x + 2") == ("[2 3 4]", before + 1)
    (other,) = set(cache.iterdir()) - {kept}
    shutil.copyfile(kept, other)  # whole, but of another operator
    assert run("x + 2") == ("[2 3 4]", before + 2)


@pytest.fixture(scope="module")
def nvrtc():
    try:
        found = _compile._find_toolkit()
    except (RuntimeError, OSError) as error:
        pytest.skip(f"NVRTC cannot be tried: {error}")
    return found


KINDS = {"reduce": "a + b", "scan<gpuprim_operators::scan_kind::exclusive>": "a + b", "select": "float(x) > 3",
         "transform": "x * y"}


@pytest.mark.parametrize("architecture, number", [(75, 10), (90, 4), (100, 10)])
def test_nvrtc_compiles_all_kernels(nvrtc, architecture, number):
    """No GPU is needed for that. The numbers are those of int64 and bfloat16."""
    for kind, text in KINDS.items():
        source = make_source(kind, text, "", (number,) * (3 if kind == "transform" else 1))
        assert nvrtc.compile(source, architecture, "test").startswith(b"\x7fELF")


def test_cubins_are_kept(nvrtc, monkeypatch):
    compiled = []

    def compile_one(self, source, architecture, call):
        compiled.append(architecture)
        return f"{source} for {architecture}".encode()

    monkeypatch.setattr(_compile, "_nvrtc", nvrtc)
    monkeypatch.setattr(_compile._Nvrtc, "compile", compile_one)
    for architecture in (80, 80, 90, 80):
        assert _compile.compile_for_gpu("test", "one", architecture) == f"one for {architecture}".encode()
    assert _compile.compile_for_gpu("test", "two", 80) == b"two for 80"
    assert compiled == [80, 90, 80]


def test_messages_of_nvrtc(nvrtc):
    source = make_source("reduce", "a +\nb c", "", (3,))
    with pytest.raises(ValueError, match=r"gpuprim.reduce: the operator does not compile:\n(.*\n)*operator\(2\)"):
        nvrtc.compile(source, 90, "reduce")
    with pytest.raises(RuntimeError, match="invalid"):
        nvrtc.compile(make_source("reduce", "a", "", (3,)), 12, "reduce")
