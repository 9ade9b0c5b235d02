#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernel of an example by NVRTC, with the installed Python package of the headers.
usage: nvrtc.py LIBNVRTC EXAMPLE FOLDER...

EXAMPLE has the kernel in a raw string. The folders are those of the toolkit's headers."""
import re
import sys
from pathlib import Path

import gpuprim_headers

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "nvrtc"))
from nvrtc import Nvrtc, options  # noqa: E402


def main(library, example, *folders):
    source = re.search(r'R"\((.*?)\)"', Path(example).read_text(), re.S)[1]
    Nvrtc(library).compile(source, 90, [*options(gpuprim_headers.include_dir(), folders), "-DTHREADS=128"])


if __name__ == "__main__":
    main(*sys.argv[1:])
