#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles a program with -maxrregcount 24 to 255 and prints what ptxas says of each kernel: registers, and bytes spilled.
# Where there is a GPU, runs the program as well, so that its times stand beside them. usage:
#   register_sweep.sh PROGRAM.cu [ARGUMENT...]
#   COUNTS   the register counts instead
. "$(dirname "$0")/common.sh"
[ $# -gt 0 ] || { sed -n 's/^#   //p' "$0"; exit 1; }
have_nvcc || { echo "scripts/register_sweep.sh needs nvcc" >&2; exit 1; }
source=$1
shift
architecture=sm_90
if have_gpu; then architecture=native; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for registers in ${COUNTS:-24 32 40 48 64 96 128 255}; do
  echo "== at most $registers registers"
  nvcc -std=c++20 --extended-lambda -arch="$architecture" -O3 -Iinclude -maxrregcount "$registers" -Xptxas -v \
    -o "$work/program" "$source" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  { c++filt 2>/dev/null || cat; } <"$work/log" |
    sed -nE "s/.*Compiling entry function '(.*)' for .*/\1/p; s/.*, ([0-9]+ bytes spill stores, .*)/  \1/p; \
      s/.*Used ([0-9]+ registers).*/  \1/p"
  if have_gpu; then "$work/program" "$@"; fi
done
