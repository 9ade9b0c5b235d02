#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the headers by the clang-tidy that .pre-commit-config.yaml pins, as .clang-tidy says: all of them, as the host
# SIMT device compiles them. Arguments are checked too, if they are files that the build tree build/simt compiles.
. "$(dirname "$0")/common.sh"
use_pinned clang-tidy
quiet build/tidy-configure.log cmake --preset simt
units=build/simt/tests/header_units
quiet build/tidy.log "$tool" -p build/simt --quiet --warnings-as-errors='*' \
  "$units/gpuprim_gpuprim_cuh.cu" "$units/gpuprim_distributed_cuh.cu" "$@"
echo "clang-tidy finds no fault in the headers"
