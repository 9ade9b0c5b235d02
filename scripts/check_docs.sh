#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that every relative link of the Markdown pages, and every @example of the headers, names a file that exists.
. "$(dirname "$0")/common.sh"
cd "${1:-$root}"
# The C++ blocks of this project's own pages are regions of files that run.
[ $# -gt 0 ] || python3 scripts/check_regions.py README.md simt/README.md docs/*.md docs/guide/*.md
broken=$(mktemp)
trap 'rm -f "$broken"' EXIT

find . -name '*.md' -not -path './build/*' -not -path './.*/*' | sort | while read -r page; do
  # [text](target), without fenced code, web addresses and anchors of the page itself
  sed '/^```/,/^```/d' "$page" | grep -o '](\([^)# ]*\)' | sed 's/^](//' |
    grep -v -e '^[a-z]*:' -e '^$' | while read -r target; do
      [ -e "$(dirname "$page")/$target" ] || echo "$page: no such file: $target" >>"$broken"
    done || true
done
grep -rHo '@example [^ ]*' include 2>/dev/null | while IFS= read -r hit; do
  target=${hit##*@example }
  [ -e "$target" ] || echo "${hit%%:*}: no such example: $target" >>"$broken"
done

if [ -s "$broken" ]; then
  cat "$broken"
  exit 1
fi
echo "all links and examples exist"
