# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machine code of operators: by NVRTC for a GPU, by a C++ compiler for the host SIMT device. It is kept on disk."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Callable, Optional

from . import _host

_HERE = Path(__file__).resolve().parent
_INCLUDE, _SIMT_INCLUDE = _HERE / "include", _HERE / "simt_include"
_NVRTC_ERROR_COMPILATION = 6


@lru_cache(maxsize=None)
def _hash_of_headers(folder: Path) -> str:
    """What stands in for the library's version: its headers themselves."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


# What has been compiled


def _cache_folder() -> Path:
    return Path(os.environ.get("GPUPRIM_CACHE") or Path.home() / ".cache" / "gpuprim")


def _seal(key: bytes, code: bytes) -> bytes:
    """What ends a file: a file that is damaged, or that another key has made, ends otherwise."""
    return hashlib.sha256(key + code).digest()


def _keep(parts: list[str], suffix: str, compile_code: Callable[[], bytes]) -> tuple[Path, bytes]:
    """The code that belongs to a key, and its file, which is written if it is not there."""
    key = hashlib.sha256("\0".join(parts).encode()).digest()
    path = _cache_folder() / (key.hex() + suffix)
    try:
        content = path.read_bytes()
    except OSError:
        content = b""
    code = content[:-32]
    if code and content[-32:] == _seal(key, code):
        return path, code
    code = compile_code()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(file, "wb") as to:
                to.write(code + _seal(key, code))
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise RuntimeError(f"gpuprim: compiled operators cannot be kept in {path.parent} ({error.strerror}); set "
                           "GPUPRIM_CACHE to a folder that can be written") from error
    return path, code


# NVRTC


class _Nvrtc:
    """NVRTC, with the folders of the headers of its toolkit."""

    def __init__(self, path: Path, includes: list[Path]):
        self.path, self.includes = path, includes
        self.library = ctypes.CDLL(str(path))
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.version = f"{major.value}.{minor.value}"
        self.library.nvrtcGetErrorString.restype = ctypes.c_char_p

    def compile(self, source: str, architecture: int, call: str) -> bytes:
        folders = [_INCLUDE, _INCLUDE / "gpuprim" / "nvrtc", *self.includes]
        options = ["-std=c++20", "-default-device", "-w", f"-arch=sm_{architecture}", *(f"-I{f}" for f in folders)]
        arguments = (ctypes.c_char_p * len(options))(*[os.fsencode(option) for option in options])
        program = ctypes.c_void_p()
        nvrtc = self.library
        self._check(call, nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None))
        try:
            status = nvrtc.nvrtcCompileProgram(program, len(options), arguments)
            if status == _NVRTC_ERROR_COMPILATION:
                raise ValueError(f"gpuprim.{call}: the operator does not compile:\n{self._log(program)}")
            if status:
                self._check(call, status, self._log(program))
            return self._get("CUBIN", program)
        finally:
            nvrtc.nvrtcDestroyProgram(ctypes.byref(program))

    def _get(self, what: str, program: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        self._check("compile", getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        text = ctypes.create_string_buffer(size.value)
        self._check("compile", getattr(self.library, f"nvrtcGet{what}")(program, text))
        return text.raw

    def _log(self, program: ctypes.c_void_p) -> str:
        return self._get("ProgramLog", program).rstrip(b"\0").decode(errors="replace").strip()

    def _check(self, call: str, status: int, log: str = "") -> None:
        if status:
            reason = self.library.nvrtcGetErrorString(status).decode()
            raise RuntimeError(f"gpuprim.{call}: NVRTC {self.version} ({self.path}): {reason}\n{log}".rstrip())


def _toolkits() -> list[tuple[list[Path], list[Path]]]:
    """Folders of libraries and of headers of the toolkits that there may be, the preferred ones first."""
    found = []

    def add_root(root: Path) -> None:
        libraries = [root / "lib64", root / "lib", root / "lib" / f"{os.uname().machine}-linux-gnu"]
        found.append((libraries, [root / "include", root / "include" / "cccl"]))

    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            add_root(Path(os.environ[variable]))
    packages = importlib.util.find_spec("nvidia")  # nvidia-cuda-nvrtc, nvidia-cuda-runtime and nvidia-cuda-cccl
    for base in map(Path, packages.submodule_search_locations or [] if packages else []):
        add_root(base / "cu13")
        headers = [base / "cuda_runtime" / "include", base / "cuda_cccl" / "include"]
        found.append(([base / "cuda_nvrtc" / "lib"], headers))
    add_root(Path("/usr/local/cuda"))
    return found


def _find_toolkit() -> _Nvrtc:
    """The first toolkit that is complete."""
    lacks = []
    for libraries, includes in _toolkits():
        library = next((path for folder in libraries for path in sorted(folder.glob("libnvrtc.so*"))), None)
        headers = ("cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h", "cuda/std/type_traits")
        missing = [header for header in headers if not any((folder / header).exists() for folder in includes)]
        if library and not missing:
            return _Nvrtc(library, [folder for folder in includes if folder.is_dir()])
        if library or len(missing) < len(headers):
            lacks.append(f"{includes[0].parent} lacks {', '.join(missing) if library else 'libnvrtc'}")
    raise RuntimeError("gpuprim: an operator needs NVRTC and the headers of CUDA, and no folder has both"
                       f"{''.join(f'; {lack}' for lack in lacks)}. Set CUDA_HOME to a toolkit, or install "
                       "nvidia-cuda-nvrtc, nvidia-cuda-runtime and nvidia-cuda-cccl by pip (with CUDA 12 the names "
                       "end in -cu12)")


_nvrtc: Optional[_Nvrtc] = None


def compile_for_gpu(call: str, source: str, architecture: int) -> bytes:
    """The cubin of a source, for an architecture such as 90."""
    global _nvrtc
    if _nvrtc is None:
        _nvrtc = _find_toolkit()
    nvrtc = _nvrtc
    key = ["cubin", source, str(architecture), nvrtc.version, _hash_of_headers(_INCLUDE)]
    return _keep(key, ".cubin", lambda: nvrtc.compile(source, architecture, call))[1]


# The host SIMT device


def _run_compiler(call: str, compiler: list[str], source: str) -> bytes:
    if shutil.which(compiler[0]) is None:
        raise RuntimeError(f"gpuprim.{call}: an operator on arrays in host memory needs a C++ compiler, and there is "
                           f"no {compiler[0]}; install g++ 12 or newer, or let CXX name a compiler")
    with tempfile.TemporaryDirectory() as folder:
        text, code = Path(folder, "kernel.cpp"), Path(folder, "kernel.so")
        text.write_text(source)
        # What is left undefined is the device, which the module has.
        command = [*compiler, "-std=c++20", "-O1", "-w", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{_INCLUDE}",
                   f"-I{_SIMT_INCLUDE}", str(text), _host.__file__, "-o", str(code)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        if done.returncode:
            raise ValueError(f"gpuprim.{call}: the operator does not compile:\n{done.stderr.strip()}")
        return code.read_bytes()


def compile_for_host(call: str, source: str) -> bytes:
    """The path of a shared object with the kernel."""
    compiler = shlex.split(os.environ.get("CXX", "")) or ["c++"]
    module = os.stat(_host.__file__)
    key = ["host", source, *compiler, _host.__file__, str(module.st_mtime_ns), str(module.st_size),
           _hash_of_headers(_INCLUDE), _hash_of_headers(_SIMT_INCLUDE)]
    return os.fsencode(_keep(key, ".so", lambda: _run_compiler(call, compiler, source))[0])
