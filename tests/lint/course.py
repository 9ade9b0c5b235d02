#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the course is complete, without building anything. usage: course.py [ROOT]

rows      docs/guide/rows.txt has lines `topic | what | link`, each with words of its own, and empty lines and lines that
          begin with #. The link, from docs/guide/, is of a file that exists and, behind a #, of a heading of it; it
          stands in docs/guide/index.md.
programs  Each program of examples/course and examples/library is linked from the index, and is in one row of a table of
          the README of its folder, as `NAME.cu`. What stands there is in the folder.
numbers   No two programs of examples/library begin with the same number.
order     The name of a program of examples/course begins with its chapter and its place there, as 05_02_divergence.cu.
          The places of a chapter are 01, 02 and so on. The table of docs/guide/order.md, the chapter, the index and the
          README of the folder name the programs of each chapter in this order.
"""
import re
import sys
from collections import Counter
from itertools import zip_longest
from pathlib import Path

from docs import LINK, headings

INDEX, ROWS, ORDER = "docs/guide/index.md", "docs/guide/rows.txt", "docs/guide/order.md"
COURSE, LIBRARY = "examples/course", "examples/library"
CHAPTER = re.compile(r"^\| (\d+) \| \[.*?\]\((\w+\.md)\) \| .*? \| (.*?) \| [^|]*\|$", re.M)
LINKED = re.compile(r"examples/course/(\w+\.cu)")
LISTED = re.compile(r"^\| `([\w.]+\.cu)`", re.M)


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


def programs_of(root, folder):
    return [path.name for path in sorted((root / folder).glob("*.cu"))]


def check_programs(root, folder, linked):
    programs, readme = programs_of(root, folder), root / folder / "README.md"
    listed = Counter(LISTED.findall(readme.read_text()) if readme.is_file() else [])
    for name in programs:
        if f"../../{folder}/{name}" not in linked:
            yield f"{INDEX}: {folder}/{name} is not linked"
        if listed[name] != 1:
            yield f"{folder}/README.md: {name} is there {listed[name]} times"
    for name in listed:
        if name not in programs:
            yield f"{folder}/README.md: no such program: {name}"


def check_numbers(root):
    numbers = Counter(name[:2] for name in programs_of(root, LIBRARY) if name[:2].isdigit())
    for number in [number for number, count in numbers.items() if count > 1]:
        yield f"{LIBRARY}: {numbers[number]} programs have the number {number}"


def check_order(root):
    programs, readme = programs_of(root, COURSE), root / COURSE / "README.md"
    ordered, places = [], []
    for where, listed in [(INDEX, LINKED.findall((root / INDEX).read_text())),
                          (f"{COURSE}/README.md", LISTED.findall(readme.read_text()) if readme.is_file() else [])]:
        ordered.append((where, listed, [name for name in programs if name in listed]))  # check_programs sees the others
    for number, page, cell in CHAPTER.findall((root / ORDER).read_text()):
        own = [name for name in programs if name.startswith(f"{int(number):02}_")]
        places += [(name, f"{int(number):02}_{place:02}_") for place, name in enumerate(own, 1)]
        ordered += [(f"{ORDER}: chapter {number}", LINKED.findall(cell.partition("again ")[0]), own),
                    (f"docs/guide/{page}", LINKED.findall((root / "docs/guide" / page).read_text()), own)]
    for name, begin in places:
        if not name.startswith(begin):
            yield f"{COURSE}: {name} should begin with {begin}"
    for name in programs:
        if name not in dict(places):
            yield f"{COURSE}: {name} begins with no chapter of {ORDER}"
    for where, listed, names in ordered:
        found = [name for name in dict.fromkeys(listed) if name in names]
        if found != names:
            wrong = next(pair for pair in zip_longest(found, names) if pair[0] != pair[1])
            yield f"{where}: {wrong[0] or 'nothing'} in the place of {wrong[1]}"


def check(root):
    linked = set(LINK.findall((root / INDEX).read_text()))
    return [*check_rows(root, linked), *check_programs(root, COURSE, linked), *check_programs(root, LIBRARY, linked),
            *check_numbers(root), *check_order(root)]


def main():
    faults = check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve())
    if faults:
        raise SystemExit("\n".join(faults))
    print("the course is complete")


if __name__ == "__main__":
    main()
