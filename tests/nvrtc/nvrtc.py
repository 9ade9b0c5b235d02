# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC, as a program that compiles kernels at run time calls it."""
import ctypes
from pathlib import Path


def strings(texts):
    return (ctypes.c_char_p * len(texts))(*[text.encode() for text in texts])


def options(include, toolkit):
    """Those that gpuprim needs: `include` has its headers, and `toolkit` are the folders of the toolkit's."""
    folders = [include, Path(include) / "gpuprim" / "nvrtc", *toolkit]
    return ["-std=c++20", "-default-device"] + [f"-I{folder}" for folder in folders]


class Nvrtc:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)

    def version(self):
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        return f"{major.value}.{minor.value}"

    def architectures(self):
        count = ctypes.c_int()
        self.library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
        numbers = (ctypes.c_int * count.value)()
        self.library.nvrtcGetSupportedArchs(numbers)
        return list(numbers)

    def compile(self, source, architecture, arguments):
        """The machine code of a source for an architecture such as 90. Ends the program with NVRTC's messages if there
        is an error."""
        arguments = [*arguments, f"-arch=sm_{architecture}"]
        program = ctypes.c_void_p()
        status = self.library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"source.cu", 0, None, None)
        status = status or self.library.nvrtcCompileProgram(program, len(arguments), strings(arguments))
        size = ctypes.c_size_t()
        if status:
            self.library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value + 1)
            self.library.nvrtcGetProgramLog(program, log)
            raise SystemExit(f"NVRTC {self.version()}, sm_{architecture}, error {status}:\n{log.value.decode()}")
        self.library.nvrtcGetCUBINSize(program, ctypes.byref(size))
        code = ctypes.create_string_buffer(size.value)
        self.library.nvrtcGetCUBIN(program, code)
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        return code.raw
