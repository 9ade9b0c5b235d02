#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints results as Markdown tables, and keeps tables and pictures in the docs true.

usage: results_tables.py RESULTS...           prints the tables of benchmarks/results/<gpu>-<name>.json or .jsonl
       results_tables.py --write              puts committed results into the README and the docs that name them
       results_tables.py --check [FOLDER]    says which docs have other tables, and which pictures are of other
                                              results; 1 if any do

In the docs a table stands between `<!-- table: nvidia_h200-runs.json -->` and `<!-- end of table -->`. In place of
`table` there may be
  ratios     CUB's time over gpuprim's: least, median and most of each group of cases
  overview   the same of each file of a GPU: `<!-- overview: nvidia_h200 -->`
  slower     every case of a GPU where CUB takes less than 0.95 times gpuprim's time, and the worst random calls
  gains      the cases of the README, and fast its sentence on speed
"""
import contextlib
import io
import json
import os
import re
import statistics
import sys
import textwrap

import bench_table
from bench_table import table
from results import (BASELINE, FAMILIES, cases, cub_of, files_of, fingerprint, kind_of, library_name, random_calls,
                     size_text)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "benchmarks", "results")
BLOCK = re.compile(r"(<!-- (table|ratios|overview|slower|gains|fast): (\S+) -->\n)(.*?)( *<!-- end of table -->)", re.S)
SOURCE = re.compile(r"<dc:source>(.*?)</dc:source>", re.S)
SLOWER = 0.95
# The cases of the README: what a line calls them, their file, and the group and the places of the cases.
GAINS = (
    ("sum of floats", "reduce", "sum of f32", ("1 MiB", "1 GiB")),
    ("sum to a value on the host, call and wait (CUB 3.0.1: sum, copy, wait)", "reduce", "sum to a value on the host",
     ("1 MiB of f32",)),
    ("`select_if` that keeps half of the numbers of 32 bits", "select", "select_if u32, 50 %",
     ("2^16 elements", "2^28 elements")),
    ("prefix sum of ints", "scan", "exclusive_scan i32", ("2^16 elements", "2^28 elements")),
    ("prefix sum of doubles", "scan", "exclusive_scan f64", ("2^20 elements",)),
    ("prefix sums of segments of 1000 ints, by offsets", "scan", "segmented_exclusive_scan i32, offsets, 1000",
     ("2^20 elements", "2^28 elements")),
    ("sort of random numbers of 32 bits", "sort", "sort keys u32", ("2^16 elements", "2^28 elements")),
    ("stable sort of pairs, many keys equal (Zipf)", "sort", "sort pairs u32, u32, Zipf",
     ("2^16 elements", "2^28 elements")),
    ("the 1000 largest floats", "top_k", "f32, k = 1000", ("2^20 elements", "2^28 elements")),
)


def keys(rows, *names):
    """The different values of these members, in their first order."""
    return list(dict.fromkeys(tuple(row[name] for name in names) for row in rows))


def time_text(us):
    return f"{us:.4g}" if us < 1e4 else f"{us:.0f}"


def family(results):
    """A table for each of three quantities: a line for each pass and type, a cell for each size."""
    rows = results["rows"]
    sizes = sorted({row["bytes"] for row in rows})

    def of(title, quantity, chosen):
        print(f"\n**{title}**")
        cells = {(row["op"], row["type"], row["bytes"]): quantity(row) for row in chosen}
        table(["pass", "type"] + [size_text(size) for size in sizes],
              [[op, kind] + [cells.get((op, kind, size), "") for size in sizes]
               for op, kind in keys(chosen, "op", "type")])

    of("Microseconds", lambda row: time_text(row["gpuprim_us"]), rows)
    of("Percent of the speed of a kernel that only reads", lambda row: f"{row['percent_of_floor']:.1f}", rows)
    of("Times as fast as CUB", lambda row: f"{row['cub_over_gpuprim']:.2f}",
       [row for row in rows if "cub_over_gpuprim" in row])


def kind_of_mix(mix):
    if " x " in mix:
        return "matrix"
    if mix.endswith("between"):
        return "apart"
    return "short lists" if re.fullmatch(r"\d+ of \d+", mix) else "segments"


def segmented(results):
    """A line for each mix of segments, a cell for each form: microseconds, and in a table of its own percent of the
    floor, but for short lists, which lie in the cache."""
    by_mix = {mix: [row for row in results["rows"] if row["mix"] == mix] for mix, in keys(results["rows"], "mix")}
    for kind in ("segments", "apart", "short lists", "matrix"):
        mixes = {mix: rows for mix, rows in by_mix.items() if kind_of_mix(mix) == kind}
        forms = keys([row for rows in mixes.values() for row in rows], "library", "form")
        forms.sort(key=lambda form: form[0] == "cub")  # gpuprim's first
        names = [("CUB, " if library == "cub" else "") + form for library, form in forms]
        quantities = {"Microseconds": lambda row: time_text(row["us"])}
        if kind != "short lists":
            quantities["Percent of the floor"] = lambda row: f"{row['percent_of_floor']:.1f}"
        for title, text in quantities.items() if mixes else ():
            print(f"\n**{title}**")
            lines = []
            for mix, rows in mixes.items():
                cells = {(row["library"], row["form"]): text(row) for row in rows}
                lines.append([mix] + [cells.get(form, "") for form in forms])
            table([kind] + names, lines)


def runs(results):
    """A line for each pass, a cell for each contender in microseconds, and the faster CUB over gpuprim."""
    rows = results["rows"]
    contenders = [name for name, in keys(rows, "contender")]
    lines = []
    for problem, n, length in keys(rows, "problem", "n", "run_length"):
        same = [row for row in rows if (row["problem"], row["n"], row["run_length"]) == (problem, n, length)]
        us = {row["contender"]: row["us"] for row in same}
        best = min(time for who, time in us.items() if who != "gpuprim")
        lines.append([problem, f"2^{n.bit_length() - 1}", "one run" if length == n else str(length),
                      time_text(same[0]["floor_us"])] + [time_text(us[who]) for who in contenders] +
                     [f"{best / us['gpuprim']:.2f}"])
    table(["pass", "keys", "runs of", "floor, us"] + [f"{library_name(who)}, us" for who in contenders] +
          ["faster CUB over gpuprim"], lines)


def scan(results):
    """A line for each scan and count, a cell for each contender in microseconds, and the faster CUB over gpuprim."""
    rows = results["rows"]
    contenders = [name for name, in keys(rows, "contender")]
    lines = []
    for problem, n in keys(rows, "problem", "n"):
        us = {row["contender"]: row["us"] for row in rows if (row["problem"], row["n"]) == (problem, n)}
        floor = next(row["floor_us"] for row in rows if (row["problem"], row["n"]) == (problem, n))
        best = min(time for who, time in us.items() if who != "gpuprim")
        count = f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)
        times = [time_text(us[who]) if who in us else "" for who in contenders]
        lines.append([problem, count, time_text(floor)] + times + [f"{best / us['gpuprim']:.2f}"])
    table(["scan", "elements", "floor, us"] + [f"{library_name(who)}, us" for who in contenders] +
          ["faster CUB over gpuprim"], lines)


def histogram(results):
    """A line for each problem, a cell for each contender in microseconds, and gpuprim's percent of the floor."""
    rows = results["rows"]
    cubs = [name for name in rows[0] if name.startswith("CUB ")]
    lines = []
    for row in rows:
        ours, best = row["gpuprim"]["us"], min(row[cub]["us"] for cub in cubs)
        lines.append([f"2^{row['n'].bit_length() - 1} {row['samples']}", str(row["bins"]), row["data"],
                      time_text(ours), f"{100 * row['floor_us'] / ours:.0f}"] +
                     [time_text(row[cub]["us"]) for cub in cubs] + [f"{best / ours:.2f}"])
    table(["samples", "bins", "data", "gpuprim, us", "% of the floor"] +
          [f"{library_name(cub)}, us" for cub in cubs] + ["faster CUB over gpuprim"], lines)


def in_kernel(results):
    """A line for each contender, type and block."""
    table(["function", "type", "threads", "cycles, alone", "cycles a result, full", "registers",
           "shared memory, bytes"],
          [[row["reduce"], row["type"], str(row["block"]), f"{row['alone_cycles']:.0f}", f"{row['shared_cycles']:.0f}",
            str(row["registers"]), str(row["shared_bytes"])] for row in results["rows"]])


def distributed(results):
    """A table for each way to call: a line for each contender, a cell for each number of GPUs and elements of a GPU, in
    microseconds."""
    rows = results["rows"]
    works = keys(rows, "ranks", "n_per_rank")
    for how, in keys(rows, "how"):
        us = {(row["problem"], row["contender"], row["ranks"], row["n_per_rank"]): row["us"]
              for row in rows if row["how"] == how}
        table([{"call": "called and waited for by one thread", "graph": "launched as a graph by one thread",
                "threads": "called and waited for by a thread for each GPU"}[how], "by"] +
              [f"{ranks} x 2^{n.bit_length() - 1}" for ranks, n in works],
              [[problem, library_name(who)] + [time_text(us[problem, who, *work]) for work in works]
               for problem, who in keys(rows, "problem", "contender")])
        print()


def determinism(results):
    """A table for each call: a line for each type and number of elements, microseconds of each contender."""
    for call, in keys(results["rows"], "call"):
        rows = [row for row in results["rows"] if row["call"] == call]
        us = {(row["type"], row["n"], row["contender"]): row["us"] for row in rows}
        contenders = [name for name, in keys(rows, "contender")]
        table([call] + contenders,
              [[f"2^{n.bit_length() - 1} {kind}"] + [time_text(us[kind, n, name]) for name in contenders]
               for kind, n in keys(rows, "type", "n")])
        print()


def profile(results):
    """A line for each kernel: the hardware counters by their names in the books."""
    columns = (("time, us", "time"), ("achieved occupancy, %", "achieved_occupancy"),
               ("load efficiency, %", "gld_efficiency"), ("store efficiency, %", "gst_efficiency"),
               ("read, GB/s", "dram_read_throughput"), ("written, GB/s", "dram_write_throughput"),
               ("L1 hits, %", "l1_hit_rate"), ("L2 hits, %", "l2_hit_rate"),
               ("branch efficiency, %", "branch_efficiency"), ("instructions a warp", "inst_per_warp"))
    lines = []
    for program in results["programs"]:
        words = program["command"].split()
        forms = words[2:] if words[0].startswith("example_course_") else []  # after the size
        name = " ".join([words[0].removeprefix("example_course_"), *forms])
        lines += [[name, f"`{row['kernel']}`"] + [time_text(row[key]) for _, key in columns] +
                  [row["limited_by"].replace("_", " ")] for row in program["kernels"]]
    table(["program", "kernel"] + [title for title, _ in columns] + ["most stalls"], lines)


def value_alone(results):
    """A line for each size; for what a process holds besides, both libraries and their ratio."""
    us = {(row["library"], row["held"], row["bytes"]): row["median_us"] for row in results["rows"]}
    held = [name for name, in keys(results["rows"], "held")]
    header, lines = ["bytes"], []
    for name in held:
        header += [f"reduce_value, {name} held", "thrust::reduce", "ratio"]
    for size in sorted({row["bytes"] for row in results["rows"]}):
        line = [size_text(size)]
        for name in held:
            ours, thrust = us["gpuprim", name, size], us["thrust", name, size]
            line += [f"{ours:.1f}", f"{thrust:.1f}", f"{thrust / ours:.1f}"]
        lines.append(line)
    table(header, lines)


def compile_time(results):
    """A line for each call: seconds and object bytes of each library, and gpuprim's time over the least of CUB's."""
    rows = {(row["call"], row["library"]): row for row in results["rows"]}
    libraries = [name for name, in keys(results["rows"], "library")]
    sized = [name for name in libraries if any("object_bytes" in row for row in results["rows"])]
    lines = []
    for call, in keys(results["rows"], "call"):
        seconds = {name: rows[call, name]["median_s"] for name in libraries if (call, name) in rows}
        of_cub = [s for name, s in seconds.items() if name != "gpuprim"]
        lines.append([call.replace("_", " ")] +
                     [f"{seconds[name]:.2f}" if name in seconds else "" for name in libraries] +
                     [f"{seconds['gpuprim'] / min(of_cub):.2f}" if of_cub else ""] +
                     [f"{rows[call, name]['object_bytes'] / 1000:.0f}" if name in seconds else ""
                      for name in sized])
    table(["call"] + [f"{name}, s" for name in libraries] + ["gpuprim over the faster CUB"] +
          [f"{name}, kB" for name in sized], lines)


def ratio_cells(group):
    """Of cases that belong together: how many there are, and CUB's time over gpuprim's."""
    several = len({case.group for case in group}) > 1
    line = [str(len(group)), f"{statistics.median(case.ratio for case in group):.2f}"]
    for extreme in min, max:
        case = extreme(group, key=lambda case: case.ratio)
        line += [f"{case.ratio:.2f}", (case.group + ": " if several else "") + case.where]
    return line


RATIO_HEADS = ["cases", "median", "worst", "the worst case", "best", "the best case"]


def ratios(path):
    groups = {}
    for case in cases(path)[1]:
        groups.setdefault(case.group, []).append(case)
    table(["", *RATIO_HEADS], [[name] + ratio_cells(group) for name, group in groups.items()])


def overview(stem):
    lines = []
    for name, path in files_of(stem):
        results, group = cases(path)
        slower = sum(case.ratio < SLOWER for case in group)
        lines.append([FAMILIES[name], cub_of(results), results.get("date", "")[:10], str(slower)] + ratio_cells(group))
    table(["family", "beside", "measured on", f"below {SLOWER}", *RATIO_HEADS], lines)


def slower(stem):
    found = [(case.ratio, [FAMILIES[name], case.group, case.where, f"{case.ratio:.3f}"])
             for name, path in files_of(stem) for case in cases(path)[1]]
    for kind, calls, of_calls, worst in random_calls(f"{stem}-random.txt"):
        ratio = of_calls["the worst call"]
        found.append((ratio, ["random calls", kind, f"the worst of {calls}: {worst}", f"{ratio:.2f}"]))
    table(["family", "call", "case", "CUB over gpuprim"], [line for ratio, line in sorted(found) if ratio < SLOWER])
    older = [f"{case.group}, {case.where} ({case.least / case.ours:.3f})" for _, path in files_of(stem)
             for case in cases(path)[1] if case.least / case.ours < SLOWER <= case.ratio]
    if older:
        print(f"Beside another CUB that was measured too, {len(older)} more: {'; '.join(older)}.")


def cases_of(stem, kind, group):
    return [case for case in cases(f"{stem}-{kind}.json")[1] if case.group == group]


def gain_text(ratio):
    return f"{ratio:.{2 if ratio < 10 else 1}f}" + (" (slower)" if ratio < 1 else "")


def gains(stem):
    lines = []
    for title, kind, group, places in GAINS:
        ratio = {case.where: case.ratio for case in cases_of(stem, kind, group)}
        lines += [[title, place, gain_text(ratio[place])] for place in places]
    calls, of_calls = next((calls, of_calls) for kind, calls, of_calls, _ in random_calls(f"{stem}-random.txt")
                           if "offsets" in kind)
    for where, name in (f"the median of {calls} lists", "median"), ("the worst of them", "the worst call"):
        lines.append(["segmented sums by offsets, random lists (CUB 3.0.1)", where, gain_text(of_calls[name])])
    table(["call", "input", "times as fast as CUB"], lines)


def fast(stem):
    """An item of a list."""
    every = [case for _, path in files_of(stem) for case in cases(path)[1]]
    passes = [case for case in cases(f"{stem}-reduce.json")[1] if case.row["mode"] == "in_graph"]
    extremes = [case.ratio for case in passes if case.group == "minimum" or case.group.startswith("sum of")]
    floats = [case for case in passes if case.group == "sum of f32"]
    small = [case.ratio for case in floats if case.x <= 2**24]
    large = [100 * case.floor / case.ours for case in floats if case.x >= 2**29]
    scan_of_ints, = (case.ratio for case in cases_of(stem, "scan", "exclusive_scan i32") if case.x == 2**28)
    text = (f"- **Fast**: on an H200, sums and minima are {min(extremes):.2f} to {max(extremes):.2f} times as fast as "
            f"{BASELINE} in a CUDA graph, for each type, size and alignment measured. "
            f"A sum of floats is {min(small):.2f} to {max(small):.2f} times as fast up to 16 MiB, and reaches "
            f"{min(large):.1f} % of the speed of memory from 512 MiB on. A prefix sum of 2^28 ints is "
            f"{scan_of_ints:.2f} times as fast. Of {len(every):,} cases measured in all, "
            f"{sum(case.ratio < SLOWER for case in every)} are at less than {SLOWER} of CUB's speed: "
            f"[performance](docs/performance.md) lists them.")
    print(textwrap.fill(text, 120, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False))


PRINTERS = {"reduce": bench_table.print_tables, "family": family, "dot": family, "segmented": segmented, "runs": runs,
            "histogram": histogram, "scan": scan, "in_kernel": in_kernel, "value_alone": value_alone,
            "determinism": determinism, "distributed": distributed, "distributed_4": distributed, "profile": profile,
            "compile_time": compile_time, "nvrtc_time": compile_time}


def print_tables(path):
    kind = os.path.splitext(path)[1]
    printer = PRINTERS.get(kind_of(path))
    if printer is None:
        raise SystemExit(f"results_tables: {path}: no table is known for it; known are {', '.join(PRINTERS)}")
    with open(path) as f:
        results = {"rows": [json.loads(line) for line in f]} if kind == ".jsonl" else json.load(f)
    if "read_limit_gb_per_s" in results and printer is not bench_table.print_tables:
        print(f"Read limit {float(results['read_limit_gb_per_s']):.0f} GB/s.")
    printer(results)


KINDS = {"table": print_tables, "ratios": ratios, "overview": overview, "slower": slower, "gains": gains, "fast": fast}


def text_of(kind, name):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        KINDS[kind](os.path.join(RESULTS, name))
    text = re.sub(r"\n{3,}", "\n\n", text.getvalue().strip("\n"))
    return f"{text}\n" if kind == "fast" else f"\n{text}\n\n"


def files(root, kind):
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(kind):
                yield os.path.join(folder, name)


def stale_pictures(root):
    """Those that name no results, or other ones than are committed."""
    for path in files(root, ".svg"):
        with open(path) as f:
            source = SOURCE.search(f.read())
        named = re.findall(r"(\S+) [0-9a-f]{16}", source[1]) if source else []
        paths = [os.path.join(RESULTS, name) for name in named]
        if not paths or not all(map(os.path.exists, paths)) or fingerprint(paths) != source[1]:
            yield path


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        raise SystemExit(__doc__)
    if sys.argv[1] not in ("--write", "--check"):
        for path in sys.argv[1:]:
            print_tables(path)
        return
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "docs")
    found, stale = 0, []
    front = [os.path.join(ROOT, "README.md")] if len(sys.argv) < 3 else []
    for path in (*front, *files(folder, ".md")):
        with open(path) as f:
            old = f.read()
        new, count = BLOCK.subn(lambda block: block[1] + text_of(block[2], block[3]) + block[5], old)
        found += count
        if new == old:
            continue
        stale.append(os.path.relpath(path, ROOT))
        if sys.argv[1] == "--write":
            with open(path, "w") as f:
                f.write(new)
    if not found:
        raise SystemExit("results_tables: no document has a table")
    for path in stale:
        print(f"{path}: " + ("written" if sys.argv[1] == "--write" else
                             "its tables are not those of benchmarks/results; scripts/results_tables.py --write"))
    pictures = [os.path.relpath(path, ROOT) for path in stale_pictures(folder)]
    for path in pictures:
        print(f"{path}: it is not drawn from the results in benchmarks/results; scripts/plots.py")
    raise SystemExit(1 if stale + pictures and sys.argv[1] == "--check" else 0)


main()
