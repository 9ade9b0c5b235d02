#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""host_calls.py <repository>: prints the table of all public host calls, and fails where one is neither in the random
calls nor in all_architectures.cu nor excused.
host_calls.py --self-test <scratch folder>: plants calls that are left out in a small clean tree."""
import re
import shutil
import sys
from pathlib import Path

from names import name_of, statements
from sources import code_of, headers, plant

# Each column of the table: the files that make the calls, and those that need not be there, with the reason.
COLUMNS = {
    "random": (["tests/device/random_*.cu"], {}),
    "architectures": (["tests/all_architectures.cu"], {
        **{name: "all_moments with another end"
           for name in ("mean", "variance", "standard_deviation", "skewness", "kurtosis")},
        **{name: "find_if with another end" for name in ("all_of", "any_of", "none_of")}}),
}
# A call that returns its result to the host makes the launch of the call without `_value` or `_count`, and waits for it,
# so that it is never under way beside others.
WAITING = re.compile(r"(\w+)_(?:value|count)")


def host_calls(root):
    """The names of functions that return a cudaError_t or wait for a result, and of objects called like them."""
    found = set()
    for path in headers(Path(root) / "include/gpuprim/device"):
        code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", code_of(path.read_text()), flags=re.M)
        for namespaces, words in statements(code):
            if namespaces == ["gpuprim"] and re.search(
                    r"\bcudaError_t\s+\w+\s*\(|\bdetail::\w*_pass(?:_value)?\b|\b\w+_(?:value|count)\s*\(", words):
                found.add(name_of(words))
    return sorted(found)


def table(root):
    """Rows of a name and of how each column has it: "made", the reason why it is not, or None."""
    calls = host_calls(root)
    made = {}
    for column, (files, excused) in COLUMNS.items():
        text = "".join(code_of(path.read_text()) for name in files for path in sorted(Path(root).glob(name)))
        made[column] = (set(re.findall(r"\bgpuprim::(\w+)(?:[.](?:in|by))?\s*[<(]", text)), excused)

    def how(name, column):
        names, excused = made[column]
        if name in names:
            return "made"
        base = WAITING.fullmatch(name)
        return f"as {base[1]}" if base and base[1] in calls else excused.get(name)

    return [(name, {column: how(name, column) for column in COLUMNS}) for name in calls]


def report(root):
    missing = []
    for name, cells in table(root):
        print(f"{name:36}" + "".join(f" {cells[column] or 'MISSING':32}" for column in COLUMNS).rstrip())
        missing += [(name, column) for column in COLUMNS if cells[column] is None]
    for name, column in missing:
        print(f"gpuprim::{name} is called in none of {', '.join(COLUMNS[column][0])}: call it there"
              f"{', in a function of the list `kinds`' if column == 'random' else ''}, or give a reason in COLUMNS of "
              "tests/lint/host_calls.py")
    return missing


def self_test(work):
    work = Path(work)
    header = """namespace gpuprim::inline v0_2_0 {
/// Not cudaError_t hidden(int).
namespace detail { cudaError_t inner(int n); }
template <class In>
[[nodiscard]] cudaError_t pass(In in, const options& how = {});
template <class In>
[[nodiscard]] std::int64_t pass_count(In in, const options& how = {}) { return 1; }
constexpr std::int64_t pass_workspace_bytes(std::int64_t n) { return n; }
inline constexpr detail::device_pass<detail::some_query> object{};
inline constexpr detail::device_pass_value<detail::some_query> object_value{"gpuprim::object_value"};
}
"""
    calls = "void f() { gpuprim::pass(1); gpuprim::object(2); }\n"
    planted = [
        ([], {}),
        ([("object", "random")], {"tests/device/random_calls.cu": calls.replace("gpuprim::o", "// gpuprim::o")}),
        ([("pass", "architectures")], {"tests/all_architectures.cu": calls.replace("gpuprim::pass", "pass")}),
        ([("alone_value", "random"), ("alone_value", "architectures")], {
            "include/gpuprim/device/b.cuh": "namespace gpuprim {\nauto alone_value(int n) { return n; }\n}\n"}),
    ]
    failures = 0
    for expected, files in planted:
        clean = {"include/gpuprim/device/a.cuh": header, "tests/device/random_calls.cu": calls,
                 "tests/all_architectures.cu": calls}
        plant(work, [*clean.items(), *files.items()])
        if (found := report(work)) != expected:
            failures += 1
            print(f"planted: {expected}; found: {found}")
    shutil.rmtree(work, ignore_errors=True)
    return failures


if __name__ == "__main__":
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test(sys.argv[2]) else 0)
    sys.exit(1 if report(sys.argv[1]) else 0)
