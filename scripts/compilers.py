#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles all headers in one unit with a call of each family (tests/compilers/families.cu) by many compilers, runs it where
that is possible, and records which did.

usage: compilers.py [--simt CXX]... [--arm64 CXX]... [--nvcc NVCC[@CXX]]... [--options NVCC] [--clang CLANG@TOOLKIT]...
                    [--nvrtc LIBNVRTC@FOLDER[:FOLDER...]]... [--jobs N]
       compilers.py --check | --write

--simt     compiles the host SIMT device and the unit, and runs it
--arm64    the same by a cross compiler, and runs it by qemu-aarch64. CXX may have flags, such as those for Boost.Context
--nvcc     compiles the unit for the host and to PTX, with another host compiler if one is named
--options  compiles it by nvcc with each of the options of programs: -rdc=true, -dlto, -use_fast_math, -G,
           --default-stream per-thread; and two versions of the library in one program
--clang    compiles it by Clang as a compiler of CUDA
--nvrtc    compiles what a kernel may include (tests/nvrtc/architectures.py)
--check    says whether the table in the README is that of the record; --write puts it there

The record, tests/compilers/record.json, keeps the rows of compilers that a run does not name."""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests/compilers/record.json"
FAMILIES = ROOT / "tests/compilers/families.cu"
BLOCK = re.compile(r"(<!-- compilers -->\n)(.*?)(<!-- end of table -->)", re.S)
INCLUDES = ["-std=c++20", f"-I{ROOT / 'tests/support/nccl'}"]
LIBRARY = f"-I{ROOT / 'include'}"
# As the library's own targets have them: see simt/CMakeLists.txt.
SIMT = [f"-I{ROOT / 'simt/include'}", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Wno-missing-braces",
        "-Wno-pass-failed", "-pthread"]
PTX = ["-gencode", "arch=compute_90,code=compute_90"]
WARNINGS = ["-Werror", "all-warnings"]
OPTIONS = (["-rdc=true"], ["-rdc=true", "-dlto"], ["-use_fast_math"], ["-G"], ["--default-stream", "per-thread"])
USES = ("host SIMT device", "host SIMT device on arm64", "nvcc", "nvcc with an option", "compiler of CUDA", "NVRTC")


class Fault(Exception):
    pass


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        text = done.stdout + done.stderr
        first = re.search(r".*(?:undefined reference|error:|warning:|wrong).*", text)
        raise Fault(first[0].replace(f"{ROOT}/", "") if first else text[-300:] or f"exit status {done.returncode}")
    return done.stdout


def name_of(command):
    """A compiler and its version, as `g++ 12.2.0`, of a command that may have an emulator or a wrapper before it."""
    text = run(*shlex.split(command), "--version")
    if match := re.search(r"release ([0-9.]+)", text):
        return f"CUDA {match[1]}"
    kind = "Clang" if "clang" in text else "g++"
    return f"{kind} {re.search(r'([0-9]+[.][0-9]+[.][0-9]+)', text)[1]}"


def unit():
    include = ROOT / "include"
    headers = sorted(path.relative_to(include) for suffix in ("hpp", "cuh") for path in include.rglob(f"*.{suffix}"))
    return "".join(f"#include <{header}>\n" for header in headers) + f'#include "{FAMILIES}"\n'


def two_versions(compile_unit, link, folder):
    """Two objects, the second one with the namespace of another version, and a program that calls both."""
    other = folder / "other"
    for path in (ROOT / "include").rglob("*"):
        if path.is_file():
            target = other / path.relative_to(ROOT / "include")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(re.sub(r"inline v\d+_\d+_\d+", "inline v0_0_0", path.read_text()))
    compile_unit(FAMILIES, folder / "first.o", LIBRARY, "-Dmain=first")
    compile_unit(FAMILIES, folder / "second.o", f"-I{other}", "-Dmain=second")
    (folder / "main.cpp").write_text("int first(), second();\nint main() { return first() || second(); }\n")
    link(folder / "main.cpp", folder / "first.o", folder / "second.o")


def simt(command, folder, launcher=(), also_two=False):
    compiler = [*shlex.split(command), "-std=c++20"]
    # All files of the device are one unit, but for the one that defines what the others see as constants.
    library = re.search(r"add_library\(gpuprim_simt STATIC(.*?)\)", (ROOT / "simt/CMakeLists.txt").read_text(), re.S)[1]
    sources = [ROOT / "simt" / source for source in library.split()]
    apart = ROOT / "simt/src/builtins.cpp"
    (folder / "device.cpp").write_text("".join(f'#include "{source}"\n' for source in sources if source != apart))
    objects = [folder / "device.o", folder / "builtins.o"]
    for source, target in zip((folder / "device.cpp", apart), objects):
        run(*compiler, *SIMT, f"-I{apart.parent}", "-O2", "-c", source, "-o", target)

    def compile_unit(source, target, *more):
        run(*compiler, *SIMT, *INCLUDES, *more, "-O1", "-Werror", "-x", "c++", "-c", source, "-o", target)

    def link(*parts):
        run(*compiler, "-static", "-pthread", *parts, *objects, "-lboost_context", "-o", folder / "program")

    def run_program():
        for schedule in ("fifo", "random"):
            run(*launcher, folder / "program", env={**os.environ, "SIMT_SCHEDULE": schedule, "SIMT_SEED": "7"})

    (folder / "unit.cu").write_text(unit())
    compile_unit(folder / "unit.cu", folder / "unit.o", LIBRARY)
    link(folder / "unit.o")
    run_program()
    if also_two:
        two_versions(compile_unit, link, folder)
        run_program()


def nvcc(command, host, folder, options=()):
    (folder / "unit.cu").write_text(unit())
    with_host = ["-ccbin", host] if host else []
    whole = options in (["-G"], ["-rdc=true"])  # machine code: what only then is known to be right
    architecture = ["-arch=sm_90"] if whole else PTX
    if "-dlto" in options:
        options = [option for option in options if option != "-dlto"]
        architecture = ["-gencode", "arch=compute_90,code=lto_90"]
    if "Clang" in name_of(host or "g++"):  # nvcc writes initializers by name in an old form
        with_host.append("-Xcompiler=-Wno-gnu-designator")
    run(command, *with_host, *WARNINGS, *architecture, *options, *INCLUDES, LIBRARY, "-c", folder / "unit.cu", "-o",
        folder / "unit.o")
    if options == ["-rdc=true"] and whole:
        run(command, "-arch=sm_90", "-dlink", folder / "unit.o", "-o", folder / "link.o")


def nvcc_two_versions(command, folder):
    def compile_unit(source, target, *more):
        run(command, *WARNINGS, *PTX, *INCLUDES, *more, "-c", source, "-o", target)

    two_versions(compile_unit, lambda *parts: run(command, *parts, "-o", folder / "program"), folder)


def clang(command, toolkit, folder):
    (folder / "unit.cu").write_text(unit())
    run(*shlex.split(command), "-x", "cuda", f"--cuda-path={toolkit}", "--cuda-gpu-arch=sm_90", *INCLUDES, LIBRARY, "-c",
        folder / "unit.cu", "-o", folder / "unit.o")


def toolkit_of(folder):
    number = int(re.search(r"#define CUDA_VERSION (\d+)", (Path(folder) / "include/cuda.h").read_text())[1])
    return f"CUDA {number // 1000}.{number // 10 % 100}"


def nvrtc(library, folders, folder):
    run(sys.executable, ROOT / "tests/nvrtc/architectures.py", library, *folders.split(":"))


def cases(args):
    """(use, compiler, with, what it shows, function of a folder) of each."""
    for at, cxx in enumerate(args.simt):
        yield USES[0], name_of(cxx), "", "runs", lambda folder, cxx=cxx, at=at: simt(cxx, folder, (), at == 0)
    for cxx in args.arm64:
        yield USES[1], name_of(cxx), "", "runs", lambda folder, cxx=cxx: simt(cxx, folder, ("qemu-aarch64",))
    for both in args.nvcc:
        command, _, host = both.partition("@")
        yield (USES[2], name_of(command), name_of(host or "g++"), "compiles",
               lambda folder, command=command, host=host: nvcc(command, host, folder))
    for command in args.options:
        for option in OPTIONS:
            yield (USES[3], name_of(command), " ".join(option), "compiles",
                   lambda folder, command=command, option=option: nvcc(command, "", folder, option))
        yield (USES[3], name_of(command), "two versions", "links",
               lambda folder, command=command: nvcc_two_versions(command, folder))
    for both in args.clang:
        command, _, toolkit = both.partition("@")
        yield (USES[4], name_of(command), toolkit_of(toolkit), "compiles",
               lambda folder, command=command, toolkit=toolkit: clang(command, toolkit, folder))
    for both in args.nvrtc:
        library, _, folders = both.partition("@")
        yield (USES[5], toolkit_of(Path(folders.split(":")[0]).parent), "", "compiles",
               lambda folder, library=library, folders=folders: nvrtc(library, folders, folder))


def key(row):
    parts = [USES.index(row["use"])]
    for name in ("compiler", "with"):
        parts += [re.sub(r"\d+", "", row[name]), tuple(int(number) for number in re.findall(r"\d+", row[name]))]
    return tuple(parts)


def table():
    """A line for each use, and each other compiler or option that it has: the compilers, joined where nothing else differs."""
    groups = {}
    for row in json.loads(RECORD.read_text())["rows"]:
        by_host = row["use"] in USES[2:4]
        group = (row["use"], row["compiler"] if by_host else row["with"], row["result"])
        groups.setdefault(group, []).append(row["with"] if by_host else row["compiler"])
    lines = ["| use | with | compilers or options | result |", "| --- | --- | --- | --- |"]
    for (use, other, result), names in groups.items():
        names = [f"`{name}`" if name.startswith("-") else name for name in names]
        lines.append(f"| {use} | {other} | {', '.join(names)} | {result} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="which compilers compile the library")
    for name in ("simt", "arm64", "nvcc", "options", "clang", "nvrtc"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    page = ROOT / "README.md"
    if args.check or args.write:
        text = page.read_text()
        made = BLOCK.sub(lambda match: f"{match[1]}\n{table()}\n{match[3]}", text)
        if args.write:
            page.write_text(made)
        elif made != text or not BLOCK.search(text):
            raise SystemExit("README.md: its table of compilers is not that of tests/compilers/record.json: "
                             "scripts/compilers.py --write")
        return

    rows = {key(row): row for row in json.loads(RECORD.read_text())["rows"]} if RECORD.exists() else {}

    def attempt(case):
        use, compiler, other, result, go = case
        with tempfile.TemporaryDirectory() as folder:
            try:
                go(Path(folder))
            except Fault as fault:
                result = f"fails: {fault}"
        row = {"use": use, "compiler": compiler, "with": other, "result": result}
        rows[key(row)] = row
        RECORD.write_text(json.dumps({"unit": str(FAMILIES.relative_to(ROOT)),
                                      "rows": [rows[k] for k in sorted(rows)]}, indent=1) + "\n")
        print(f"{use}, {compiler}, {other}: {result}", flush=True)

    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(attempt, cases(args)))


if __name__ == "__main__":
    main()
