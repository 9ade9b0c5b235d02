#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one reduce with gpuprim and with CUB, turn by turn, and writes seconds and object bytes.

usage: compile_time.py [--nvcc NVCC] [--rounds N] [--output FILE]
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


def main():
    parser = argparse.ArgumentParser(description="compile time and object size of one reduce, gpuprim beside CUB")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output", default=os.path.join(ROOT, "benchmarks", "results", "compile_time.json"))
    args = parser.parse_args()
    seconds = {"gpuprim": [], "cub": []}
    size = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(args.rounds):
            for name in seconds:
                target = os.path.join(folder, name + ".o")
                command = [args.nvcc, "-std=c++20", "-arch=sm_90", "-I", os.path.join(ROOT, "include"), "-c",
                           os.path.join(ROOT, "benchmarks", "compile_time", name + ".cu"), "-o", target]
                begin = time.monotonic()
                subprocess.run(command, check=True)
                seconds[name].append(round(time.monotonic() - begin, 2))
                size[name] = os.path.getsize(target)
    version = subprocess.run([args.nvcc, "--version"], check=True, capture_output=True, text=True).stdout
    median = {name: statistics.median(s) for name, s in seconds.items()}
    result = {
        "command": "nvcc -std=c++20 -arch=sm_90 -c",
        "toolkit": re.search(r"release ([0-9.]+)", version).group(1),
        "cores": os.cpu_count(),
        "seconds": seconds,
        "ratio_of_medians": round(median["gpuprim"] / median["cub"], 3),
        "object_bytes": size,
    }
    with open(args.output, "w") as f:
        json.dump(result, f, indent=2)
        f.write("\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
