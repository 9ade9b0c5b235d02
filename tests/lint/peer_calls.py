#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""peer_calls.py <repository> [<headers of CCCL>]: fails where a call of CUB or an algorithm of Thrust has no row in
docs/counterparts.md. The calls are those in tests/lint/peer_calls.txt, and those of the headers, if there are any.
peer_calls.py --write <repository> <headers of CCCL>: writes the list anew from the headers.
peer_calls.py --self-test <scratch folder>: plants headers and pages."""
import re
import shutil
import sys
from pathlib import Path

from sources import code_of, plant

PAGE, LIST = "docs/counterparts.md", "tests/lint/peer_calls.txt"
LATEST = 300699  # the CUB_VERSION that the page is about; later calls are not looked for
# What the headers of algorithms have besides them.
NO_ALGORITHMS = {"malloc", "free", "get_temporary_buffer", "return_temporary_buffer", "get_per_device_resource",
                 "CallBack"}


def classes(text, pattern):
    """The name and the body of each class whose name matches, forward declarations left out."""
    for found in re.finditer(r"\b(?:class|struct)\s+(" + pattern + r")\b[^;{()]*\{", text):
        depth, at = 1, found.end()
        while depth > 0 and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield found[1], text[found.end():at - 1]


def outermost(body):
    """A body without what is in braces and without private parts."""
    out, depth = [], 0
    for c in body:
        depth += c == "{"
        if depth == 0:
            out.append(c)
        if c == "}":
            depth -= 1
            if depth == 0:
                out.append(";")
    parts = re.split(r"\b(public|private|protected)\s*:(?!:)", "".join(out))
    return parts[0] + "".join(part for word, part in zip(parts[1::2], parts[2::2]) if word == "public")


def members(body):
    """The member functions that CUB documents: their names begin with a capital letter."""
    return set(re.findall(r"\b(?:void|cudaError_t|T|auto|int|bool|KeyT|InputT|span<T>)\s*(?:_CCCL_\w+\s+)?"
                          r"(?!CUB_|CCCL_|THRUST_)([A-Z]\w*)\s*\(", outermost(body)))


def calls_of(cccl):
    """The calls of a tree of headers: Class::Member of CUB, and names of Thrust's algorithms."""
    found = set()
    for folder, pattern in (("device", r"Device[A-Z]\w*"), ("block", r"Block[A-Z]\w*"), ("warp", r"Warp[A-Z]\w*")):
        for path in sorted((cccl / "cub" / folder).glob("*.cuh")):
            for name, body in classes(code_of(path.read_text()), pattern):
                if not re.search(r"Policy|Agent|Impl|Internal|Traits", name):
                    found |= {f"cub::{name}::{member}" for member in members(body)}
    for path in sorted((cccl / "thrust").glob("*.h")):
        text = code_of(path.read_text())
        for declared in re.finditer(r"\b(\w+)\s*\(\s*const\s+thrust::detail::execution_policy_base<", text):
            found.add(f"thrust::{declared[1]}")
    return {name for name in found if name.split("::")[-1] not in NO_ALGORITHMS}


def version_of(cccl):
    return int(re.search(r"#define\s+CUB_VERSION\s+(\d+)", (cccl / "cub/version.cuh").read_text())[1])


def missing_rows(root, calls):
    """Calls that no first column of a table of the page names."""
    cells = [line.split("|")[1] for line in (root / PAGE).read_text().splitlines() if line.startswith("| `")]
    named = set()
    for cell in cells:
        scope = ""
        for words in re.findall(r"`([\w:]+)`", cell):
            scope = words.rpartition("::")[0] or scope
            named.add(f"{scope}::{words.rpartition('::')[2]}")
    return sorted(calls - named)


def report(root, cccl):
    calls = set((root / LIST).read_text().split())
    if cccl is not None and version_of(cccl) <= LATEST:
        calls |= calls_of(cccl)
    missing = missing_rows(root, calls)
    for name in missing:
        print(f"{PAGE} has no row of {name}")
    print(f"{len(calls)} calls, {len(missing)} without a row")
    return missing


def self_test(work):
    work = Path(work)
    header = """struct DeviceThing : base {
  template <class T> CUB_RUNTIME_FUNCTION static cudaError_t Do(int n) { return Inner(n); }
private:
  static cudaError_t Hidden(int n);
};
class DevicePolicy { static cudaError_t Not(int n); };
"""
    algorithm = ("template <class P> void sorted_thing(const thrust::detail::execution_policy_base<P>& exec, int n);\n"
                 "// void commented(const thrust::detail::execution_policy_base<P>& exec);\n")
    page = "| `cub::DeviceThing::Do`, `More` | none |\n| `thrust::sorted_thing` | `sort` |\n"
    failures = 0
    for expected, text in [([], page), (["cub::DeviceThing::More"], page.replace(", `More`", "")),
                           (["thrust::sorted_thing"], page.replace("thrust::sorted_thing", "thrust::sort"))]:
        plant(work, [(PAGE, text), (LIST, "cub::DeviceThing::More\n"), ("cccl/cub/device/a.cuh", header),
                     ("cccl/thrust/a.h", algorithm), ("cccl/cub/version.cuh", "#define CUB_VERSION 300600\n")])
        if (found := report(work, work / "cccl")) != expected:
            failures += 1
            print(f"planted: {expected}; found: {found}")
    shutil.rmtree(work, ignore_errors=True)
    return failures


if __name__ == "__main__":
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test(sys.argv[2]) else 0)
    if sys.argv[1] == "--write":
        names = sorted(calls_of(Path(sys.argv[3])))
        (Path(sys.argv[2]) / LIST).write_text("\n".join(names) + "\n")
        print(f"{len(names)} calls")
        sys.exit(0)
    headers = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.exit(1 if report(Path(sys.argv[1]), headers) else 0)
