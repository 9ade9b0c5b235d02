#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles by NVRTC, for each family of architectures that it knows, with no header of the standard library:
  headers   every header of a level, but for that of the exception which host calls throw
  calls     kernels with calls of each level, calls.cu
  course    the kernels of the course that include gpuprim in a string
usage: architectures.py LIBNVRTC FOLDER...       the folders of the toolkit's headers"""
import re
import sys
from pathlib import Path

from nvrtc import Nvrtc, options

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ("core", "ptx", "thread", "warp", "block", "cluster", "grid")
OF_HOST = "error.hpp"
ARCHITECTURES = (75, 80, 90, 100, 120)


def sources():
    include = ROOT / "include"
    headers = sorted(path.relative_to(include) for level in LEVELS
                     for suffix in ("hpp", "cuh") for path in (include / "gpuprim" / level).rglob(f"*.{suffix}")
                     if path.name != OF_HOST)
    yield f"{len(headers)} headers", "".join(f"#include <{header}>\n" for header in headers)
    yield "calls.cu", (ROOT / "tests/nvrtc/calls.cu").read_text()
    for path in sorted((ROOT / "examples/course").glob("*.cu")):
        for text in re.findall(r'R"\((.*?)\)"', path.read_text(), re.S):
            if "gpuprim/" in text:
                yield path.name, text


def main(library, *folders):
    nvrtc = Nvrtc(library)
    arguments = options(ROOT / "include", folders)
    for architecture in sorted(set(ARCHITECTURES) & set(nvrtc.architectures())):
        for name, source in sources():
            size = len(nvrtc.compile(source, architecture, [*arguments, "-DTHREADS=128"]))
            print(f"NVRTC {nvrtc.version()}, sm_{architecture}: {name}, {size} bytes", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
