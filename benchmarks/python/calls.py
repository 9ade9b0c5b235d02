#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times calls of the Python package beside those of PyTorch and CuPy, in one process.

usage: calls.py [--device cuda|cpu] [--largest BITS] [--seconds S] [--only TEXT] [OUT.json]

For each case two times: `call`, from the call to its return, without waiting for the device; and `done`, until the
device has done it, as the mean over calls that follow each other. Contenders take turns, and each has the least of its
rounds. The cases `overhead` have the call of Python and the function of the compiled module below it, with room for the
results; what the first takes longer to return is the time of Python. On the host SIMT device (cpu) the times say nothing, but that the script works; --largest 10 keeps it short.
"""
import argparse
import json
import platform

import torch

import gpuprim
from gpuprim._arrays import DTYPES, backend
from timing import add_arguments, measure

try:
    import cupy
except ImportError:
    cupy = None

VOCABULARY = 151_936


def sizes(largest):
    return [2**bits for bits in range(16, 27, 2) if bits <= largest] or [2**largest]


def cases(device, largest):
    """Name, and the calls by contender. CuPy's get views of the same memory."""
    rows, columns = 8, VOCABULARY if largest >= 18 else 2**largest

    def random(*shape):
        return torch.rand(shape, device=device)

    def integers(n, most):
        return torch.randint(0, most, (n,), device=device)

    def with_cupy(name, *arrays):
        if cupy is None or device != "cuda":
            return {}
        views = [cupy.from_dlpack(array) for array in arrays]
        call = getattr(cupy, name)
        return {"cupy": lambda: call(*views)}

    for n in sizes(largest):
        x, few = random(n), integers(n, 1000)
        mask = x < 0.5
        offsets = torch.arange(0, n + 1, 64, device=device)
        yield f"sum, {n}", {"gpuprim": lambda: gpuprim.sum(x), "torch": lambda: torch.sum(x), **with_cupy("sum", x)}
        yield f"sort, {n}", {"gpuprim": lambda: gpuprim.sort(x), "torch": lambda: torch.sort(x), **with_cupy("sort", x)}
        yield f"argsort, {n}", {"gpuprim": lambda: gpuprim.argsort(x), "torch": lambda: torch.argsort(x, stable=True),
                                **with_cupy("argsort", x)}
        yield f"cumsum, {n}", {"gpuprim": lambda: gpuprim.cumsum(x), "torch": lambda: torch.cumsum(x, 0),
                               **with_cupy("cumsum", x)}
        yield f"bincount, {n}", {"gpuprim": lambda: gpuprim.bincount(few), "torch": lambda: torch.bincount(few),
                                 **with_cupy("bincount", few)}
        yield f"unique, {n}", {"gpuprim": lambda: gpuprim.unique(few), "torch": lambda: torch.unique(few),
                               **with_cupy("unique", few)}
        yield f"nonzero, {n}", {"gpuprim": lambda: gpuprim.nonzero(mask), "torch": lambda: torch.nonzero(mask),
                                **with_cupy("nonzero", mask)}
        yield f"select, {n}", {"gpuprim": lambda: gpuprim.select(x, mask),
                               "torch": lambda: torch.masked_select(x, mask)}
        yield f"segment_reduce, {n}", {"gpuprim": lambda: gpuprim.segment_reduce(x, offsets),
                                       "torch": lambda: torch.segment_reduce(x, "sum", offsets=offsets)}
    yield from overhead(random(2**16 if largest >= 16 else 2**largest))
    logits = random(rows, columns)
    yield f"topk of 50, {rows} x {columns}", {"gpuprim": lambda: gpuprim.topk(logits, 50),
                                              "torch": lambda: torch.topk(logits, 50)}
    yield f"cumsum, {rows} x {columns}", {"gpuprim": lambda: gpuprim.cumsum(logits),
                                          "torch": lambda: torch.cumsum(logits, -1)}


def overhead(x):
    n, float32 = x.numel(), DTYPES.index("float32")
    core = backend("overhead", x.device.index if x.is_cuda else -1)
    stream = torch.cuda.current_stream().cuda_stream if x.is_cuda else 0
    place = core.Place(x.device.index if x.is_cuda else -1, stream)
    one, all_of_it, positions = x[:1].clone(), x.clone(), torch.empty(n, dtype=torch.int64, device=x.device)
    total, result = one.reshape(()), all_of_it.data_ptr()
    yield f"overhead of sum, {n}", {
        "gpuprim": lambda: gpuprim.sum(x, out=total),
        "module": lambda: core.reduce_rows(0, float32, x.data_ptr(), one.data_ptr(), 1, n, place)}
    yield f"overhead of cumsum, {n}", {
        "gpuprim": lambda: gpuprim.cumsum(x, out=all_of_it),
        "module": lambda: core.scan_rows(0, float32, x.data_ptr(), result, 1, n, place)}
    yield f"overhead of sort, {n}", {
        "gpuprim": lambda: gpuprim.sort(x, out=all_of_it),
        "module": lambda: core.sort_rows(float32, x.data_ptr(), result, 1, n, place)}
    yield f"overhead of topk of 50, {n}", {
        "gpuprim": lambda: gpuprim.topk(x, 50),
        "module": lambda: core.top_k_rows(True, float32, x.data_ptr(), result, positions.data_ptr(), 1, n, 50, place)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "cases")
    arguments = parser.parse_args()
    wait = torch.cuda.synchronize if arguments.device == "cuda" else lambda: None
    machine = torch.cuda.get_device_name() if arguments.device == "cuda" else platform.processor()
    results = {"device": machine, "python": platform.python_version(), "torch": torch.__version__,
               "cupy": cupy and cupy.__version__, "cases": {}}
    for name, contenders in cases(arguments.device, arguments.largest):
        if arguments.only not in name:
            continue
        best = {contender: (float("inf"), float("inf")) for contender in contenders}
        for _ in range(3):
            for contender, call in contenders.items():
                times = measure(call, wait, arguments.seconds)
                best[contender] = tuple(map(min, best[contender], times))
        results["cases"][name] = {c: {"call_us": t[0] * 1e6, "done_us": t[1] * 1e6} for c, t in best.items()}
        columns = "  ".join(f"{c} {t[1] * 1e6:10.1f} us ({t[0] * 1e6:7.1f} to return)" for c, t in best.items())
        print(f"{name:32} {columns}", flush=True)
    if arguments.out:
        with open(arguments.out, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
