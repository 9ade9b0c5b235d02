#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the index of the guide: docs/guide/index.md has a row for each technique, `| technique | files | tests |`.

A row names at least one file, by a link, and one test, in backticks; every file and test is there; every numbered
example, every one of library/ and every rung of the ladder is in some row.  usage: check_guide.py [ROOT]
"""
import re
import sys
from pathlib import Path

INDEX = "docs/guide/index.md"
LINK = re.compile(r"\]\(([^)#]+)")
CODE = re.compile(r"`([^`]+)`")


def known_tests(root):
    """Names that the CMake files register, without building anything."""
    tests = {"example_" + path.stem for path in (root / "examples").glob("[0-9]*.cu")}
    tests |= {"example_library_" + path.stem for path in (root / "examples/library").glob("*.cu")}
    for path in root.glob("tests/*/**/*.cu"):
        tests.add("test_" + "_".join(path.relative_to(root / "tests").with_suffix("").parts))
    for path in [*root.glob("tests/**/CMakeLists.txt"), *root.glob("examples/**/CMakeLists.txt")]:
        for name, words in re.findall(r"foreach\((\w+) IN ITEMS ([^)]*)\)", path.read_text()):
            tests.update(re.sub(r"\$\{" + name + r"\}", word, test) for word in words.split()
                         for test in re.findall(r"add_test\(NAME ([^ )]+\$\{" + name + r"\})", path.read_text()))
        tests.update(re.findall(r"add_test\(NAME ([\w.]+)[ )]", path.read_text()))
    return tests


def rows(text):
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[0] != "technique" and not set(cells[0]) <= set("-: "):
            yield cells


def check(root):
    index = root / INDEX
    faults, linked, tests = [], set(), known_tests(root)
    table = list(rows(index.read_text()))
    if not table:
        faults.append("it has no rows")
    for technique, files, names in table:
        paths = LINK.findall(files)
        if not paths:
            faults.append(f"{technique}: no file")
        for path in paths:
            target = (index.parent / path).resolve()
            linked.add(target)
            if not target.exists():
                faults.append(f"{technique}: no such file: {path}")
        if not CODE.findall(names):
            faults.append(f"{technique}: no test")
        faults += [f"{technique}: no such test: {name}" for name in CODE.findall(names) if name not in tests]
    for path in [*root.glob("examples/[0-9]*.cu"), *root.glob("examples/library/*.cu"),
                 *root.glob("examples/ladder/r[0-9]*.cu*")]:
        if path.resolve() not in linked:
            faults.append(f"{path.relative_to(root)} is in no row")
    return faults


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    faults = check(root)
    if faults:
        raise SystemExit("\n".join(f"{INDEX}: {fault}" for fault in faults))
    print("the index of the guide is complete")


if __name__ == "__main__":
    main()
