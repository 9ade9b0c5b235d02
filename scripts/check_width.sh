#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails, and names the lines, where a source has lines of more than 120 columns: this project's, or those of the folders
# given. A rule of a code-generation test (`// expect:`) is one line, however long.
. "$(dirname "$0")/common.sh"
[ $# -gt 0 ] || set -- include simt tests examples benchmarks python
long=$(LC_ALL=C.UTF-8 grep -rnE '^.{121,}' --include='*.cu' --include='*.cuh' --include='*.[ch]pp' --include='*.h' "$@" |
  grep -v ':// expect:') || true
[ -z "$long" ] || { printf 'longer than 120 columns:\n%s\n' "$long"; exit 1; }
echo "no line is longer than 120 columns"
