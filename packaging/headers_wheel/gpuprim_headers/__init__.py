# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The headers of gpuprim."""
import os


def include_dir():
    """The folder to give to the compiler: NVRTC's option `-I`."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")
