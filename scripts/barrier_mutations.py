#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes each barrier, fence and wait for copies of include/ out, one at a time, and says which lane of the SIMT device notices.

Works in a copy of the tree, where each barrier has a number and stands behind a question: the barrier whose number is
in the environment variable GPUPRIM_GONE is left out. So each test program is built once, when it is first needed, and
has to pass with all barriers there. The tests of the folder of the barrier's header come first, then those of its
users, the quickest first; the first that fails, or does not end in time, ends the search. The ThreadSanitizer lane is
asked before the plain one:

  scripts/barrier_mutations.py --list
  scripts/barrier_mutations.py [--work FOLDER] [--jobs N] [--limit SECONDS] [PATH[:LINE]]...

Ends with 1 if nobody noticed one of them.  --self-test plants barriers in a text and expects each to be found.
"""
import argparse
import functools
import itertools
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUESTION = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdlib>

namespace gpuprim_mutation {

inline const char* const gone = std::getenv("GPUPRIM_GONE");
inline const int gone_barrier = gone ? std::atoi(gone) : 0;
inline bool keeps(int barrier) { return barrier != gone_barrier; }

}  // namespace gpuprim_mutation
"""
# Lines keep their numbers.
INCLUDE = "#include <gpuprim_mutation.hpp>\n#line 1\n"
KEEPS = "gpuprim_mutation::keeps({number})"
# What is a barrier, and what stands there instead: an expression still, for it may be between `if` and `else`. A vote
# of the block is a barrier too: without it each thread goes by what it knows itself.
CALL = KEEPS + " ? {code} : void()"
VOTE = "[&](bool own) {{ return " + KEEPS + " ? {code}(own) : own; }}"
BARRIERS = (
    (re.compile(r"\b(?:block|warp|tile|cluster|grid|this_block)(?:\.|::)sync\(\)(?=;)"), CALL),
    (re.compile(r"\b__sync(?:threads|warp)\([^;]*\)(?=;)"), CALL),
    (re.compile(r"\b__threadfence(?:_block|_system)?\(\)(?=;)"), CALL),
    (re.compile(r"\bptx::wait_for_(?:copies|groups|copy_round|bulk_reads|copies_out)(?:<\d+>)?\([^;]*\)(?=;)"), CALL),
    (re.compile(r"\bptx::sync_cluster(?:_shared)?\(\)(?=;)"), CALL),
    (re.compile(r"\bptx::order_before_bulk_copies\(\)(?=;)"), CALL),
    (re.compile(r"\b(?:block\.|this_block::)any(?=\()"), VOTE),
)
# The instructions themselves, and the groups, of which all barriers are made.
NOT_IN = ("core/", "ptx/")
LANES = ("simt-tsan", "simt")
RACES = "test_device_races"  # of a file, tests/device/races.cu, and all others of a folder
EVERYWHERE = ("test_grid", "test_device", "test_device_segmented", "test_device_runs", "test_device_histogram",
              "test_device_search", "test_device_reduce", "test_device_scan", "test_device_select", "test_device_merge",
              "test_device_segmented_sort", "test_device_sort", "test_device_top_k")


def question_barriers(text, first):
    """The text of a header with a question before each barrier, and [(line, code)] of them, numbered from `first`."""
    found, lines = [], text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        code = line.split("//")[0]
        marks = sorted((m.start(), m.end(), instead) for what, instead in BARRIERS for m in what.finditer(code))
        found += [(at + 1, line[begin:end]) for begin, end, _ in marks]
        for number, (begin, end, instead) in reversed(list(enumerate(marks, first + len(found) - len(marks)))):
            line = line[:begin] + instead.format(number=number, code=line[begin:end]) + line[end:]
        lines[at] = line
    return (INCLUDE if found else "") + "".join(lines), found


def question_headers():
    """The new text of each header that has a barrier, and [(header, line, code)] of all, as they are numbered."""
    texts, barriers = {}, []
    for path in sorted((ROOT / "include/gpuprim").rglob("*.cuh")):
        name = path.relative_to(ROOT / "include/gpuprim").as_posix()
        text, found = question_barriers(path.read_text(), len(barriers) + 1)
        if found and not name.startswith(NOT_IN):
            texts[f"include/gpuprim/{name}"] = text
            barriers += [(name, *barrier) for barrier in found]
    return texts, barriers


def programs_for(name):
    """The test programs that a header concerns, the likeliest first."""
    folder = name.split("/")[:-1]
    if folder[0] == "device":
        own = {"columns": "segmented", "common": "", "input": ""}.get(folder[1], folder[1]) if folder[1:] else ""
        return [f"test_device_{own}", RACES, "test_device"] if own else [RACES, *EVERYWHERE[1:]]
    own = f"test_{folder[0]}"
    return [own, RACES, *(p for p in EVERYWHERE if p != own)]


def run(*command, **how):
    return subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)


def must(*command, **how):
    done = run(*command, **how)
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed: {' '.join(map(str, command))}")
    return done.stdout


def copy_tree(work, texts):
    """Leaves a file alone that has its text already, so that nothing is compiled for it."""
    names = must("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines()
    texts = {n: (ROOT / n).read_bytes() for n in names if (ROOT / n).is_file()} | {
        n: text.encode() for n, text in texts.items()}
    for name, text in texts.items():
        to = work / name
        if not to.exists() or to.read_bytes() != text:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(text)
            if (ROOT / name).exists():
                to.chmod((ROOT / name).stat().st_mode)


class Lane:
    def __init__(self, name, work, jobs, limit):
        self.name, self.build, self.jobs, self.limit = name, work / "build" / name, jobs, limit
        must("cmake", "--preset", name, cwd=work)
        self.programs = must("cmake", "--build", self.build, "--target", "help")

    def run(self, command, gone=0, usual=0.0):
        """What goes wrong in a test without the barrier of this number, or None; and the seconds that it takes."""
        begun, limit = time.monotonic(), max(self.limit, 5 * usual)
        code = run("timeout", "-k", "5", limit, *command, env=os.environ | {"GPUPRIM_GONE": str(gone)}).returncode
        return {0: None, 124: "time limit", 137: "time limit"}.get(code, "fails"), time.monotonic() - begun

    @functools.cache
    def tests_of(self, program):
        """(seconds, name, command) of each test of a program, the quickest first; none if the lane does not have it."""
        if not re.search(rf"\b{program}$", self.programs, re.M):
            return []
        must("cmake", "--build", self.build, "--target", program, "-j", self.jobs)
        tests = []
        for test in json.loads(must("ctest", "--test-dir", self.build, "--show-only=json-v1"))["tests"]:
            if str(self.build / "tests" / program) in test.get("command", []):
                wrong, seconds = self.run(test["command"])
                if wrong:
                    sys.exit(f"{self.name}: {test['name']}: {wrong} with all barriers there")
                print(f"{self.name}: {test['name']} passes with all barriers there | {seconds:.1f} s", flush=True)
                tests.append((seconds, test["name"], test["command"]))
        return sorted(tests)


def who_notices(lanes, number, header):
    """The lane and the test that notice first, or None; and the seconds that the tests took."""
    spent = 0.0
    for lane, program in itertools.product(lanes, programs_for(header)):
        for usual, name, command in lane.tests_of(program):
            wrong, seconds = lane.run(command, number, usual)
            spent += seconds
            if wrong:
                return f"{lane.name}: {name}" + " (time limit)" * (wrong == "time limit"), spent
    return None, spent


def self_test():
    planted = ("  block.sync();\n  // block.sync();\n  if (!block.any(x)) return;\n  __syncwarp(mask());\n  a();\n"
               "  if (one) this_block::sync();\n  __threadfence(); block.sync();  // __threadfence();\n"
               "  ptx::wait_for_groups<0>();\n  ptx::order_before_bulk_copies();\n  ptx::wait_for_previous_grid();\n")
    text, found = question_barriers(planted, 7)
    right = [line for line, _ in found] == [1, 3, 4, 6, 7, 7, 8, 9]
    right = right and re.findall(r"keeps\((\d+)\)", text) == [str(7 + i) for i in range(len(found))]
    right = right and text.startswith(INCLUDE) and text.count("\n") == planted.count("\n") + 2
    right = right and "  if (one) gpuprim_mutation::keeps(10) ? this_block::sync() : void();\n" in text
    right = right and "(![&](bool own) { return gpuprim_mutation::keeps(8) ? block.any(own) : own; }(x)) return" in text
    right = right and question_barriers("  a();  // block.sync();\n", 1) == ("  a();  // block.sync();\n", [])
    right = right and programs_for("device/runs/run_block.cuh") == ["test_device_runs", RACES, "test_device"]
    right = right and programs_for("device/columns/column_kernel.cuh")[0] == "test_device_segmented"
    right = right and all((ROOT / "tests" / p[5:].replace("_", "/", 1)).is_dir() for p in EVERYWHERE)
    texts, barriers = question_headers()
    right = right and sum(text.count("gpuprim_mutation::keeps(") for text in texts.values()) == len(barriers) > 0
    if not right:
        print(found, text)
    return 0 if right else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("asked", nargs="*", metavar="PATH[:LINE]", help="of include/gpuprim; all if there is none")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutations")
    parser.add_argument("--jobs", default="1", help="of the build")
    parser.add_argument("--limit", type=float, default=120,
                        help="seconds that a test may take; without a barrier, five times its own if that is more")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    texts, barriers = question_headers()
    barriers = [(number, *barrier) for number, barrier in enumerate(barriers, 1)
                if not options.asked or {barrier[0], f"{barrier[0]}:{barrier[1]}"} & set(options.asked)]
    if options.list or not barriers:
        for _, name, line, code in barriers:
            print(f"{name}:{line}: {code}")
        return 0 if barriers else f"no barrier in {options.asked}"
    copy_tree(options.work, texts | {"include/gpuprim_mutation.hpp": QUESTION})
    lanes = [Lane(name, options.work.resolve(), options.jobs, options.limit) for name in LANES]
    missed = 0
    for number, name, line, code in barriers:
        who, seconds = who_notices(lanes, number, name)
        missed += who is None
        print(f"{name}:{line}: {code} | {who or 'NOBODY'} | {seconds:.1f} s", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
