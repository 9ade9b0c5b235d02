# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiled modules raise beside Python's own exceptions."""


class CudaError(RuntimeError):
    """An error of CUDA's other than an argument that the library refuses: no memory, a kernel that failed before."""

    __module__ = "gpuprim"
