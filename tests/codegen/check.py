#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a .cu file and checks the code of its kernels against the file's "// expect:" lines.

    // expect: kernel <regex>          the rules below hold for every kernel whose demangled name matches
    // expect: wide-loads >= <n>       loads of 16 bytes or more from global memory
    // expect: no-local-memory         no stack frame and no spills
    // expect: registers <= <n>        as the assembler reports them
    // expect: ptx >= <n> <regex>      lines of PTX that match; also "ptx <= <n> <regex>"

PTX and the assembler's report are always read; SASS as well where cuobjdump is on PATH or beside nvcc.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

WIDE_PTX = re.compile(r"\bld\.(?:[a-z]+\.)*global\S*\.(?:v4\.[a-z]32|v2\.[a-z]64|v8\.[a-z]32|v4\.[a-z]64|b128)\b")
WIDE_SASS = re.compile(r"\bLDG\S*\.(?:128|256)\b")
LOCAL_SASS = re.compile(r"\b(?:LDL|STL)\b")
COMPARE = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b}

Kernel = collections.namedtuple("Kernel", "name ptx registers stack spills sass")


def read_rules(path):
    """[(kernel regex, [rule text, ...]), ...] in the order of the file."""
    groups = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"// expect: (.*\S)", line)
            if not match:
                continue
            text = match[1]
            if text.startswith("kernel "):
                groups.append((text[len("kernel "):], []))
            elif groups:
                groups[-1][1].append(text)
            else:
                sys.exit(f"FAILED {path}: a rule stands before the first 'kernel' line: {text}")
    if not any(rules for _, rules in groups):
        sys.exit(f"FAILED {path}: there is nothing to check")
    return groups


def sass_by_kernel(nvcc, cubin):
    tool = shutil.which("cuobjdump") or os.path.join(os.path.dirname(nvcc), "cuobjdump")
    if not os.path.exists(tool):
        return {}
    text = subprocess.run([tool, "-sass", cubin], check=True, capture_output=True, text=True).stdout
    parts = re.split(r"^\s*Function : (\S+)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def compile_kernels(options, source):
    with tempfile.TemporaryDirectory() as folder:
        base = os.path.join(folder, "case")
        common = [options.nvcc, "-std=c++20", "--extended-lambda", f"-I{options.include}"]
        target = ["-gencode", f"arch=compute_{options.arch},code=sm_{options.arch}"]
        run = subprocess.run(
            common + target + ["-cubin", "-Xptxas", "-v", "--keep", "--keep-dir", folder, "-o", base + ".cubin", source],
            capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"FAILED {source} does not compile:\n{run.stdout}{run.stderr}")
        ptx_files = [name for name in os.listdir(folder) if name.endswith(".ptx")]
        with open(os.path.join(folder, ptx_files[0]), encoding="utf-8") as file:
            ptx = file.read()
        sass = sass_by_kernel(options.nvcc, base + ".cubin")

    bodies = {name: body for name, body in re.findall(r"\.entry (\w+)\((.*?)^\}", ptx, flags=re.M | re.S)}
    demangled = subprocess.run(["c++filt"], input="\n".join(bodies), check=True, capture_output=True,
                               text=True).stdout.split("\n")
    kernels = []
    for (mangled, body), name in zip(bodies.items(), demangled):
        report = re.search(
            rf"Compiling entry function '{mangled}'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, "
            r"(\d+) bytes spill loads.*?Used (\d+) registers", run.stderr, flags=re.S)
        if not report:
            sys.exit(f"FAILED {source}: the assembler reports nothing of {name}:\n{run.stderr}")
        stack, stores, loads, registers = map(int, report.groups())
        kernels.append(Kernel(name, body, registers, stack, stores + loads, sass.get(mangled)))
    return kernels


def check(kernel, rule):
    """None, or what is wrong."""
    words = rule.split(None, 3)
    if rule == "no-local-memory":
        found = len(LOCAL_SASS.findall(kernel.sass or ""))
        if kernel.stack or kernel.spills or found:
            return f"{kernel.stack} bytes of stack, {kernel.spills} bytes of spills, {found} LDL/STL"
        return None
    if len(words) < 3 or words[1] not in COMPARE:
        return "unknown rule"
    if words[0] == "wide-loads":
        counts = [len(WIDE_PTX.findall(kernel.ptx))]
        if kernel.sass is not None:
            counts.append(len(WIDE_SASS.findall(kernel.sass)))
    elif words[0] == "registers":
        counts = [kernel.registers]
    elif words[0] == "ptx" and len(words) == 4:
        counts = [sum(1 for line in kernel.ptx.splitlines() if re.search(words[3], line))]
    else:
        return "unknown rule"
    bad = [count for count in counts if not COMPARE[words[1]](count, int(words[2]))]
    return f"there are {bad[0]}" if bad else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--arch", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("source")
    options = parser.parse_args()

    groups = read_rules(options.source)
    kernels = compile_kernels(options, options.source)
    failures = 0
    for pattern, rules in groups:
        matching = [kernel for kernel in kernels if re.search(pattern, kernel.name)]
        if not matching:
            print(f"FAILED no kernel matches '{pattern}'; there are: {[kernel.name for kernel in kernels]}")
            failures += 1
        for kernel in matching:
            wide = len(WIDE_PTX.findall(kernel.ptx))
            print(f"{kernel.name}: {kernel.registers} registers, {kernel.stack} bytes of stack, {wide} wide loads, "
                  f"SASS {'read' if kernel.sass is not None else 'not read'}")
            for rule in rules:
                problem = check(kernel, rule)
                if problem:
                    print(f"FAILED {rule}: {problem}")
                    failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
