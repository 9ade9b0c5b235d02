#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a .cu file for some architectures and checks the code of its kernels against its "// expect:" lines.

    // expect: kernel <regex>          the rules below hold for every kernel whose demangled name matches
    // expect: wide-loads >= <n>       loads of 16 bytes or more from global memory
    // expect: together >= <n>         such loads under way, in SASS, before what the first of them brings is used
    // expect: together >= <n> <regex>   the same of the loads of 4 bytes that match
    // expect: rows >= <n> <m>         how often m wide loads or more are under way together
    // expect: no-local-memory         no stack frame and no spills
    // expect: registers <= <n>        as the assembler reports them
    // expect: ptx >= <n> <regex>      lines of PTX that match; also "ptx <= <n> <regex>"
    // expect: sass >= <n> <regex>     instructions of SASS that match; also "sass <= <n> <regex>"
    // expect: late <regex>            what the first instruction of SASS that matches gives is used behind all wide loads
    // expect: sm_<arch>: <rule>       the rule holds on that architecture only

PTX and the assembler's report are always read; SASS where there is a cuobjdump: on PATH, beside nvcc, or in the Python
package nvidia-cuda-cuobjdump (with nvidia-cuda-nvdisasm). Architectures that nvcc does not know are left out.
"""
import argparse
import collections
import glob
import importlib.util
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

Kernel = collections.namedtuple("Kernel", "arch name ptx registers stack spills sass")


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


def find_cuobjdump(nvcc):
    """The tool's path, or None."""
    found = [shutil.which("cuobjdump"), os.path.join(os.path.dirname(nvcc), "cuobjdump")]
    package = importlib.util.find_spec("nvidia")
    for folder in package.submodule_search_locations if package else []:
        found += glob.glob(os.path.join(folder, "*", "bin", "cuobjdump"))
    return next((path for path in found if path and os.path.exists(path)), None)


def sass_by_kernel(cuobjdump, cubin):
    """{mangled name: its instructions, one a line}"""
    if not cuobjdump:
        return {}
    # It calls nvdisasm, which lies beside it.
    path = os.path.dirname(cuobjdump) + os.pathsep + os.environ["PATH"]
    text = subprocess.run([cuobjdump, "-sass", cubin], check=True, capture_output=True, text=True,
                          env={**os.environ, "PATH": path}).stdout
    parts = re.split(r"^\s*Function : (\S+)$", text, flags=re.M)
    return {name: "\n".join(re.findall(r"^\s*/\*[0-9a-f]{4,}\*/\s+(.*?);", body, flags=re.M))
            for name, body in zip(parts[1::2], parts[2::2])}


def known_architectures(nvcc, wanted):
    listed = subprocess.run([nvcc, "--list-gpu-code"], check=True, capture_output=True, text=True).stdout.split()
    for arch in wanted:
        if f"sm_{arch}" not in listed:
            print(f"sm_{arch} is left out: this nvcc does not know it")
    return [arch for arch in wanted if f"sm_{arch}" in listed]


def compile_kernels(options, source):
    targets = [f"-gencode=arch=compute_{arch},code=sm_{arch}" for arch in known_architectures(options.nvcc, options.arch)]
    cuobjdump = find_cuobjdump(options.nvcc)
    if not cuobjdump:
        print("SASS not read: there is no cuobjdump")
    kernels = []
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [options.nvcc, "-std=c++20", "--extended-lambda", f"-I{options.include}", *targets, "-fatbin", "-Xptxas", "-v",
             "--keep", "--keep-dir", folder, "-o", os.path.join(folder, "case.fatbin"), source],
            capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"FAILED {source} does not compile:\n{run.stdout}{run.stderr}")
        for ptx_path in sorted(glob.glob(os.path.join(folder, "*.ptx"))):
            with open(ptx_path, encoding="utf-8") as file:
                ptx = file.read()
            arch = re.search(r"^\.target sm_(\w+)", ptx, flags=re.M)[1]
            sass = sass_by_kernel(cuobjdump, ptx_path.removesuffix("ptx") + "cubin")
            kernels += kernels_of(source, arch, ptx, sass, run.stderr)
    return kernels


def kernels_of(source, arch, ptx, sass, reports):
    # A brace at the end of inline assembly begins a line too.
    bodies = dict(re.findall(r"\.entry (\w+)\((.*?)^\}(?!\n\t// end inline asm)", ptx, flags=re.M | re.S))
    demangled = subprocess.run(["c++filt"], input="\n".join(bodies), check=True, capture_output=True,
                               text=True).stdout.split("\n")
    kernels = []
    for (mangled, body), name in zip(bodies.items(), demangled):
        report = re.search(
            rf"Compiling entry function '{mangled}' for 'sm_{arch}'.*?(\d+) bytes stack frame, "
            r"(\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers", reports, flags=re.S)
        if not report:
            sys.exit(f"FAILED {source}: the assembler reports nothing of {name}:\n{reports}")
        stack, stores, loads, registers = map(int, report.groups())
        kernels.append(Kernel(arch, name, body, registers, stack, stores + loads, sass.get(mangled)))
    return kernels


def lines_matching(text, regex):
    return sum(1 for line in text.splitlines() if re.search(regex, line))


def loads_together(sass, narrow=None):
    """How many loads, wide ones or the narrow ones that match, are in each row of instructions that use none of what
    they bring."""
    rows, pending = [0], []
    for line in sass.splitlines():
        used = {int(register) for register in re.findall(r"\bR(\d+)\b", line)}
        load = re.search(narrow, line) if narrow else WIDE_SASS.search(line)
        to = int(re.search(r"\bR(\d+)\b", line)[1]) if load else None
        words = 1 if narrow else 8 if load and load[0].endswith("256") else 4
        brought = set(range(to, to + words)) if load else set()
        if any(used & registers or brought & registers for registers in pending):
            pending = []
            rows.append(0)
        if load:
            pending.append(brought)
            rows[-1] += 1
    return rows


def used_early(sass, regex):
    """None, or the first instruction before the last wide load that reads the register which the matching one writes."""
    lines = sass.splitlines()
    first = next((i for i, line in enumerate(lines) if re.search(regex, line)), None)
    if first is None:
        return "no such instruction"
    register = re.search(r"\bR\d+\b", lines[first])[0]
    last_load = max((i for i, line in enumerate(lines) if WIDE_SASS.search(line)), default=0)
    return next((line for line in lines[first + 1:last_load] if re.search(rf"\b{register}\b", line)), None)


def check(kernel, rule):
    """None, or what is wrong."""
    only = re.match(r"sm_(\w+): (.*)", rule)
    if only and only[1] != kernel.arch:
        return None
    rule = only[2] if only else rule
    words = rule.split(None, 3)
    if rule == "no-local-memory":
        found = len(LOCAL_SASS.findall(kernel.sass or ""))
        if kernel.stack or kernel.spills or found:
            return f"{kernel.stack} bytes of stack, {kernel.spills} bytes of spills, {found} LDL/STL"
        return None
    if words[0] == "late" and len(words) == 2:
        return used_early(kernel.sass, words[1]) if kernel.sass is not None else None
    if len(words) < 3 or words[1] not in COMPARE:
        return "unknown rule"
    if words[0] == "wide-loads":
        counts = [len(WIDE_PTX.findall(kernel.ptx))]
        if kernel.sass is not None:
            counts.append(len(WIDE_SASS.findall(kernel.sass)))
    elif words[0] == "together":
        counts = [max(loads_together(kernel.sass, *words[3:]))] if kernel.sass is not None else []
    elif words[0] == "rows" and len(words) == 4:
        rows = loads_together(kernel.sass) if kernel.sass is not None else []
        counts = [sum(loads >= int(words[3]) for loads in rows)] if rows else []
    elif words[0] == "registers":
        counts = [kernel.registers]
    elif words[0] == "ptx" and len(words) == 4:
        counts = [lines_matching(kernel.ptx, words[3])]
    elif words[0] == "sass" and len(words) == 4:
        counts = [lines_matching(kernel.sass, words[3])] if kernel.sass is not None else []
    else:
        return "unknown rule"
    bad = [count for count in counts if not COMPARE[words[1]](count, int(words[2]))]
    return f"there are {bad[0]}" if bad else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--arch", required=True, action="append", help="compute capability, 90 say; may be repeated")
    parser.add_argument("--include", required=True)
    parser.add_argument("source")
    options = parser.parse_args()

    groups = read_rules(options.source)
    kernels = compile_kernels(options, options.source)
    for kernel in kernels:
        wide = len(WIDE_PTX.findall(kernel.ptx))
        print(f"sm_{kernel.arch} {kernel.name}: {kernel.registers} registers, {kernel.stack} bytes of stack, "
              f"{wide} wide loads, SASS {'read' if kernel.sass is not None else 'not read'}")
    failures = 0
    for pattern, rules in groups:
        matching = [kernel for kernel in kernels if re.search(pattern, kernel.name)]
        if not matching:
            print(f"FAILED no kernel matches '{pattern}'; there are: {[kernel.name for kernel in kernels]}")
            failures += 1
        for kernel in matching:
            for rule in rules:
                problem = check(kernel, rule)
                if problem:
                    print(f"FAILED {rule}: {problem} in sm_{kernel.arch} {kernel.name}")
                    failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
