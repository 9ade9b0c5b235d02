#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each call of benchmarks/compile_time with gpuprim and with CUB, turn by turn, and writes seconds and bytes.

usage: compile_time.py [--nvcc NVCC] [--rounds N] [--cccl INCLUDE]... [--call NAME]... [--output FILE]

--cccl: the include folder of another CCCL, whose CUB is compiled beside the toolkit's.
--call: compiles these calls alone; the output keeps what it has of others.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CALLS = os.path.join(ROOT, "benchmarks", "compile_time")


def run(command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True)


def cub_name(nvcc, options, folder):
    """The library with its version, as the compiler finds it."""
    path = os.path.join(folder, "version.cu")
    with open(path, "w") as f:
        f.write("#include <cub/version.cuh>\nthe version is CUB_VERSION")
    number = int(run([nvcc, "-E", *options, path]).stdout.split()[-1])
    return f"CUB {number // 100000}.{number // 100 % 1000}.{number % 100}"


def main():
    parser = argparse.ArgumentParser(description="compile time and object size of calls, gpuprim beside CUB")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--cccl", action="append", default=[])
    parser.add_argument("--call", action="append", default=[])
    parser.add_argument("--output", default=os.path.join(ROOT, "benchmarks", "results", "compile_time.json"))
    args = parser.parse_args()
    calls = [f"{call}.cu" for call in args.call] or sorted(os.listdir(os.path.join(CALLS, "gpuprim")))
    flags = ["-std=c++20", "-arch=sm_90"]
    rows = []
    if args.call:
        with open(args.output) as f:
            rows = [row for row in json.load(f)["rows"] if row["call"] not in args.call]
    with tempfile.TemporaryDirectory() as folder:
        libraries = {"gpuprim": ("gpuprim", ["-I", os.path.join(ROOT, "include")])}
        for options in [[]] + [["-I", include] for include in args.cccl]:
            libraries[cub_name(args.nvcc, options, folder)] = ("cub", options)
        for call in calls:
            seconds = {name: [] for name in libraries}
            size = {}
            for _ in range(args.rounds):
                for name, (sources, options) in libraries.items():
                    target = os.path.join(folder, "call.o")
                    begin = time.monotonic()
                    source = os.path.join(CALLS, sources, call)
                    made = run([args.nvcc, *flags, *options, "-c", source, "-o", target], name == "gpuprim")
                    if made.returncode != 0:  # this CUB has no such call
                        continue
                    seconds[name].append(round(time.monotonic() - begin, 2))
                    size[name] = os.path.getsize(target)
            for name in libraries:
                if not seconds[name]:
                    print(f"{os.path.splitext(call)[0]}, {name}: does not compile", flush=True)
                    continue
                row = {"call": os.path.splitext(call)[0], "library": name, "median_s": statistics.median(seconds[name]),
                       "object_bytes": size[name], "seconds": seconds[name]}
                rows.append(row)
                print(f"{row['call']}, {name}: {row['median_s']:.2f} s, {row['object_bytes']} bytes", flush=True)
    version = re.search(r"release ([0-9.]+)", run([args.nvcc, "--version"]).stdout).group(1)
    result = {"command": " ".join(["nvcc", *flags, "-c"]), "toolkit": version, "cores": os.cpu_count(), "rows": sorted(rows, key=lambda row: row["call"])}
    with open(args.output, "w") as f:
        json.dump(result, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
