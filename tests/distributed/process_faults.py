#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a process a GPU, of which the last one fails in each of several ways before each of several calls, and checks
that the others end with an error in time. Besides, one process never starts, and all find the id of an earlier run. usage: process_faults.py PROGRAM WORK [RANKS]"""
import os
import pathlib
import subprocess
import sys

# What the rank that fails prints, and what the others do. A rank that never comes prints nothing.
FAULTS = {
    "none": ("done", "done"),
    "dies": (None, "failed"),
    "late": (None, "failed"),
    "refused": ("refused", "failed"),
    "other": ("failed", "failed"),
    "never": (None, "failed"),
    "stale": ("failed", "failed"),
}
CALLS = ["reduce", "sort", "unique", "reduce_by_key", "segments", "rows"]
# Before these there is no call, and what another call does to the rank that makes it depends on what they exchange.
FAULTS_OF_ONE_CALL = ["never", "stale", "other"]


def main():
    program, work = sys.argv[1], pathlib.Path(sys.argv[2])
    ranks = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    found = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.count("GPU ")
    if found < ranks:
        print(f"skipped: there are {found} GPUs, and {ranks} are needed")
        sys.exit(77)
    work.mkdir(parents=True, exist_ok=True)
    is_right = True
    cases = [(fault, call) for fault in FAULTS for call in (CALLS[:1] if fault in FAULTS_OF_ONE_CALL else CALLS)]
    for fault, call in cases:
        of_last, of_others = FAULTS[fault]
        path = work / f"id_{fault}_{call}"
        path.unlink(missing_ok=True)
        if fault == "stale":
            path.write_bytes(bytes(128))
        processes = []
        for rank in range(ranks - 1 if fault == "never" else ranks):
            environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank))
            processes.append(subprocess.Popen([program, fault, call, path], env=environment, text=True,
                                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        for rank, process in enumerate(processes):
            expected = of_last if rank == ranks - 1 else of_others
            try:
                out, _ = process.communicate(timeout=90)
            except subprocess.TimeoutExpired:
                process.kill()
                out = "it waits for ever\n"
            last = out.strip().splitlines()[-1] if out.strip() else "nothing"
            good = process.returncode == 0 and (expected is None or last.startswith(expected))
            is_right = is_right and good
            print(f"{fault}, {call}, rank {rank}: {last}{'' if good else f' (status {process.returncode}) WRONG'}",
                  flush=True)
        path.unlink(missing_ok=True)
    sys.exit(0 if is_right else 1)


main()
