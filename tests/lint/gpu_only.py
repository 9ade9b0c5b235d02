#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu_only.py <repository>: fails where the table in docs/proof.md of the lines that only a GPU runs is not that of the
headers; with --write it writes the table.  gpu_only.py --self-test: plants such lines in a text and expects each."""
import re
import sys
from pathlib import Path

PAGE = "docs/proof.md"
TABLE = re.compile(r"(<!-- lines of a GPU -->\n).*?(\n<!-- end -->)", re.S)
# What each compiler has defined, for the conditions that ask about it.
EVERYWHERE = {"__cplusplus": 202002, "__cpp_exceptions": 1, "__SIZEOF_INT128__": 1, "CUDART_VERSION": 13000}
SIMT = EVERYWHERE | {"SIMT_DEVICE": 1}
GPU = EVERYWHERE | {"__CUDA_ARCH__": 900, "__CUDACC__": 1, "__NVCC__": 1, "__CUDACC_VER_MAJOR__": 13,
                    "__CUDACC_VER_MINOR__": 0, "__CUDACC_EXTENDED_LAMBDA__": 1}
# Where a function begins: at the margin, or a member that says that it runs on a GPU.
HEAD = re.compile(r"^(?:(?=\w)|\s+(?=.*__device__|.*HOST_DEVICE))(?!template|static_assert)[^=;(]*?\b(?!__)(\w+)\(")


def holds(condition, defined):
    text = re.sub(r"__has_include\([^)]*\)", "1", condition.split("//")[0])
    text = re.sub(r"\b(\d+)L\b", r"\1", text)
    text = re.sub(r"defined\s*\(?\s*(\w+)\s*\)?", lambda m: "1" if m[1] in defined else "0", text)
    text = re.sub(r"\b[A-Za-z_]\w*\b", lambda m: str(defined.get(m[0], 0)), text)
    text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    return bool(eval(text, {"__builtins__": {}}))


def active_lines(text, defined):
    """Whether the preprocessor keeps each line: [(line, is kept)], without directives and comments."""
    lines, stack = [], []  # of the open conditions: is this branch taken, was one before
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if match := re.match(r"\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)", line):
            kind, rest = match[1], match[2]
            if kind == "endif":
                stack.pop()
            elif kind == "else":
                stack[-1] = [not stack[-1][1], True]
            else:
                asked = {"ifdef": f"defined({rest})", "ifndef": f"!defined({rest})"}.get(kind, rest)
                found = holds(asked, defined)
                if kind == "elif":
                    stack[-1] = [found and not stack[-1][1], found or stack[-1][1]]
                else:
                    stack.append([found, found])
            continue
        code = line.split("//")[0].strip()
        lines.append((line, bool(code) and not code.startswith("#") and all(taken for taken, _ in stack)))
    return lines


def gpu_only(text):
    """The number of lines that a GPU runs and the SIMT device does not, and the functions that they are in."""
    count, functions, name = 0, [], ""
    for (line, on_gpu), (_, on_simt) in zip(active_lines(text, GPU), active_lines(text, SIMT)):
        if head := HEAD.match(line):
            name = head[1]
        if on_gpu and not on_simt:
            count += 1
            if name not in functions:
                functions.append(name)
    return count, functions


def table(root):
    rows = ["| header | lines | in |", "| --- | --- | --- |"]
    for path in sorted((root / "include/gpuprim").rglob("*.*h*")):
        count, functions = gpu_only(path.read_text())
        if count:
            names = ", ".join(f"`{f}`" if f else "macros" for f in functions)
            rows.append(f"| `{path.relative_to(root / 'include/gpuprim')}` | {count} | {names} |")
    return "\n".join(rows)


def self_test():
    text = """\
__device__ int both(int x) {
  return x;
}
__device__ int one(int x) {
#if defined(SIMT_DEVICE)
  return x;
#else
  asm("" : "+r"(x));  // this one
  // and not this
  return x;
#endif
}
__device__ int two(int x) {
#if !defined(SIMT_DEVICE) && \\
    __CUDA_ARCH__ >= 900
  return 2;
#elif defined(__CUDA_ARCH__)
  return 3;
#endif
  return x;
}
"""
    found = gpu_only(text)
    if found != (3, ["one", "two"]):
        raise SystemExit(f"expected three lines of two functions; found {found}")
    print("each line is found")


def main():
    if "--self-test" in sys.argv:
        return self_test()
    root = Path(sys.argv[1])
    page = (root / PAGE).read_text()
    made = TABLE.sub(lambda m: m[1] + table(root) + m[2], page)
    if not TABLE.search(page):
        raise SystemExit(f"{PAGE} has no table of the lines that only a GPU runs")
    if "--write" in sys.argv:
        (root / PAGE).write_text(made)
    elif made != page:
        raise SystemExit(f"{PAGE}: write its table again: tests/lint/gpu_only.py . --write")
    return print("the table has the lines that only a GPU runs")


main()
