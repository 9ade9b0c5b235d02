#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times calls with an operator of the user's beside those of cuda.compute (the package cuda-cccl) with the same one.

usage: operators.py [--device cuda|cpu] [--largest BITS] [--seconds S] [--only TEXT] [OUT.json]

For each call and contender: `first_s`, the first call in a new process with nothing kept on disk, `again_s`, the first
call in the next process, and for each size `call_us` and `done_us`, as calls.py has them. Arrays on a GPU are those of
PyTorch or, without it, of CuPy. The device cpu is for trying the script: gpuprim on arrays of NumPy; --largest 10 keeps
it short.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np

from timing import add_arguments, measure

CALLS = ["reduce", "scan", "select", "transform"]
CONTENDERS = ["gpuprim", "cuda.compute"]


class Arrays:
    """Float32 on the device, and its waiting."""

    def __init__(self, device):
        self.device, self.name, self.library = device, "numpy", np
        if device == "cpu":
            return
        try:
            import torch

            self.name, self.library = "torch", torch
            torch.cuda.init()
        except ImportError:
            try:
                import cupy
            except ImportError:
                raise SystemExit("arrays on a GPU need PyTorch or CuPy, and both are missing") from None
            self.name, self.library = "cupy", cupy

    def random(self, n):
        host = np.random.default_rng(n).random(n, np.float32)
        if self.name == "torch":
            return self.library.from_numpy(host).cuda()
        return self.library.asarray(host)

    def empty(self, n, dtype="float32"):
        if self.name == "torch":
            return self.library.empty(n, dtype=getattr(self.library, dtype), device="cuda")
        return self.library.empty(n, dtype)

    def wait(self):
        if self.name == "torch":
            self.library.cuda.synchronize()
        elif self.name == "cupy":
            self.library.cuda.get_current_stream().synchronize()

    def machine(self):
        if self.name == "torch":
            return self.library.cuda.get_device_name()
        if self.name == "cupy":
            return self.library.cuda.runtime.getDeviceProperties(0)["name"].decode()
        return platform.processor()


def with_gpuprim(call, arrays, n):
    import gpuprim

    x = arrays.random(n)
    if call == "reduce":
        to = arrays.empty(()) if arrays.name != "torch" else arrays.library.empty((), device="cuda")
        return lambda: gpuprim.reduce(x, "fabsf(a) < fabsf(b) ? b : a", 0, out=to)
    to = arrays.empty(n)
    if call == "scan":
        return lambda: gpuprim.scan(x, "fabsf(a) < fabsf(b) ? b : a", initial=0, out=to)
    if call == "select":
        return lambda: gpuprim.select_if(x, "x > 0.5f")
    return lambda: gpuprim.transform("x * x + 1", x, out=to)


def with_cuda_compute(call, arrays, n):
    import cuda.compute

    def larger(a, b):
        return b if abs(a) < abs(b) else a

    def is_large(a):
        return a > np.float32(0.5)

    def square_and_one(a):
        return a * a + np.float32(1)

    x, to, zero = arrays.random(n), arrays.empty(n), np.zeros(1, np.float32)
    arguments = {"d_in": x, "d_out": to, "num_items": n}
    if call == "reduce":
        return lambda: cuda.compute.reduce_into(**{**arguments, "d_out": to[:1]}, op=larger, h_init=zero)
    if call == "scan":
        return lambda: cuda.compute.inclusive_scan(**arguments, op=larger, init_value=zero)
    if call == "select":
        count = arrays.empty(1, "int64")

        def select():
            cuda.compute.select(**{**arguments, "d_out": arrays.empty(n)}, d_num_selected_out=count, cond=is_large)
            return int(count[0])  # gpuprim's call waits for the number, too

        return select
    return lambda: cuda.compute.unary_transform(**arguments, op=square_and_one)


def make_call(contender, call, arrays, n):
    return (with_gpuprim if contender == "gpuprim" else with_cuda_compute)(call, arrays, n)


def find_missing(device):
    """Why a contender cannot run, by contender."""
    missing = {}
    for contender in CONTENDERS:
        if contender != "gpuprim" and device == "cpu":
            missing[contender] = "it has no arrays in host memory"
            continue
        try:
            __import__(contender)
        except ImportError as error:
            missing[contender] = str(error)
    return missing


def time_first_call(contender, call, device):
    """In this process, which has made no call before. The device is awake, and the array is there."""
    arrays = Arrays(device)
    __import__(contender)
    begin_of = make_call(contender, call, arrays, 2**10)
    arrays.wait()
    begin = time.perf_counter()
    begin_of()
    arrays.wait()
    return time.perf_counter() - begin


def time_in_new_process(contender, call, device, cache):
    command = [sys.executable, os.path.abspath(__file__), "--device", device, "--first", contender, call]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "GPUPRIM_CACHE": cache})
    return float(printed.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "calls")
    parser.add_argument("--first", nargs=2, metavar=("CONTENDER", "CALL"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.first:
        print(time_first_call(*arguments.first, arguments.device))
        return
    arrays = Arrays(arguments.device)
    missing = find_missing(arguments.device)
    for contender, why in missing.items():
        print(f"{contender} is missing: {why}")
    present = [contender for contender in CONTENDERS if contender not in missing]
    results = {"device": arrays.machine(), "python": platform.python_version(),
               "arrays": f"{arrays.name} {arrays.library.__version__}", "missing": missing, "cases": {}}
    sizes = [2**bits for bits in (16, 20, 26) if bits <= arguments.largest] or [2**arguments.largest]
    for call in CALLS:
        if arguments.only not in call:
            continue
        of_call = results["cases"][call] = {}
        for contender in present:
            with tempfile.TemporaryDirectory() as cache:
                first, again = [time_in_new_process(contender, call, arguments.device, cache) for _ in range(2)]
            of_call[contender] = {"first_s": first, "again_s": again, "sizes": {}}
            print(f"{call:10} {contender:13} first {first:8.3f} s  in the next process {again:8.3f} s", flush=True)
        for n in sizes:
            ready = {contender: make_call(contender, call, arrays, n) for contender in present}
            best = {contender: (float("inf"), float("inf")) for contender in present}
            for _ in range(3):
                for contender, run in ready.items():
                    best[contender] = tuple(map(min, best[contender], measure(run, arrays.wait, arguments.seconds)))
            for contender, (returned, done) in best.items():
                of_call[contender]["sizes"][n] = {"call_us": returned * 1e6, "done_us": done * 1e6}
                print(f"{call:10} {contender:13} {n:9} elements {done * 1e6:10.1f} us ({returned * 1e6:7.1f} to return)",
                      flush=True)
    if arguments.out:
        with open(arguments.out, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
