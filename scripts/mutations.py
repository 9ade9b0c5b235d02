#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes small faults in include/, one at a time, and says which test notices each: mutation testing.

  scripts/mutations.py --list [--kind KIND]... [PATH[:LINE]]...
  scripts/mutations.py [--kind KIND]... [--seed N --count N] [--lanes LANE,...] [--built] [PATH[:LINE]]...
  scripts/mutations.py --table

Kinds of faults:
  barrier  a barrier, a fence, a wait for copies or a vote of the block is left out
  order    a release or an acquire becomes relaxed
  kernel   an operator of device code is another one, has its operands swapped, or is off by one
  host     the same in code of the host
Each operator has one fault, which the seed draws. Of kernel and host code --count takes a sample: one fault of each
header, in an order that the seed draws, then a second one, and so on. A larger count has all faults of a smaller one.

Works in a copy of the tree, where each fault has a number and stands behind a question: the fault whose number is in
the environment variable GPUPRIM_MUTANT is made. So each test program is built once, when it is first needed, and has
to pass without a fault; the questions that it asks then say which tests reach which fault. Those of the header's own
folder come first, and the quickest of them; the first test that fails, or does not end in time, ends the search. Lanes
are asked one after the other: weak, simt-tsan (both of the tree simt-tsan) and simt. Barriers are asked about in all
three, orders in the first two, and operators in the last one.

The compiler answers the questions by "no": what is known at compile time, such as arguments of templates, static_assert
and constexpr variables, has no faults. A fault that does not compile is dropped. Results are added to
docs/lab/mutations.json, and what stands there is not asked again. A fault that nobody notices gets its "reason" there
by hand, if it changes no result. --built leaves the faults for a later run that no program of the trees notices, and
builds nothing more. Ends with 1 if a fault is left that is not noticed and has no reason.

--table writes the table of docs/lab/mutations.md, as each result does.
--self-test plants faults in a text and expects each to be found.
"""
import argparse
import collections
import functools
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/lab/mutations.json"
PAGE = ROOT / "docs/lab/mutations.md"
KINDS = ("barrier", "order", "kernel", "host")
LANES = {"barrier": "weak,simt-tsan,simt", "order": "weak,simt-tsan", "kernel": "simt", "host": "simt"}
TESTS = ("core", "thread", "warp", "block", "cluster", "grid", "launch", "device", "distributed")  # folders of tests/
MOST = 1 << 14  # numbers of faults

# What stands instead of a barrier is an expression still, for it may be between `if` and `else`. Without a vote of the
# block each thread goes by what it knows itself.
ASK = "gpuprim_mutation::changed({number})"
CALL = ASK + " ? void() : ", ""
VOTE = "[&](bool own) { return " + ASK + " ? own : ", "(own); }"
BARRIERS = (
    (r"\b(?:block|warp|tile|cluster|grid|this_block)(?:\.|::)sync\(\)(?=;)", CALL),
    (r"\b__sync(?:threads|warp)\([^;]*\)(?=;)", CALL),
    (r"\b__threadfence(?:_block|_system)?\(\)(?=;)", CALL),
    (r"\bptx::wait_for_(?:copies|groups|copy_round|bulk_reads|copies_out)(?:<\d+>)?\([^;]*\)(?=;)", CALL),
    (r"\bptx::sync_cluster(?:_shared)?\(\)(?=;)", CALL),
    (r"\bptx::order_before_bulk_copies\(\)(?=;)", CALL),
    (r"\b(?:block\.|this_block::)any(?=\()", VOTE),
)
# The call without its order, as the SIMT device makes it.
WEAKER = "[&](auto... with) { return " + ASK + " ? {weaker} : ", "(with...); }"
ORDERS = (
    ("load_acquire", "acquire", "ptx::load_relaxed(with...)"),
    ("store_release", "release", "ptx::store_relaxed(with...)"),
    ("add_release", "release", "void(atomicAdd(with...))"),
    ("arrive_in_order", "release", "gpuprim_mutation::then_acquire(atomicInc(with...))"),
    ("arrive_in_order", "acquire", "(::simt::release_fence(), atomicInc(with...))"),
    ("add_in_order", "release", "gpuprim_mutation::then_acquire(atomicAdd(with...))"),
    ("add_in_order", "acquire", "(::simt::release_fence(), atomicAdd(with...))"),
)
# `a < b` becomes `a < fault<number, change>{} < b`, which binds as before: the first operator keeps `a`, and the second
# one computes.
OPERATORS = {
    "<": ("a <= b", "b < a"), ">": ("a >= b", "b > a"), "<=": ("a < b",), ">=": ("a > b",),
    "==": ("a != b", "a == b - 1"), "!=": ("a == b",),
    "+": ("a - b", "a + b + 1"), "-": ("a + b", "b - a", "a - b - 1"),
    "*": ("a * b - 1",), "/": ("b / a", "a / b + 1"), "%": ("b % a",), "<<": ("a >> b", "b << a"), ">>": ("a << b",),
}
CHANGES = [(sign, change) for sign, changes in OPERATORS.items() for change in changes]
OPERATOR = re.compile(r"(?<=[\w)\]}] )(?:" + "|".join(re.escape(o) for o in sorted(OPERATORS, key=len, reverse=True))
                      + r")(?= [\w(!~*&:{-])")
EXTREME = re.compile(r"\(std::(min|max)\)(?=\()")
# `a && b` becomes `((a) != changed && (b) != changed) != changed`, which is `a || b` by De Morgan's law.
LOGIC = re.compile(r"(?<= )(?:&&|\|\|)(?= )")
CONSTANT = re.compile(r"static_assert|\btemplate\b|\brequires\b|\bconcept\b|^\s*#|if constexpr|\bconstexpr\b[^({]*=|"
                      r"\busing\b|\benum\b|\bcase\b|alignas|\basm\b|\boperator\b|\bGPUPRIM_[A-Z]+\(|\\$")
DEVICE = re.compile(r"__device__|__global__|GPUPRIM_HOST_DEVICE")
HEAD = re.compile(r" {0,2}(?!(?:return|else|if|for|while|switch|case|static_assert)\b)[\w:\[](?:[^=(]* )[\w:~]+\(")
# The instructions themselves, and the groups, of which all barriers are made; what only GPUs compile, and launch
# shapes, which are constants.
NOT_IN = dict.fromkeys(("barrier", "order"), ("core/", "ptx/")) | dict.fromkeys(
    ("kernel", "host"), ("ptx/", "nvrtc/", "policy/"))

QUESTION = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cuda_runtime.h>

#include <cstdlib>
#include <type_traits>
#include <fcntl.h>
#include <sys/mman.h>

namespace gpuprim_mutation {

inline const int mutant = std::getenv("GPUPRIM_MUTANT") ? std::atoi(std::getenv("GPUPRIM_MUTANT")) : 0;

// A byte of a file for each question that is asked. Tests fork: all of them share it.
inline unsigned char* map_asked() {
  const char* const name = std::getenv("GPUPRIM_ASKED");
  const int file = name ? open(name, O_RDWR) : -1;
  void* const at = file < 0 ? MAP_FAILED : mmap(nullptr, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : static_cast<unsigned char*>(at);
}
inline unsigned char* const asked = map_asked();

[[gnu::no_sanitize_thread, gnu::no_sanitize_address, gnu::noinline]] inline bool ask(int number) {
  if (asked) asked[number] = 1;
  return number == mutant;
}
constexpr bool changed(int number) { return std::is_constant_evaluated() ? false : ask(number); }

inline unsigned then_acquire(unsigned value) {
  ::simt::acquire_fence();
  return value;
}

template <int Number, int Change>
struct fault {};
template <class A, int Number, int Change>
struct left {
  A a;
};
template <int Change>
struct change;

template <int Number, class T>
constexpr T min(T a, T b) { return changed(Number) == (a < b) ? b : a; }
template <int Number, class T>
constexpr T max(T a, T b) { return changed(Number) == (a < b) ? a : b; }
"""
WITH_CHANGE = """
template <>
struct change<{at}> {{
  template <class A, class B>
  static constexpr auto make(A a, B b) {{ return {change}; }}
}};
"""
WITH_OPERATOR = """
template <class A, int Number, int Change>
constexpr left<A, Number, Change> operator{sign}(A a, fault<Number, Change>) {{ return {{a}}; }}
template <class A, int Number, int Change, class B>
constexpr auto operator{sign}(left<A, Number, Change> l, B b) {{
  using type = decltype(l.a {sign} b);
  return changed(Number) ? static_cast<type>(change<Change>::make(l.a, b)) : l.a {sign} b;
}}
"""
# Lines keep their numbers.
INCLUDE = "#include <gpuprim_mutation.hpp>\n#line 1\n"


def question_text():
    parts = [QUESTION.replace("MOST", str(MOST))]
    parts += [WITH_CHANGE.format(at=at, change=change) for at, (_, change) in enumerate(CHANGES)]
    parts += [WITH_OPERATOR.format(sign=sign) for sign in OPERATORS]
    return "".join(parts) + "\n}  // namespace gpuprim_mutation\n"


@dataclass(frozen=True)
class Fault:
    kind: str
    header: str
    line: int  # from 1
    text: str  # of the line
    copy: int  # of those faults of the header that have all this in common
    code: str  # what is changed
    to: str
    edits: tuple  # ((column, order among insertions there, text with "{number}"), ...)

    @property
    def key(self):
        return self.kind, self.header, self.text, self.code, self.copy


def draw(seed, *words):
    """A number that depends on its arguments alone."""
    return int.from_bytes(hashlib.sha256(repr((seed, words)).encode()).digest()[:8], "big")


def operand(code, sign):
    """The length of the operand of `&&` or `||` that a text begins with; None if it goes on in another line."""
    opens, depth, flat = {")": "(", "]": "[", "}": "{"}, 0, ""
    for letter in code:
        depth -= letter in ")]}"
        if depth < 0:
            break
        flat += "_" if depth else letter
        depth += letter in "([{"
    end = re.search(r"[,;?]| : | = | nruter\b| \|\| " + "| && " * (sign == "&&"), flat)
    return end.start() if end else len(flat) if depth < 0 else None


def mirrored(code):
    return code[::-1].translate(str.maketrans("()[]{}", ")(][}{"))


def find_faults(header, text, seed):
    """All faults of a header, in the order of its text."""
    found, seen, lines, where, is_constant = [], collections.Counter(), text.splitlines(), "host", False

    def add(kind, number, at, code, to, *edits):
        what = kind, code, lines[number].strip()
        found.append((number, at, Fault(kind, header, number + 1, what[2], seen[what], code, to, edits)))
        seen[what] += 1

    for number, line in enumerate(lines):
        code = re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: "_" * len(m[0]), line.split("//")[0]).rstrip()
        if DEVICE.search(code):
            where = "kernel"
        elif HEAD.match(code) and code[-1] != ";":
            where = "host"
        for what, (before, after) in BARRIERS:
            for m in re.finditer(what, code):
                add("barrier", number, m.start(), m[0], "", (m.start(), 0, before), (m.end(), 0, after))
        for name, order, weaker in ORDERS:
            for m in re.finditer(rf"\bptx::{name}(?=\()", code):
                add("order", number, m.start(), m[0], f"no {order}",
                    (m.start(), 0, WEAKER[0].replace("{weaker}", weaker)), (m.end(), 0, WEAKER[1]))
        is_continued, is_constant = is_constant, bool(is_constant or CONSTANT.search(code)) and code[-1:] not in ";{}>"
        if is_continued or CONSTANT.search(code):
            continue
        for m in OPERATOR.finditer(code):
            ways = [at for at, (sign, _) in enumerate(CHANGES) if sign == m[0]]
            way = ways[draw(seed, header, code, m.start()) % len(ways)]
            add(where, number, m.start(), m[0], CHANGES[way][1],
                (m.end(), 0, f" gpuprim_mutation::fault<{{number}}, {way}>{{}} {m[0]}"))
        for m in EXTREME.finditer(code):
            add(where, number, m.start(), m[1], {"min": "max", "max": "min"}[m[1]],
                (m.start(), 0, f"gpuprim_mutation::{m[1]}<{{number}}>/*"), (m.end(), 0, "*/"))
        if m := LOGIC.search(code):
            left, right = operand(mirrored(code[:m.start() - 1]), m[0]), operand(code[m.end() + 1:], m[0])
            if left and right:
                begin, end = m.start() - 1 - left, m.end() + 1 + right
                add(where, number, m.start(), m[0], {"&&": "a || b", "||": "a && b"}[m[0]],
                    (begin, -1, "((bool("), (m.start() - 1, 0, f") != {ASK}"), (m.end() + 1, 0, "bool("),
                    (end, 1, f") != {ASK}) != {ASK})"))
    return [fault for *_, fault in sorted(found, key=lambda entry: entry[:2])
            if not header.startswith(NOT_IN[fault.kind])]


def all_faults(seed):
    """Each fault of include/ with its number, which does not depend on those that are chosen."""
    names = sorted((path.relative_to(ROOT / "include/gpuprim").as_posix(), path)
                   for path in (ROOT / "include/gpuprim").rglob("*.?*") if path.suffix in (".cuh", ".hpp"))
    return dict(enumerate((fault for name, path in names for fault in find_faults(name, path.read_text(), seed)), 1))


def operators(faults):
    return {number: fault for number, fault in faults.items() if fault.kind in ("kernel", "host")}


def sample(faults, seed, count):
    """The numbers of `count` faults, of each header as many as of others, as far as it has them."""
    ranks, order = collections.Counter(), []
    for drawn, number in sorted((draw(seed, fault.key), number) for number, fault in faults.items()):
        header = faults[number].header
        order.append((ranks[header], draw(seed, header), drawn, number))
        ranks[header] += 1
    return [number for *_, number in sorted(order)][:count]


def with_questions(text, faults):
    """The text of a header with a question for each of its faults, which are given by their numbers."""
    lines = text.splitlines(keepends=True)
    edits = [(fault.line - 1, *edit, number) for number, fault in faults.items() for edit in fault.edits]
    for line, column, _, new, number in sorted(edits, reverse=True):
        lines[line] = lines[line][:column] + new.replace("{number}", str(number)) + lines[line][column:]
    return INCLUDE * bool(faults) + "".join(lines)


@functools.cache
def programs():
    """{program: the names of its files}, as tests/CMakeLists.txt makes them of the folders."""
    found = collections.defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("*.cu")):
        folder = path.relative_to(ROOT / "tests").parent.as_posix()
        if folder.split("/")[0] in TESTS:
            found["test_" + (folder + "/races" if path.stem == "races" else folder).replace("/", "_")].append(path.stem)
    return found


def programs_for(header):
    """The test programs that a header may concern, the likeliest first."""
    *folders, name = header.split("/")
    stem, words = name.split(".")[0], set(re.split(r"[_./]", header))
    folders += [stem] * (folders == ["device"])
    own = "_".join(["test", *folders]).replace("columns", "segmented").replace("transpose", "transform")
    return sorted(programs(), key=lambda program: (
        program != own, stem not in programs()[program], program != "test_device_races",
        -len(words & set(program.split("_"))), len(programs()[program])))


def run(*command, **how):
    return subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)


def must(*command, **how):
    done = run(*command, **how)
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed: {shlex.join(map(str, command))}")
    return done.stdout


class Tree:
    """A copy of the repository with the questions of those faults that compile."""

    def __init__(self, work, faults, results):
        self.work, self.faults, self.results = work, faults, results
        names = must("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines()
        self.texts = {name: (ROOT / name).read_bytes() for name in names if (ROOT / name).is_file()}
        self.texts["include/gpuprim_mutation.hpp"] = question_text().encode()
        self.write()
        self.check()

    def write(self):
        """Leaves a file alone that has its text already, so that nothing is compiled for it."""
        texts, of_header = dict(self.texts), collections.defaultdict(dict)
        for number, fault in self.faults.items():
            of_header[f"include/gpuprim/{fault.header}"][number] = fault
        for name, faults in of_header.items():
            texts[name] = with_questions(texts[name].decode(), faults).encode()
        for name, text in texts.items():
            to = self.work / name
            if not to.exists() or to.read_bytes() != text:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(text)
                if (ROOT / name).exists():
                    to.chmod((ROOT / name).stat().st_mode)

    def drop(self, output):
        """Drops the faults of the lines that a compiler refuses, or of those that it came from."""
        for what in (r"gpuprim/(\S+?):(\d+)(?::\d+)?: error:", r"gpuprim/(\S+?):(\d+)(?::\d+)?:   required "):
            lines = {(header, int(line)) for header, line in re.findall(what, output)}
            bad = [number for number, fault in self.faults.items() if (fault.header, fault.line) in lines]
            if bad:
                break
        else:
            sys.exit(f"{output}\nno fault is to blame")
        for number in bad:
            fault = self.faults.pop(number)
            note(self.results, fault, compiles=False)
            print(f"{tell(fault)} | does not compile", flush=True)
        self.write()

    def check(self):
        """All headers in one unit, before the tests are compiled."""
        unit = self.work / "all_headers.cpp"
        while True:
            headers = sorted({fault.header for fault in self.faults.values()})
            unit.write_text("".join(f"#include <gpuprim/{header}>\n" for header in headers))
            done = run("g++", "-std=c++20", "-fsyntax-only", "-w", f"-I{self.work}/include",
                       f"-I{self.work}/simt/include", f"-I{self.work}/tests/support/nccl", unit)
            if not done.returncode:
                return
            self.drop(done.stdout)


class Lane:
    def __init__(self, name, tree, options):
        self.name, self.tree, self.options = name, tree, options
        self.suffix = "_weak" if name == "weak" else ""
        preset = "simt-tsan" if name == "weak" else name
        self.build = tree.work / "build" / preset
        must("cmake", "--preset", preset, cwd=tree.work)
        self.targets = must("cmake", "--build", self.build, "--target", "help")

    def run(self, command, limit, **names):
        """What goes wrong in a test with these names in its environment, or None; and the seconds that it takes."""
        begun, environment = time.monotonic(), os.environ | {key: str(value) for key, value in names.items()}
        environment["TSAN_OPTIONS"] = "halt_on_error=1:atexit_sleep_ms=0:symbolize=0"
        code = run("timeout", "-k", "5", limit, *command, env=environment).returncode
        return {0: None, 124: "time limit", 137: "time limit"}.get(code, "fails"), time.monotonic() - begun

    @functools.cache
    def tests_of(self, program):
        """[(seconds, name, command, numbers that it asks)] of a program, the quickest first; [] if there is none."""
        target, asked = program + self.suffix, self.tree.work / "asked"
        path = self.build / "tests" / target
        if not re.search(rf"\b{target}$", self.targets, re.M) or (self.options.built and not path.exists()):
            return []
        build = ("cmake", "--build", self.build, "--target", target, "-j", self.options.jobs)
        while not self.options.built and (done := run(*build)).returncode:
            self.tree.drop(done.stdout)
        tests = []
        for test in json.loads(must("ctest", "--test-dir", self.build, "--show-only=json-v1"))["tests"]:
            if str(path) in (command := test.get("command", [])):
                if self.options.schedules and "--schedules" in command:
                    command = [*command[:command.index("--schedules") + 1], self.options.schedules]
                asked.write_bytes(bytes(MOST))
                wrong, seconds = self.run(command, 900, GPUPRIM_ASKED=asked)
                if wrong:
                    sys.exit(f"{self.name}: {test['name']}: {wrong} without a fault")
                numbers = {number for number, byte in enumerate(asked.read_bytes()) if byte}
                print(f"{self.name}: {test['name']} passes without a fault | {seconds:.1f} s | "
                      f"reaches {len(numbers & self.tree.faults.keys())} faults", flush=True)
                tests.append((seconds, test["name"], command, numbers))
        return sorted(tests, key=lambda test: test[:2])


def who_notices(lanes, number, header):
    """The lane and the test that notice first, or None; how many tests reach the fault; and the seconds they took."""
    spent, reached = 0.0, 0
    for lane, program in ((lane, program) for lane in lanes for program in programs_for(header)):
        for usual, name, command, numbers in lane.tests_of(program):
            if number in numbers:
                reached += 1
                wrong, seconds = lane.run(command, lane.options.limit + 4 * usual, GPUPRIM_MUTANT=number)
                spent += seconds
                if wrong:
                    return f"{lane.name}: {name}" + " (time limit)" * (wrong == "time limit"), reached, spent
    return None, reached, spent


def tell(fault):
    return f"{fault.header}:{fault.line}: {fault.kind}: {fault.code} -> {fault.to or 'nothing'} in `{fault.text}`"


def read_results():
    entries = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    return {(e["kind"], e["header"], e["text"], e["from"], e.get("copy", 0)): e for e in entries}


def write_results(results):
    entries = sorted(results.values(), key=lambda e: (KINDS.index(e["kind"]), e["header"], e["text"], e["from"],
                                                      e.get("copy", 0)))
    RESULTS.write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n")
    PAGE.write_text(with_table(PAGE.read_text(), results))


def note(results, fault, **what):
    entry = {"kind": fault.kind, "header": fault.header, "text": fault.text, "from": fault.code, "to": fault.to}
    results[fault.key] = entry | ({"copy": fault.copy} if fault.copy else {}) | what
    write_results(results)


def table(results):
    head = ("faults", "asked", "noticed", "explained", "survive", "do not compile")
    rows = [head, ("---",) * len(head)]
    for kind in KINDS:
        entries = [entry for entry in results.values() if entry["kind"] == kind]
        asked = [entry for entry in entries if entry.get("compiles", True)]
        noticed = [entry for entry in asked if entry["by"]]
        equal = [entry for entry in asked if not entry["by"] and entry.get("reason")]
        rows.append((kind, len(asked), len(noticed), len(equal), len(asked) - len(noticed) - len(equal),
                     len(entries) - len(asked)))
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows)


def with_table(page, results):
    begin, end = (page.index(mark) for mark in ("<!-- scores -->", "<!-- end of scores -->"))
    return f"{page[:begin]}<!-- scores -->\n\n{table(results)}\n{page[end:]}"


def self_test():
    planted = """template <int N = 3 < 4>
__global__ void kernel(int* out, int n) {
  block.sync();
  // block.sync();
  if (!block.any(x)) return;
  if (one) this_block::sync();
  __threadfence(); block.sync();  // __threadfence();
  ptx::wait_for_groups<0>();
  static_assert(sizeof(int) > 3 &&
                sizeof(int) - 1 < 4);
  const int last = (std::min)(n, 4) - 1, more = n << 1;
  while (ptx::load_acquire(out) < n && last >= 0 || more == 1) expects("a < b");
  if (ptx::arrive_in_order(out, n - 1) == 0) return;
}
inline int count(int n) {
  constexpr int one = 2 - 1;
  return n + one;
}
"""
    faults = dict(enumerate(find_faults("device/planted.cuh", planted, 1), 1))
    of_kind = {kind: [(f.line, f.code) for f in faults.values() if f.kind == kind] for kind in KINDS}
    text, lines = with_questions(planted, faults), planted.splitlines()
    checks = {
        "barriers": of_kind["barrier"] == [
            (3, "block.sync()"), (5, "block.any"), (6, "this_block::sync()"), (7, "__threadfence()"),
            (7, "block.sync()"), (8, "ptx::wait_for_groups<0>()")],
        "orders": of_kind["order"] == [(12, "ptx::load_acquire"), *[(13, "ptx::arrive_in_order")] * 2],
        "kernel": of_kind["kernel"] == [
            (11, "min"), (11, "-"), (11, "<<"), (12, "<"), (12, "&&"), (12, ">="), (12, "=="), (13, "-"), (13, "==")],
        "host": of_kind["host"] == [(17, "+")],
        "lines": text.startswith(INCLUDE) and text.count("\n") == planted.count("\n") + 2,
        "numbers": set(map(int, re.findall(r"(?:changed\(|fault<|min<)(\d+)", text))) == set(faults),
        "constants": all(line in text.splitlines() for line in lines if re.search("N = 3|sizeof|one =", line)),
        "barrier": "  if (one) gpuprim_mutation::changed(3) ? void() : this_block::sync();\n" in text,
        "vote": "(![&](bool own) { return gpuprim_mutation::changed(2) ? own : block.any(own); }(x)) return" in text,
        "copies": len({fault.key for fault in faults.values()}) == len(faults),
        "no fault, no change": with_questions(planted, {}) == planted,
        "programs": programs_for("device/select/select_kernel.cuh")[0] == "test_device_select"
        and programs_for("grid/look_back.cuh")[0] == "test_grid" and "races" in programs()["test_device_races"],
    }
    every = all_faults(1)
    texts = collections.defaultdict(dict)
    for number, fault in every.items():
        texts[fault.header][number] = fault
    hundred = sample(operators(every), 1, 100)
    checks |= {
        "numbers of all": max(every) < MOST,
        "a fault each": all(with_questions((ROOT / "include/gpuprim" / header).read_text(), faults).count(
            "gpuprim_mutation::") >= len(faults) for header, faults in texts.items()),
        "sample": len({every[n].header for n in hundred}) == 100
        and sample(operators(every), 1, 200)[:100] == hundred,
        "results": all(entry.get("by") or entry.get("reason") or not entry.get("compiles", True)
                       for entry in read_results().values()),
        "table": with_table(PAGE.read_text(), read_results()) == PAGE.read_text(),
    }
    wrong = [name for name, holds in checks.items() if not holds]
    if wrong:
        print(f"{text}\n{of_kind}\nwrong: {', '.join(wrong)}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("asked", nargs="*", metavar="PATH[:LINE]", help="of include/gpuprim; all if there is none")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--kind", action="append", choices=KINDS, help="all kinds if there is none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300, help="of the kinds kernel and host together")
    parser.add_argument("--lanes", help="what to ask, with commas between; the lanes of the kind if there are none")
    parser.add_argument("--built", action="store_true", help="ask those programs alone that are built")
    parser.add_argument("--schedules", help="random schedules of each test; those of ctest if it is not given")
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutations")
    parser.add_argument("--jobs", default="1", help="of the build")
    parser.add_argument("--limit", type=float, default=20,
                        help="seconds that a test may take with a fault, beyond four times those that it takes without")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    results = read_results()
    if options.table:
        PAGE.write_text(with_table(PAGE.read_text(), results))
        return 0
    every = all_faults(options.seed)
    chosen = [*sorted(every.keys() - operators(every).keys()), *sample(operators(every), options.seed, options.count)]
    mine = [n for n in chosen if every[n].kind in (options.kind or KINDS) and (not options.asked or any(
        f"{every[n].header}:{every[n].line}" == path or every[n].header.startswith(path) and ":" not in path
        for path in options.asked))]
    if options.list:
        for number in mine:
            print(tell(every[number]))
    if options.list or not mine:
        return 0 if mine else f"no fault in {options.asked}"
    options.work = options.work.resolve()
    results = {key: entry for key, entry in results.items() if key in {fault.key for fault in every.values()}}
    tree = Tree(options.work, {n: every[n] for n in chosen if results.get(every[n].key, {}).get("compiles", True)},
                results)
    lane = functools.cache(lambda name: Lane(name, tree, options))
    missed = 0
    for number in mine:
        fault = every[number]
        if fault.key in results and results[fault.key].get("compiles", True):
            missed += not results[fault.key]["by"] and "reason" not in results[fault.key]
        elif number in tree.faults:
            lanes = map(lane, (options.lanes or LANES[fault.kind]).split(","))
            who, reached, seconds = who_notices(lanes, number, fault.header)
            if number not in tree.faults:
                continue  # a program did not compile with it
            missed += who is None
            print(f"{tell(fault)} | {who or 'NOBODY'} of {reached} | {seconds:.1f} s", flush=True)
            if who or not options.built:
                note(results, fault, by=who, **({} if who else {"reached": reached}))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
