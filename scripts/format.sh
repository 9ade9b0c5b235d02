#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Formats every C++ and CUDA source; with --check it changes nothing and fails if something would change.
. "$(dirname "$0")/common.sh"
command -v clang-format >/dev/null 2>&1 || { echo "make format needs clang-format 14 or newer." >&2; exit 1; }
mode=-i
[ "${1:-}" != --check ] || mode="--dry-run --Werror"
find include simt tests examples benchmarks -type f 2>/dev/null |
  grep -E '\.(hpp|cuh|cu|cpp|h)$' | xargs clang-format $mode
