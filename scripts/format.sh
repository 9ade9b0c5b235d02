#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lays out sources as .clang-format says, by the clang-format that .pre-commit-config.yaml pins: the files given, or all.
#   --check  changes nothing, names the files that would change, and fails if there are any
. "$(dirname "$0")/common.sh"
check=
if [ "${1:-}" = --check ]; then
  check=1
  shift
fi
use_pinned clang-format
[ $# -gt 0 ] || set -- $(git ls-files '*.cu' '*.cuh' '*.hpp' '*.cpp' '*.h')
if [ -z "$check" ]; then
  "$tool" -i "$@"
  exit 0
fi
others=$(for file in "$@"; do "$tool" "$file" | cmp -s - "$file" || echo "$file"; done)
[ -z "$others" ] || { printf '%s\n%s files are laid out otherwise\n' "$others" "$(echo "$others" | wc -l)"; exit 1; }
echo "all files are laid out as .clang-format says"
