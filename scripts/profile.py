#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the hardware counters of kernels with Nsight Compute. usage:
  profile.py [--ncu NCU] --json FILE PROGRAM [ARGUMENT...] [-- PROGRAM [ARGUMENT...]]...
  profile.py --table FILE      prints the kernels of such a file
  profile.py --self-test

Of each kernel the first launch counts. The names are those of the books, which nvprof had; METRICS says what ncu calls
them today."""
import csv
import datetime
import json
import pathlib
import re
import subprocess
import sys

# The books' name: ncu's name, and the unit that it is printed in.
METRICS = {
    "time": ("gpu__time_duration.sum", "us"),
    "achieved_occupancy": ("sm__warps_active.avg.pct_of_peak_sustained_active", "%"),
    "gld_efficiency": ("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "%"),
    "gst_efficiency": ("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "%"),
    "gld_transactions": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors"),
    "gst_transactions": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sectors"),
    "gld_throughput": ("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", "GB/s"),
    "gst_throughput": ("l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", "GB/s"),
    "dram_read_throughput": ("dram__bytes_read.sum.per_second", "GB/s"),
    "dram_write_throughput": ("dram__bytes_write.sum.per_second", "GB/s"),
    "l1_hit_rate": ("l1tex__t_sector_hit_rate.pct", "%"),
    "l2_hit_rate": ("lts__t_sector_hit_rate.pct", "%"),
    "branch_efficiency": ("smsp__sass_average_branch_targets_threads_uniform.pct", "%"),
    "inst_per_warp": ("smsp__average_inst_executed_per_warp.ratio", "instructions"),
    "shared_ld_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "wavefronts"),
    "shared_st_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "wavefronts"),
    "eligible_warps": ("smsp__warps_eligible.avg.per_cycle_active", "warps"),
    "issue_slot_utilization": ("smsp__issue_active.avg.pct_of_peak_sustained_active", "%"),
    "sm_utilization": ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"),
    "memory_utilization": ("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "%"),
}
# Why warps that are stalled do not issue, in cycles of a warp for each of its instructions: the greatest says what
# limits a kernel.
STALLS = {
    reason: f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"
    for reason in ("long_scoreboard", "short_scoreboard", "barrier", "membar", "lg_throttle", "mio_throttle",
                   "math_pipe_throttle", "dispatch_stall", "wait", "not_selected", "branch_resolving", "no_instruction",
                   "drain")
}
# What a unit of ncu's is in ours.
SCALES = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3, "byte/s": 1e-9,
          "Kbyte/s": 1e-6, "Mbyte/s": 1e-3, "Gbyte/s": 1, "byte/second": 1e-9, "Kbyte/second": 1e-6,
          "Mbyte/second": 1e-3, "Gbyte/second": 1, "Tbyte/second": 1e3, "Tbyte/s": 1e3}


def short_name(kernel):
    """A kernel's name without its arguments and namespaces."""
    name = re.sub(r"\(anonymous namespace\)::|<unnamed>::", "", kernel).split("(")[0]
    return re.sub(r"\b(\w+::)+", "", name).removeprefix("void ").strip()


def read_rows(text):
    """The rows of ncu's raw page: a line of names, a line of units, and a line for each launch."""
    rows = list(csv.reader(line for line in text.splitlines() if line.startswith('"')))
    if len(rows) < 3:
        return []
    names, units = rows[0], dict(zip(rows[0], rows[1]))
    metrics = {**{name: metric for name, (metric, _) in METRICS.items()},
               **{f"stall_{reason}": metric for reason, metric in STALLS.items()}}
    found, seen = [], set()
    for row in rows[2:]:
        values = dict(zip(names, row))
        kernel = short_name(values["Kernel Name"])
        if kernel in seen:
            continue
        seen.add(kernel)
        one = {"kernel": kernel, "grid": values.get("Grid Size", ""), "block": values.get("Block Size", "")}
        for name, metric in metrics.items():
            number = values.get(metric, "").replace(",", "")
            if re.fullmatch(r"-?[0-9.]+(e[+-]?\d+)?", number):
                one[name] = float(f"{float(number) * SCALES.get(units[metric], 1):.6g}")
        stalls = {reason: one[f"stall_{reason}"] for reason in STALLS if f"stall_{reason}" in one}
        if stalls:
            one["limited_by"] = max(stalls, key=stalls.get)
        found.append(one)
    return found


def profile(ncu, command):
    metrics = ",".join([*[metric for metric, _ in METRICS.values()], *STALLS.values()])
    # The clocks stay as they are: ncu would lock them to those of its base otherwise.
    done = subprocess.run([ncu, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                           "--kernel-name-base", "demangled", "--kernel-id", ":::1", "--metrics", metrics, *command],
                          capture_output=True, text=True)
    rows = read_rows(done.stdout)
    if done.returncode != 0 or not rows:
        sys.exit(f"profile.py: {' '.join(command)}: ncu ended with {done.returncode}\n"
                 f"{done.stdout[-2000:]}{done.stderr}")
    return rows


def print_table(path):
    for program in json.loads(pathlib.Path(path).read_text())["programs"]:
        print(f"\n{program['command']}")
        for row in program["kernels"]:
            figures = [f"{name} {row[name]:g} {unit}" for name, (_, unit) in METRICS.items() if name in row]
            figures += [f"{name} {value:g} cycles" for name, value in row.items() if name.startswith("stall_")]
            print(f"  {row['kernel']}: limited by {row.get('limited_by', 'nothing known')}; {', '.join(figures)}")


def self_test():
    text = ('==PROF== Connected\n"ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum",'
            '"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",'
            '"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"\n"","","","","nsecond","inst","inst"\n'
            '"0","void a::copy<int, 4>(const int *)","(256, 1, 1)","(8, 1, 1)","2,500","0.5","1.5"\n'
            '"1","void a::copy<int, 4>(const int *)","(256, 1, 1)","(8, 1, 1)","9,000","0.5","1.5"\n')
    rows = read_rows(text)
    assert len(rows) == 1 and rows[0]["kernel"] == "copy<int, 4>" and rows[0]["time"] == 2.5, rows
    assert rows[0]["limited_by"] == "wait" and rows[0]["block"] == "(256, 1, 1)", rows
    assert read_rows("==ERROR== nothing\n") == []
    print("profile.py reads what ncu prints")


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) == 2 and arguments[0] == "--table":
        return print_table(arguments[1])
    ncu, path = "ncu", None
    while len(arguments) > 1 and arguments[0] in ("--ncu", "--json"):
        if arguments[0] == "--ncu":
            ncu = arguments[1]
        else:
            path = arguments[1]
        arguments = arguments[2:]
    if path is None or not arguments:
        sys.exit(__doc__)
    commands = [[]]
    for argument in arguments:
        if argument == "--":
            commands.append([])
        else:
            commands[-1].append(argument)
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                         text=True, check=True).stdout.splitlines()[0]
    name, driver = [field.strip() for field in gpu.split(",")]
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    result = {"gpu": name, "driver": driver, "date": date,
              "metrics": {name: metric for name, (metric, _) in METRICS.items()}, "programs": []}
    for command in commands:
        words = [pathlib.Path(command[0]).name, *command[1:]]
        result["programs"].append({"command": " ".join(words), "kernels": profile(ncu, command)})
        pathlib.Path(path).write_text(json.dumps(result, indent=1) + "\n")


main()
