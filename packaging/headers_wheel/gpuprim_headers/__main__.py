# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the folder with the headers."""
from gpuprim_headers import include_dir

print(include_dir())
