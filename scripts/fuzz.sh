#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fuzz.sh [SECONDS [SEED]]: random calls on the SIMT device under AddressSanitizer and UndefinedBehaviorSanitizer, for 600
# seconds in all unless told, batch after batch from a seed that the clock chooses unless told. It builds what it needs of
# the tree build/simt-asan. `fuzz.sh --program PROGRAM SECONDS SEED` runs a program that is built.
. "$(dirname "$0")/common.sh"
program=build/simt-asan/tests/test_device
if [ "${1:-}" = --program ]; then
  program=$2
  shift 2
else
  quiet build/simt-asan-configure.log cmake --preset simt-asan
  quiet build/simt-asan-build.log cmake --build build/simt-asan -j "$jobs" --target test_device
fi
seconds=${1:-600}
seed=${2:-$(date +%s)}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
set -- tests/device/random_*.cu
each=$((seconds / $#))
failed=0
for file in "$@"; do
  filter="[#$(basename "$file" .cu)][fuzz]"
  if GPUPRIM_RANDOM_SEED=$seed GPUPRIM_RANDOM_SECONDS=$each "$program" -# "$filter" >"$log" 2>&1 </dev/null; then
    echo "$filter: $(grep -c '^seed ' "$log") batches from seed $seed on pass"
  else
    grep -v '^seed ' "$log" || true
    last=$(sed -n 's/^seed //p' "$log" | tail -n 1)
    echo "fails: GPUPRIM_RANDOM_SEED=$last GPUPRIM_RANDOM_SECONDS=0 $program -# '$filter'"
    failed=1
  fi
done
exit $failed
