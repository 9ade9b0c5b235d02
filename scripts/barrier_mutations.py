#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes each barrier and fence of include/ out, one at a time, and says which lane of the SIMT device notices.

Works in a copy of the tree, where it builds the test programs that a header concerns, those of its own folder first.
The ThreadSanitizer lane is asked before the plain one; the first test that fails ends the question. It takes minutes a
barrier, and is run by hand:

  scripts/barrier_mutations.py --list
  scripts/barrier_mutations.py [--work FOLDER] [--jobs N] [--limit SECONDS] [PATH[:LINE]]...

Ends with 1 if nobody noticed one of them.  --self-test plants barriers in a text and expects each to be found.
"""
import argparse
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A vote of the block is a barrier too: without it each thread goes by what it knows itself.
BARRIERS = (
    (re.compile(r"\b(?:block|warp|tile|cluster|grid|this_block)(?:\.|::)sync\(\);"), ";"),
    (re.compile(r"\b__sync(?:threads|warp)\([^;]*\);"), ";"),
    (re.compile(r"\b__threadfence(?:_block|_system)?\(\);"), ";"),
    (re.compile(r"\bptx::wait_for_copies\(\);"), ";"),
    (re.compile(r"\b(?:block\.|this_block::)any(?=\()"), "bool"),
)
# The instructions themselves, and the groups, of which all barriers are made.
NOT_IN = ("core/", "ptx/")
LANES = ("simt-tsan", "simt")
EVERYWHERE = ("test_grid", "test_device", "test_device_reduce", "test_device_segmented", "test_device_runs",
              "test_device_histogram", "test_device_search")


def find_barriers(text):
    """(line from 1, begin, end, what stands there instead) of each barrier in the text of a header."""
    found = []
    begin = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        code = line.split("//")[0]
        for what, instead in BARRIERS:
            found += [(number, begin + m.start(), begin + m.end(), instead) for m in what.finditer(code)]
        begin += len(line)
    return sorted(found)


def list_barriers(asked):
    for path in sorted((ROOT / "include/gpuprim").rglob("*.cuh")):
        name = path.relative_to(ROOT / "include/gpuprim").as_posix()
        if name.startswith(NOT_IN):
            continue
        text = path.read_text()
        for line, begin, end, instead in find_barriers(text):
            if not asked or name in asked or f"{name}:{line}" in asked:
                yield name, line, text[begin:end], text[:begin] + instead + text[end:]


def programs_for(name):
    """The test programs that a header concerns, the likeliest first."""
    folder = name.split("/")[:-1]
    if folder[0] == "device":
        own = {"columns": "segmented", "common": "", "input": ""}.get(folder[1], folder[1]) if folder[1:] else ""
        return [f"test_device_{own}", "test_device"] if own else list(EVERYWHERE[1:])
    own = f"test_{folder[0]}"
    return [own, *(p for p in EVERYWHERE if p != own)]


def tests_of(program):
    """The names that tests/CMakeLists.txt gives to the files of a program."""
    folder = ROOT / "tests" / program.removeprefix("test_").replace("_", "/")
    return [f"{program}_{path.stem}" for path in sorted(folder.glob("*.cu"))]


def run(*command, **how):
    return subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)


def must(*command, **how):
    done = run(*command, **how)
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed: {' '.join(map(str, command))}")
    return done.stdout


def write(path, text):
    """Leaves a file alone that has the text already, so that nothing is compiled for it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def copy_tree(work):
    names = must("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines()
    for name in filter(lambda n: (ROOT / n).is_file(), names):
        to = work / name
        if not to.exists() or to.read_bytes() != (ROOT / name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to)


def ask(work, lane, program, jobs, limit):
    """The tests of a program that fail in a lane, or None if the lane has no such program."""
    build = work / "build" / lane
    if not re.search(rf"\b{program}$", must("cmake", "--build", build, "--target", "help"), re.M):
        return None
    if run("cmake", "--build", build, "--target", program, "-j", jobs).returncode:
        return ["does not compile"]
    tests = "|".join(tests_of(program))
    said = run("ctest", "--test-dir", build, "-R", f"^({tests})$", "--timeout", limit, "--stop-on-failure").stdout
    return re.findall(r"Test +#\d+: (\S+) \.*\*\*\*", said)


def who_notices(work, name, jobs, limit):
    for lane in LANES:
        for program in programs_for(name):
            failed = ask(work, lane, program, jobs, limit)
            if failed:
                return f"{lane}: {failed[0]}"
    return None


def self_test():
    planted = ("  block.sync();\n  // block.sync();\n  if (!block.any(x)) return;\n  __syncwarp(mask());\n  a();\n"
               "  if (one) this_block::sync();\n  __threadfence();  // __threadfence();\n  ptx::wait_for_copies();\n")
    lines = [line for line, *_ in find_barriers(planted)]
    gone = planted
    for _, begin, end, instead in reversed(find_barriers(planted)):
        gone = gone[:begin] + instead + gone[end:]
    rest = re.sub(r"//.*", "", gone)
    right = lines == [1, 3, 4, 6, 7, 8] and not re.search(r"sync|fence|any|wait", rest) and "bool(x)" in rest
    right = right and programs_for("device/runs/run_block.cuh") == ["test_device_runs", "test_device"]
    right = right and programs_for("device/columns/column_kernel.cuh")[0] == "test_device_segmented"
    right = right and all(tests_of(p) for p in EVERYWHERE)
    if not right:
        print(lines, gone)
    return 0 if right else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("asked", nargs="*", metavar="PATH[:LINE]", help="of include/gpuprim; all if there is none")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutations")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--limit", default="120", help="seconds that a test may take")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    barriers = list(list_barriers(options.asked))
    if options.list or not barriers:
        for name, line, code, _ in barriers:
            print(f"{name}:{line}: {code}")
        return 0 if barriers else f"no barrier in {options.asked}"
    copy_tree(options.work)
    for lane in LANES:
        must("cmake", "--preset", lane, cwd=options.work)
    missed = 0
    for name, line, code, without in barriers:
        header, begun = options.work / "include/gpuprim" / name, time.monotonic()
        whole = header.read_text()
        write(header, without)
        try:
            who = who_notices(options.work, name, options.jobs, options.limit)
        finally:
            write(header, whole)
        missed += who is None
        print(f"{name}:{line}: {code} | {who or 'NOBODY'} | {time.monotonic() - begun:.0f} s", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
