#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each call of benchmarks/compile_time with gpuprim and with CUB, turn by turn, and writes seconds of the processor
and bytes.

usage: compile_time.py [--nvcc NVCC] [--rounds N] [--cccl INCLUDE]... [--call NAME]... [--output FILE]
       compile_time.py --nvrtc LIBNVRTC --cccl INCLUDE [--rounds N]
       compile_time.py --bound [--nvcc NVCC --call NAME...]

--cccl: the include folder of another CCCL, whose CUB is compiled beside the toolkit's.
--call: compiles these calls alone; the output keeps what it has of others.
--nvrtc: compiles the kernels of benchmarks/compile_time/nvrtc by NVRTC. The toolkit's headers are beside those of CCCL.
--bound: fails if a call takes longer than it may beside CUB: of those that are recorded, and of those that are named and
compiled now. Fails too if a public call has no file.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CALLS = os.path.join(ROOT, "benchmarks", "compile_time")
RESULTS = os.path.join(ROOT, "benchmarks", "results")
# A call's time beside that of the faster CUB. Calls that take longer have a bound of their own.
BOUND = 0.6
BOUNDS = {"segments_by_offsets": 0.85, "sort": 0.85, "sort_pairs": 0.85}
# Public calls that compile what another one does.
SAME = {
    "inclusive_scan": "exclusive_scan", "inclusive_scan_by_key": "exclusive_scan_by_key",
    "transform_inclusive_scan": "transform_exclusive_scan", "segmented_exclusive_scan": "segmented_scan",
    "segmented_inclusive_scan": "segmented_scan", "column_exclusive_scan": "column_scan",
    "column_inclusive_scan": "column_scan", "segmented_reduce": "segments_by_offsets", "max_element": "min_element",
    "segmented_max_element": "segmented_min_element",
    "upper_bound": "lower_bound", "upper_bound_of_sorted": "lower_bound_of_sorted",
    "set_intersection": "set_union", "set_difference": "set_union",
    "reduce_into_value": "reduce_into", "top_k_positions": "top_k_pairs", "segmented_top_k_pairs": "segmented_top_k",
    "segmented_top_k_positions": "segmented_top_k", "adjacent_difference_right": "adjacent_difference",
    "adjacent_difference_right_in_place": "adjacent_difference_in_place"}


def run(command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True)


def processor_seconds():
    """Of all processes that this one has waited for: it does not count that others use the machine too."""
    times = os.times()
    return times.children_user + times.children_system


def over_cub(rows):
    """The time of each call that CUB has, over that of the faster CUB."""
    seconds = {}
    for row in rows:
        seconds.setdefault(row["call"], {})[row["library"]] = row["median_s"]
    return {call: times["gpuprim"] / min(s for name, s in times.items() if name != "gpuprim")
            for call, times in seconds.items() if len(times) > 1}


def check_bounds(rows):
    wrong = [f"{call} takes {ratio:.2f} of CUB's time to compile; it may take {BOUNDS.get(call, BOUND)}"
             for call, ratio in over_cub(rows).items() if ratio > BOUNDS.get(call, BOUND)]
    if wrong:
        raise SystemExit("\n".join(wrong))


def check_record(path):
    sys.path.insert(0, os.path.join(ROOT, "tests", "lint"))
    import host_calls
    there = {os.path.splitext(name)[0] for name in os.listdir(os.path.join(CALLS, "gpuprim"))}
    missing = [name for name, cells in host_calls.table(ROOT)
               if cells["architectures"] == "made" and SAME.get(name, name) not in there]
    if missing:
        raise SystemExit(f"benchmarks/compile_time/gpuprim/ has no NAME.cu of: {', '.join(missing)}. Write one with a call of it, "
                         "or name the call that compiles the same in SAME of scripts/compile_time.py")
    with open(path) as f:
        check_bounds(json.load(f)["rows"])


def measure_nvrtc(library, folders, rounds):
    """Rows of each kernel of benchmarks/compile_time/nvrtc."""
    sys.path.insert(0, os.path.join(ROOT, "tests", "nvrtc"))
    from nvrtc import Nvrtc, options
    nvrtc = Nvrtc(library)
    arguments = {"gpuprim": options(os.path.join(ROOT, "include"), folders),
                 "CUB": ["-std=c++20"] + [f"-I{folder}" for folder in reversed(folders)]}
    rows = []
    for call in sorted(os.listdir(os.path.join(CALLS, "nvrtc", "gpuprim"))):
        seconds = {name: [] for name in arguments}
        for _ in range(rounds):
            for name in arguments:
                with open(os.path.join(CALLS, "nvrtc", name.lower(), call)) as f:
                    source = f.read()
                begin = time.process_time()
                nvrtc.compile(source, 90, arguments[name])
                seconds[name].append(round(time.process_time() - begin, 2))
        for name in arguments:
            rows.append({"call": os.path.splitext(call)[0], "library": name,
                         "median_s": statistics.median(seconds[name]), "seconds": seconds[name]})
            print(f"{call}, {name}: {rows[-1]['median_s']:.2f} s", flush=True)
    with open(os.path.join(RESULTS, "nvrtc_time.json"), "w") as f:
        json.dump({"toolkit": nvrtc.version(), "cores": os.cpu_count(), "rows": rows}, f, indent=1)
        f.write("\n")


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
    parser.add_argument("--output", default=os.path.join(RESULTS, "compile_time.json"))
    parser.add_argument("--nvrtc")
    parser.add_argument("--bound", action="store_true")
    args = parser.parse_args()
    if args.nvrtc:
        measure_nvrtc(args.nvrtc, [os.path.dirname(args.cccl[0]), args.cccl[0]], args.rounds)
        return
    if args.bound:
        check_record(args.output)
        if not args.call:
            return
    calls = [f"{call}.cu" for call in args.call] or sorted(os.listdir(os.path.join(CALLS, "gpuprim")))
    flags = ["-std=c++20", "-arch=sm_90"]
    version = re.search(r"release ([0-9.]+)", run([args.nvcc, "--version"]).stdout).group(1)
    result = {"command": " ".join(["nvcc", *flags, "-c"]), "toolkit": version, "cores": os.cpu_count(), "rows": []}
    if args.call and not args.bound:
        with open(args.output) as f:
            result["rows"] = [row for row in json.load(f)["rows"] if row["call"] not in args.call]
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        libraries = {"gpuprim": ("gpuprim", ["-I", os.path.join(ROOT, "include")])}
        for options in [[]] + [["-I", include] for include in args.cccl]:
            libraries[cub_name(args.nvcc, options, folder)] = ("cub", options)
        for call in calls:
            name_of_call = os.path.splitext(call)[0]
            seconds = {name: [] for name in libraries}
            size = {}
            for _ in range(args.rounds):
                for name, (sources, options) in libraries.items():
                    target = os.path.join(folder, "call.o")
                    source = os.path.join(CALLS, sources, call)
                    if not os.path.exists(source):
                        continue
                    begin = processor_seconds()
                    made = run([args.nvcc, *flags, *options, "-c", source, "-o", target], name == "gpuprim")
                    if made.returncode != 0:  # this CUB has no such call
                        continue
                    seconds[name].append(round(processor_seconds() - begin, 2))
                    size[name] = os.path.getsize(target)
            for name in libraries:
                if not seconds[name]:
                    print(f"{name_of_call}, {name}: does not compile", flush=True)
                    continue
                row = {"call": name_of_call, "library": name, "median_s": statistics.median(seconds[name]),
                       "object_bytes": size[name], "seconds": seconds[name]}
                measured.append(row)
                print(f"{name_of_call}, {name}: {row['median_s']:.2f} s, {row['object_bytes']} bytes", flush=True)
            if not args.bound:  # call by call: a run takes long
                result["rows"] = sorted(result["rows"] + measured[-len(size):], key=lambda row: row["call"])
                with open(args.output, "w") as f:
                    json.dump(result, f, indent=1)
                    f.write("\n")
    if args.bound:
        check_bounds(measured)


if __name__ == "__main__":
    main()
