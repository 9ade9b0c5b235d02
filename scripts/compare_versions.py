#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a call of each family, in a graph and on the host, between two versions of the library on one GPU.

usage: compare_versions.py build FOLDER BEFORE AFTER [--nvcc NVCC] [--architecture 90]
       compare_versions.py run FOLDER [--turns 5] [--output FILE]
       compare_versions.py show FILE [--bound 1.03]

build: compiles benchmarks/versions with the headers of two folders include/, as of two checkouts, into FOLDER.
run: runs both programs in turns, and writes the medians of both and which GPU it was.
show: prints the calls that take longer after than before, and fails if one takes more than the bound.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(ROOT, "benchmarks", "versions")
UNITS = ["main.cu", "passes.cu", "orders.cu", "../support/timing.cu"]
VERSIONS = ["before", "after"]


def build(args):
    for version, include in zip(VERSIONS, [args.before, args.after]):
        objects = []
        for unit in UNITS:
            objects.append(os.path.join(args.folder, f"{version}_{os.path.basename(unit)}.o"))
            subprocess.run([args.nvcc, "-std=c++20", "-O3", f"-arch=sm_{args.architecture}", f"-I{include}", "-c", "-o",
                            objects[-1], os.path.join(SOURCES, unit)], check=True)
        subprocess.run([args.nvcc, f"-arch=sm_{args.architecture}", "-o", os.path.join(args.folder, version), *objects],
                       check=True)


def run(args):
    times = {}
    for turn in range(args.turns):
        for version in VERSIONS if turn % 2 == 0 else reversed(VERSIONS):
            path = os.path.join(args.folder, f"{version}.csv")
            subprocess.run([os.path.join(args.folder, version), path], check=True)
            with open(path, newline="") as f:
                for row in csv.DictReader(f):
                    for column in ("graph_us", "host_ns"):
                        if float(row[column]) > 0:
                            key = (row["call"], int(row["n"]), column)
                            times.setdefault(key, {}).setdefault(version, []).append(float(row[column]))
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=True, capture_output=True,
                         text=True).stdout.strip()
    rows = [{"call": call, "n": n, "time": column,
             **{version: round(statistics.median(values[version]), 3) for version in VERSIONS},
             **{f"spread_{version}": round(max(values[version]) / min(values[version]), 3) for version in VERSIONS}}
            for (call, n, column), values in times.items()]
    with open(args.output, "w") as f:
        json.dump({"gpu": gpu, "turns": args.turns, "rows": rows}, f, indent=1)
        f.write("\n")


def show(args):
    with open(args.file) as f:
        result = json.load(f)
    ratios = sorted(((row["after"] / row["before"], row) for row in result["rows"]), key=lambda pair: -pair[0])
    for ratio, row in ratios:
        if ratio > 1.01:
            print(f"{ratio:6.3f}  {row['call']:42} {row['n']:9} {row['time']:9} {row['before']:10} {row['after']:10}")
    slow = sum(ratio > args.bound for ratio, _ in ratios)
    print(f"{len(ratios)} times on {result['gpu']}, median {statistics.median(r for r, _ in ratios):.3f}, "
          f"{slow} above {args.bound}")
    sys.exit(1 if slow else 0)


def main():
    parser = argparse.ArgumentParser(description="times of two versions of gpuprim")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("build")
    command.add_argument("folder")
    command.add_argument("before")
    command.add_argument("after")
    command.add_argument("--nvcc", default="nvcc")
    command.add_argument("--architecture", default="90")
    command.set_defaults(call=build)
    command = commands.add_parser("run")
    command.add_argument("folder")
    command.add_argument("--turns", type=int, default=5)
    command.add_argument("--output", default="versions.json")
    command.set_defaults(call=run)
    command = commands.add_parser("show")
    command.add_argument("file")
    command.add_argument("--bound", type=float, default=1.03)
    command.set_defaults(call=show)
    args = parser.parse_args()
    args.call(args)


if __name__ == "__main__":
    main()
