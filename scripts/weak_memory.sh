#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# weak_memory.sh [--seeds N] [<program>...]: runs the tests of the lane `weak` under N random schedules, 200 unless told: the
# cases tagged [tsan] of all programs, or of those that are named, such as test_device_scan. The tree is that of the lane
# simt-tsan.
. "$(dirname "$0")/common.sh"
seeds=200
case "${1:-}" in
  --seeds)
    seeds=$2
    shift 2
    ;;
  -*)
    sed -n '3,5s/^# //p' "$0"
    exit 2
    ;;
esac
quiet build/simt-tsan-configure.log cmake --preset simt-tsan
programs=${*:-$(cmake --build build/simt-tsan --target help | sed -n 's/^\.\.\. \(test_.*\)_weak$/\1/p')}
failed=0
for program in $programs; do
  quiet build/simt-tsan-build.log cmake --build build/simt-tsan -j "$jobs" --target "${program}_weak"
  passed=0
  for seed in $(seq "$seeds"); do
    resident=$((seed % 3 == 0 ? 1 : 4))
    command="SIMT_SCHEDULE=random SIMT_SEED=$seed SIMT_RESIDENT=$resident build/simt-tsan/tests/${program}_weak [tsan]"
    if env $command >/dev/null 2>&1 </dev/null; then
      passed=$((passed + 1))
    else
      echo "fails: $command"
    fi
  done
  echo "$program: $passed of $seeds seeds pass"
  [ "$passed" = "$seeds" ] || failed=1
done
exit $failed
