#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and tests every lane that this machine has. Lanes given as arguments are run instead of all of them.
# ctest has the last word, with its count and its time.
. "$(dirname "$0")/common.sh"
scripts/bootstrap.sh test
scripts/bootstrap.sh packages

lanes=${*:-simt simt-asan simt-tsan}
if ! have_nvcc; then
  echo "There is no nvcc on this machine, so the lanes cuda and cuda-all are skipped."
elif [ $# -eq 0 ]; then
  if have_gpu; then
    lanes="$lanes cuda cuda-all"
  else
    echo "There is no GPU on this machine, so the device tests are not run."
    lanes="$lanes cuda-compile cuda-all"
  fi
fi

failed=
for lane in $lanes; do
  begin=$(date +%s)
  echo "== $lane"
  status=0
  native=
  if [ "$lane" = cuda ] && have_gpu; then native=$(for_own_gpu); fi
  quiet "build/$lane-configure.log" cmake --preset "$lane" $native || status=1
  [ $status != 0 ] || quiet "build/$lane-build.log" cmake --build "build/$lane" -j "$jobs" || status=1
  echo "== $lane: configured and built in $(($(date +%s) - begin)) s"
  if [ $status = 0 ]; then
    # Device tests need a GPU; the rest of the cuda lane (headers, messages, code generation) does not.
    labels=
    if [ "$lane" = cuda-compile ] || ! have_gpu; then labels="-LE gpu"; fi
    ctest --test-dir "build/$lane" -j "$jobs" --output-on-failure $labels </dev/null || status=1
  fi
  [ $status = 0 ] || failed="$failed $lane"
done
if [ -n "$failed" ]; then
  echo "failed lanes:$failed" >&2
  exit 1
fi
