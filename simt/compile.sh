#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compile.sh <compiler> <argument>...: compiles a file for the host SIMT device. Where the compiler stumbles over
# kernel<<<grid, block>>>(...), which it takes for comparisons, it says what to write.
"$@" && exit 0
status=$?
grep -qs -- '<<<' "$@" || exit $status
LC_ALL=C "$@" 2>&1 | grep -oE '^[^ :]+:[0-9]+:[0-9]+: error' | cut -d: -f1,2 | sort -u | while IFS=: read -r file line; do
  sed -n "${line}p" "$file" | grep -q '<<<' || continue
  echo "$file:$line: simt: <<<grid, block>>> is no C++: write gpuprim::launch(kernel, grid, block, stream, arguments...)" >&2
done
exit $status
