#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernel of an example by NVRTC, with the installed Python package of the headers.
usage: nvrtc.py LIBNVRTC EXAMPLE FOLDER...

EXAMPLE has the kernel in a raw string. The folders are those of the toolkit's headers. As in the example, the headers of the
standard library are given as text."""
import ctypes
import re
import sys
from pathlib import Path

import gpuprim_headers


def strings(texts):
    return (ctypes.c_char_p * len(texts))(*[text.encode() for text in texts])


def main(library, example, *folders):
    nvrtc = ctypes.CDLL(library)
    text = Path(example).read_text()
    source = re.search(r'R"\((.*?)\)"', text, re.S)[1]
    names = re.findall(r'"(\w+)"', re.search(r"names = \{(.*?)\}", text, re.S)[1])
    texts = [f"#include <cuda/std/{name}>\nnamespace std {{ using namespace cuda::std; }}\n" for name in names]
    options = ["-std=c++20", "-arch=sm_90", "-DTHREADS=128"]
    options += [f"-I{folder}" for folder in (gpuprim_headers.include_dir(), *folders)]
    program = ctypes.c_void_p()
    status = nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"sum.cu", len(names), strings(texts),
                                      strings(names))
    status = status or nvrtc.nvrtcCompileProgram(program, len(options), strings(options))
    if status:
        size = ctypes.c_size_t()
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value + 1)
        nvrtc.nvrtcGetProgramLog(program, log)
        raise SystemExit(f"NVRTC's error {status}:\n{log.value.decode()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
