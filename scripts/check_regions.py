#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each C++ block of the Markdown pages is a region of a file that is compiled and run.

A block is preceded by a line `<!-- FILE NAME -->`; in FILE the region stands between two lines `// [NAME]`. With
`--write` the blocks are replaced by their regions.  usage: check_regions.py [--write] PAGE.md ...
"""
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"(?:^<!-- (\S+) (\S+) -->\n)?^```cpp\n(.*?)^```$", re.M | re.S)


def region(file, name):
    with open(os.path.join(ROOT, file)) as f:
        text = f.read()
    parts = re.split(r"^[ ]*// \[" + re.escape(name) + r"\]\n", text, flags=re.M)
    if len(parts) != 3:
        raise SystemExit(f"{file}: region [{name}] must be marked by exactly two lines")
    return textwrap.dedent(parts[1])


def main():
    write = "--write" in sys.argv
    faults = []
    for page in [a for a in sys.argv[1:] if a != "--write"]:
        with open(page) as f:
            text = f.read()

        def replace(match):
            file, name, code = match.groups()
            if not file:
                faults.append(f"{page}: a C++ block names no region:\n{code}")
                return match.group(0)
            want = region(file, name)
            if code != want and not write:
                faults.append(f"{page}: the block differs from region [{name}] of {file}")
            return f"<!-- {file} {name} -->\n```cpp\n{want}```"

        updated = BLOCK.sub(replace, text)
        if write and updated != text:
            with open(page, "w") as f:
                f.write(updated)
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
