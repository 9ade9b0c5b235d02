#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the Markdown pages of a repository, without building anything. usage: docs.py [--write] [--web] [ROOT]

blocks    Before each fenced block stands where it comes from, in all pages but those of docs/lab/.
          C++, CMake: `<!-- FILE NAME -->`. A test of ctest compiles and runs FILE, or what includes it, and between two
          lines `// [NAME]` or `# [NAME]` in it stands the block. With --write, blocks are replaced by their regions.
          text: `<!-- output of TEST -->`, a test that gpuprim_add_output_test makes.
          sh: nothing, but its words are checked:
words     Of commands and of code spans: make targets, presets, targets, tests, files and GPUPRIM_..., SIMT_... exist.
links     Files and headings exist. With --web, web addresses answer.
index     docs/guide/index.md has rows `| technique | files | tests |`, with a link and a test in backticks at least,
          which exist; each example, and each rung of the ladder, is in some row.
names     Each public name of include/ is in a code span of docs/quick_reference.md.
quotes    What docs/limits.md has in quotation marks is a message of the headers.
examples  `@example FILE` in a header names a program that a test runs.
"""
import json
import re
import sys
import textwrap
import urllib.request
from pathlib import Path

from names import public_names
from sources import headers

INDEX, REFERENCE, LIMITS, LAB = "docs/guide/index.md", "docs/quick_reference.md", "docs/limits.md", "docs/lab/"
BLOCK = re.compile(r"(?:^<!-- (.+) -->\n)?^```(.*)\n((?s:.*?))^```$", re.M)
SPAN = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(<?([^)\s>]+)")
FOREACH = re.compile(r"foreach\((\w+) IN ITEMS ([^)]*)\)((?s:.*?))endforeach\(\)")
SOURCE = re.compile(r".*\.(?:cuh?|[ch]pp|h|py|sh|cmake|in)|CMakeLists\.txt")


class Repository:
    """What pages may name: files, and what the CMake files, the Makefile and the presets register."""

    def __init__(self, root):
        self.root = root
        # Folders of builds are not entered: other tests may be at work there.
        tops = [top for top in root.iterdir() if not top.name.startswith((".", "build"))]
        every = sorted(p for top in tops for p in (top, *top.rglob("*")))
        self.pages = {str(p.relative_to(root)): p.read_text() for p in every if p.suffix == ".md"}
        self.sources = {p: p.read_text() for p in every if SOURCE.fullmatch(p.name) and p.is_file()}
        self.words = set(re.findall(r"\w+", "\n".join(self.sources.values())))
        self.targets, self.tests, self.output_tests, self.programs = set(), set(), set(), {}
        for path, text in self.sources.items():
            if path.name == "CMakeLists.txt":
                self.read_list(path.parent, text)
        self.make_targets = re.findall(r"^([\w-]+):", (root / "Makefile").read_text(), re.M)
        presets = json.loads((root / "CMakePresets.json").read_text())["configurePresets"]
        self.presets = [preset["name"] for preset in presets]

    def read_list(self, folder, text):
        """Targets, tests and their programs of a CMakeLists.txt."""
        text = FOREACH.sub(lambda m: "".join(m[3].replace("${" + m[1] + "}", word) for word in m[2].split()), text)
        self.output_tests.update(re.findall(r"gpuprim_add_output_test\(([\w.]+)\s", text))
        tests = re.findall(r"add_test\(NAME ([\w.]+)\s", text)
        commands = re.findall(r"add_test\(NAME ([\w.]+)\s+COMMAND (\w+)", text)
        for target, files in re.findall(r"add_executable\((\w+)([^)]*)\)", text):
            self.targets.add(target)
            for test in [test for test, command in commands if command == target]:
                self.programs.update({folder / file: test for file in files.split()})
        # Examples, tests and the projects of the package test are found by their places.
        for patterns in re.findall(r"file\(GLOB examples [^\"]*\"[^\"]*\"([^)]*)\)", text):
            self.add_found(folder, "example", [p for one in re.findall(r'"(.*?)"', patterns) for p in folder.glob(one)])
        for names in re.findall(r"set\(GPUPRIM_TEST_FOLDERS ([^)]*)\)", text):
            files = [p for name in names.split() for p in (folder / name).rglob("*.cu")]
            self.add_found(folder, "test", [p for p in files if "\nTEST_CASE(" in p.read_text()])
        self.tests.update(tests)
        packages = [test for test in tests if test.startswith("package.")]
        self.programs.update({folder / test.removeprefix("package.") / "CMakeLists.txt": test for test in packages})

    def add_found(self, folder, kind, files):
        for file in files:
            parts = [kind, *file.relative_to(folder).with_suffix("").parts]
            self.tests.add("_".join(parts))
            self.targets.add("_".join(parts if kind == "example" else parts[:-1]))
            self.programs[file] = "_".join(parts)

    def runs(self, file):
        """Whether a test of ctest compiles and runs a file, or a program that includes it."""
        included = re.compile(rf'#include "(?:\.\./)?{re.escape(Path(file).name)}"')
        return self.root / file in self.programs or any(included.search(self.sources.get(p, "")) for p in self.programs)

    def has(self, page, file):
        folders = [Path(page).parent, ".", "include", "include/gpuprim", "simt/include"]
        return any((self.root / folder / file).exists() for folder in folders)

    def region(self, file, name):
        marks = r"^[ ]*(?://|#) \[" + re.escape(name) + r"\]\n"
        parts = re.split(marks, self.sources.get(self.root / file, ""), flags=re.M)
        return textwrap.dedent(parts[1]) if len(parts) == 3 else None


def check_block(repository, origin, language, code):
    """The fault of a block, or an empty text; and what the block should be."""
    title = f"the block `{code.splitlines()[0]}`" if code else "an empty block"
    origin = origin or ""
    if language == "sh":
        return "", code
    if language == "text":
        return "" if origin.removeprefix("output of ") in repository.output_tests else f"no test prints {title}", code
    file, _, name = origin.partition(" ")
    if language not in ("cpp", "cmake") or not name:
        return f"{title} names no region", code
    want = repository.region(file, name)
    if want is None:
        return f"{file}: region [{name}] must be marked by exactly two lines", code
    if not repository.runs(file):
        return f"no test runs {file}, which has {title}", want
    return "" if code == want else f"{title} differs from region [{name}] of {file}", want


def check_words(repository, page, words):
    """Faults of a command or a code span."""
    for name in re.findall(r"(?<![\w-])make ([a-z][\w-]*)", words):
        if name not in repository.make_targets:
            yield f"no such make target: {name}"
    for name in re.findall(r"--preset ([\w-]+)", words):
        if name not in repository.presets:
            yield f"no such preset: {name}"
    for name in re.findall(r"(?:--build \S+ --target |build/[\w-]+/(?:tests|benchmarks)/)(\w+)", words):
        if name not in repository.targets:
            yield f"no such target: {name}"
    for program, file in re.findall(r"(\w+) -# '\[#(\w+)\]'", words):
        if f"{program}_{file}" not in repository.tests:
            yield f"no such file of {program}: {file}"
    for name in re.findall(r"\b(?:test|example)_[a-z0-9_]+\b|\blint\.\w+", words):
        if name not in repository.tests | repository.targets:
            yield f"no such test: {name}"
    for name in re.findall(r"(?<![\w$<>./-])\.?\w[\w.-]*/[\w./-]+\.(?:cuh?|[ch]pp|py|sh|cmake|json|txt)\b", words):
        if not name.startswith("build/") and not repository.has(page, name):
            yield f"no such file: {name}"
    for name in re.findall(r"\b(?:GPUPRIM|SIMT|GPU_TEST)_[A-Z_]+\b", words):
        if name not in repository.words:
            yield f"no such variable: {name}"


def headings(text):
    """The anchors of a page."""
    titles = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in plain}


def check_link(repository, page, target, web):
    if re.match(r"[a-z]+:", target):
        if web:
            try:
                urllib.request.urlopen(target, timeout=20).close()
            except OSError as error:
                return f"{target}: {error}"
        return ""
    path, _, anchor = target.partition("#")
    file = (repository.root / page).parent / path if path else repository.root / page
    if not file.exists():
        return f"no such file: {target}"
    return f"no such heading: {target}" if anchor and anchor not in headings(file.read_text()) else ""


def check_page(repository, page, text, web):
    if re.search(r"^(<{7}|>{7}) ", text, re.M):
        yield "it has both sides of a merge that was not settled"
    if not page.startswith(LAB):
        blocks = list(BLOCK.finditer(text))
        if 2 * len(blocks) != len(re.findall(r"^\s*```", text, re.M)):
            yield "a fence does not begin its line, or has no end"
        for match in blocks:
            yield check_block(repository, *match.groups())[0]
        prose = BLOCK.sub("", text)
        for words in [*SPAN.findall(prose), *[match[3] for match in blocks if match[2] == "sh"]]:
            yield from check_words(repository, page, " ".join(words.split()))
    for target in LINK.findall(SPAN.sub("", BLOCK.sub("", text))):
        yield check_link(repository, page, target, web)


def check_index(repository):
    text, linked, rows = repository.pages[INDEX], set(), 0
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] == "technique" or set(cells[0]) <= set("-: "):
            continue
        rows += 1
        technique, files, names = cells
        linked.update((repository.root / INDEX).parent.joinpath(path).resolve() for path in LINK.findall(files))
        if not LINK.findall(files):
            yield f"{technique}: no file"
        if not SPAN.findall(names):
            yield f"{technique}: no test"
        for name in SPAN.findall(names):
            if name not in repository.tests:
                yield f"{technique}: no such test: {name}"
    if not rows:
        yield "it has no rows"
    examples = [file for file, test in repository.programs.items() if test.startswith("example_")]
    for file in [*examples, *(repository.root / "examples").glob("ladder/r[0-9]*.cu*")]:
        if file.resolve() not in linked:
            yield f"{file.relative_to(repository.root)} is in no row"


def check_names(repository):
    spans = " ".join(SPAN.findall(BLOCK.sub("", repository.pages[REFERENCE])))
    listed = set(re.findall(r"\w+", spans))
    for name, header in sorted(public_names(repository.root / "include").items()):
        if name not in listed:
            yield f"{name} of {header.relative_to(repository.root)} is not listed"


def check_quotes(repository):
    # Literals that follow each other are one.
    sources = re.sub(r'"\s*"', "", "\n".join(path.read_text() for path in headers(repository.root / "include")))
    for quote in re.findall(r'"([^"]+)"', BLOCK.sub("", repository.pages[LIMITS])):
        if " ".join(quote.split()) not in sources:
            yield f"no header has the message: {' '.join(quote.split())}"


def check_examples(repository):
    for header in headers(repository.root / "include"):
        for file in re.findall(r"@example (\S+)", header.read_text()):
            if not repository.runs(file):
                yield f"{header.relative_to(repository.root)}: no test runs the example {file}"


def check(root, web=False):
    repository = Repository(root)
    faults = [f"{page}: {fault}" for page, text in repository.pages.items()
              for fault in check_page(repository, page, text, web) if fault]
    faults += [f"{INDEX}: {fault}" for fault in check_index(repository)]
    faults += [f"{REFERENCE}: {fault}" for fault in check_names(repository)]
    faults += [f"{LIMITS}: {fault}" for fault in check_quotes(repository)]
    return faults + list(check_examples(repository))


def write(root):
    repository = Repository(root)
    for page, text in repository.pages.items():
        if not page.startswith(LAB):
            def replaced(match):
                code = check_block(repository, *match.groups())[1]
                return match[0].removesuffix(match[3] + "```") + code + "```"
            (root / page).write_text(BLOCK.sub(replaced, text))


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    roots = [Path(a) for a in sys.argv[1:] if not a.startswith("--")]
    root = (roots or [Path(__file__).parents[2]])[0].resolve()
    if "--write" in options:
        write(root)
    faults = check(root, web="--web" in options)
    if faults:
        raise SystemExit("\n".join(faults))
    print("the pages name what is there")


if __name__ == "__main__":
    main()
