#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the course is complete, without building anything. usage: course.py [ROOT]

rows      docs/guide/rows.txt has lines `topic | what | link`, each with words of its own, and empty lines and lines that
          begin with #. The link, from docs/guide/, is of a file that exists and, behind a #, of a heading of it; it
          stands in docs/guide/index.md.
programs  Each program of examples/course and examples/library is linked from the index, and is in one row of a table of
          the README of its folder, as `NAME.cu`. What stands there is in the folder.
numbers   No two programs of a folder begin with the same number.
"""
import re
import sys
from collections import Counter
from pathlib import Path

from docs import LINK, headings

INDEX, ROWS, FOLDERS = "docs/guide/index.md", "docs/guide/rows.txt", ["examples/course", "examples/library"]


def check_rows(root, linked):
    guide, seen = root / "docs/guide", set()
    for number, line in enumerate((root / ROWS).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split(" | "))
        if len(cells) != 3 or not all(cells):
            yield f"{ROWS}:{number}: it is not `topic | what | link`"
            continue
        topic, what, link = cells
        if (topic, what) in seen:
            yield f"{ROWS}:{number}: {topic}, {what}: it is there twice"
        seen.add((topic, what))
        path, _, anchor = link.partition("#")
        if not (guide / path).is_file():
            yield f"{ROWS}:{number}: {what}: no such file: {link}"
        elif anchor and anchor not in headings((guide / path).read_text()):
            yield f"{ROWS}:{number}: {what}: no such heading: {link}"
        elif link not in linked:
            yield f"{INDEX}: {what}: {link} is not linked"
    if not seen:
        yield f"{ROWS}: it has no rows"


def check_programs(root, folder, linked):
    programs = [path.name for path in sorted((root / folder).glob("*.cu"))]
    readme = root / folder / "README.md"
    listed = Counter(re.findall(r"^\| `([\w.]+\.cu)`", readme.read_text(), re.M)) if readme.is_file() else Counter()
    for name in programs:
        if f"../../{folder}/{name}" not in linked:
            yield f"{INDEX}: {folder}/{name} is not linked"
        if listed[name] != 1:
            yield f"{folder}/README.md: {name} is there {listed[name]} times"
    for name in listed:
        if name not in programs:
            yield f"{folder}/README.md: no such program: {name}"
    numbers = Counter(name[:2] for name in programs if name[:2].isdigit())
    for number in [number for number, count in numbers.items() if count > 1]:
        yield f"{folder}: {numbers[number]} programs have the number {number}"


def check(root):
    linked = set(LINK.findall((root / INDEX).read_text()))
    faults = list(check_rows(root, linked))
    for folder in FOLDERS:
        faults += check_programs(root, folder, linked)
    return faults


def main():
    faults = check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve())
    if faults:
        raise SystemExit("\n".join(faults))
    print("the course is complete")


if __name__ == "__main__":
    main()
