# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of this folder time calls with."""
import time


def measure(call, wait, seconds):
    """Seconds of a call until it returns, and until the device has done it: means over calls that follow each other for
    about so many seconds. `wait` waits for the device."""
    call()
    wait()
    begin = time.perf_counter()
    call()
    wait()
    repeats = max(1, min(200, int(seconds / max(time.perf_counter() - begin, 1e-6))))
    begin = time.perf_counter()
    for _ in range(repeats):
        call()
    returned = time.perf_counter()
    wait()
    return (returned - begin) / repeats, (time.perf_counter() - begin) / repeats


def add_arguments(parser, of_what):
    """The arguments that the scripts have in common; `--only` chooses among `of_what`."""
    parser.add_argument("out", nargs="?")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--largest", type=int, default=26, help="the most elements, as a power of two")
    parser.add_argument("--seconds", type=float, default=0.05, help="of one round of a contender")
    parser.add_argument("--only", default="", help=f"{of_what} whose names contain this")
