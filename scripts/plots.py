#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the pictures of the docs from committed results, as SVG.

usage: plots.py benchmarks/results/<gpu> FOLDER [NAME ...]      needs matplotlib

FOLDER gets a file for each name, by default for all whose results are there. The same results give the same bytes, and
each file names its results: results_tables.py --check finds pictures of other ones.
"""
import csv
import math
import os
import re
import statistics
import sys
import textwrap

import roofline as roof
from plotting import CUB, FLOOR, GPUPRIM, GREY, THRUST, dots, head, new, save, size_axis, speed, split_of_memory
from results import BASELINE, FAMILIES, cases, cub_of, cub_version, files_of, load, random_calls

READS, COPIES = "a kernel that only reads the input", "the bytes at the rate of a copy"
WORST = "the worst case"
LEVEL = 0.03  # what differs less from CUB is not drawn where there are many rows
COPIES_FROM = 2**20  # a floor without the time of a launch says nothing of fewer elements


def when(results):
    """For the line below a picture: the date in results that a program wrote, or that somebody put there."""
    if "date" in results:
        return f", measured on {results['date'][:10]}"
    return f", committed on {results['committed']}" if "committed" in results else ""


def when_of_text(path):
    """The same for the output of programs, whose first line may have the date."""
    with open(path) as f:
        found = re.search(r"committed on \d{4}-\d\d-\d\d", f.readline())
    return f", {found[0]}" if found else ""


class Results:
    """The results of one GPU, by the names of their programs."""

    def __init__(self, stem):
        self.stem, self.sources, self.about = stem, [], ""

    def path(self, name):
        """The file is a source of the picture that is being drawn."""
        self.sources.append(f"{self.stem}-{name}" if "." in name else f"{self.stem}-{name}.json")
        return self.sources[-1]

    def of_toolkit(self):
        """For programs that only use the toolkit's CUB and do not say which; that of the reduces is the same one."""
        reduces = load(f"{self.stem}-reduce.json")
        cub = f"CUB {cub_version(reduces['cub'])}"
        self.about = f"{reduces['gpu']}, {cub}"
        return cub

    def gpu(self):
        return load(f"{self.stem}-reduce.json")["gpu"]

    def cases(self, name):
        results, found = cases(self.path(name))
        toolkit = f", CUDA {int(results['cuda_runtime']) / 1000:.1f}" if "cuda_runtime" in results else ""
        self.about = f"{results['gpu']}{toolkit}, {cub_of(results)}{when(results)}"
        return found, cub_of(results)


def panels(all_cases, cub, title, size, chosen, label, floor=READS, floor_from=0):
    """chosen: (title, whether it has this case) for each panel, two in a row."""
    numbers = list(range(len(chosen)))
    figure, axes = new(size, [numbers[i:i + 2] for i in numbers[::2]])
    for number, (name, wanted) in enumerate(chosen):
        speed(axes[number], name, [case for case in all_cases if wanted(case)], label, cub, floor, floor_from)
    head(figure, title)
    return figure


def of_problems(*chosen):
    """For panels: the cases of one problem each, by (title, problem)."""
    return [(title, lambda case, key=problem: case.row["problem"] == key) for title, problem in chosen]


def reduce(results):
    found, cub = results.cases("reduce")

    def graph(op, kind):
        def wanted(case):
            row = case.row  # where a size was measured both ways, the one from memory
            return (row["mode"], row["op"], row["type"], row.get("base")) == ("in_graph", op, kind, "aligned") and \
                not case.where.endswith("in L2")
        return wanted

    chosen = [("sum of float", graph("plus", "f32")), ("sum of double", graph("plus", "f64")),
              ("sum of 8-bit integers", graph("plus", "i8")),
              ("float, an operator of the user's own,\nnot declared to commute", graph("larger_magnitude", "f32"))]
    figure = panels(found, cub, "Reduce: how many times as fast as CUB, by bytes of input", (9, 6.4), chosen,
                    "bytes of input")
    for axes, (_, wanted) in zip(figure.axes, chosen):
        split_of_memory(axes, [case for case in found if wanted(case)])
    return figure


def overview(results):
    """A row for each family: the range of its cases without the 5 % at each end, the median, and the worst case."""
    rows, dates = [], []
    for name, _ in files_of(results.stem):
        found, cub = results.cases(name)
        dates += re.findall(r"\d{4}-\d\d-\d\d", results.about)
        ratios = sorted(case.ratio for case in found)
        end = len(ratios) // 20
        beside = "" if cub == BASELINE else f", beside {cub}"
        rows.append((f"{FAMILIES[name]}: {len(ratios)} cases{beside}",
                     {WORST: ratios[0], "from": ratios[end], "median": statistics.median(ratios),
                      "to": ratios[-1 - end]}))
    results.about = f"{results.gpu()}, {BASELINE} where no other is named, measured from {min(dates)} to {max(dates)}"
    figure, axes = new((9, 4.6))
    for y, (_, marks) in enumerate(rows):
        axes.plot([marks["from"], marks["to"]], [y, y], color=GPUPRIM, alpha=0.35,
                  linewidth=5, solid_capstyle="butt", label="nine of ten cases")
    dots(axes, rows, {WORST: {"marker": "|", "markersize": 9, "markeredgewidth": 1.6}, "median": {"marker": "o"}}, "CUB")
    for y, (_, marks) in enumerate(rows):
        axes.annotate(f"{marks['median']:.2f}", (marks["median"], y), xytext=(0, 5), textcoords="offset points",
                      ha="center", fontsize=7.5, color=GPUPRIM)
    head(figure, "Every family: how many times as fast as CUB")
    return figure


def call(results):
    found, cub = results.cases("reduce")
    usual = [case for case in found if not case.where.endswith("in L2")]
    chosen = [("sum of float, its result on the device", lambda case: case.row["mode"] == "call_and_sync" and
               case.row["type"] == "f32"),
              ("its result on the host, beside CUB 3.0.1", lambda case: case.row["mode"] == "value")]
    return panels(usual, cub, "One call and the wait for its result: how many times as fast as CUB", (9, 3.9), chosen,
                  "bytes of input", "an empty kernel and the wait for it")


def family(results):
    found, cub = results.cases("family")
    chosen = [(name, lambda case, key=key: (case.row["op"], case.row["type"]) == key) for name, key in (
        ("transform_reduce: squares of float", ("squares", "f32")),
        ("transform_reduce: squares, elements of 64 bytes", ("squares", "f32x16")),
        ("min_element of float", ("min_element", "f32")), ("min_element of 8-bit integers", ("min_element", "i8")))]
    return panels(found, cub, "Transformed reduces and extrema: how many times as fast as CUB", (9, 6.2), chosen,
                  "bytes of input")


def dot(results):
    found, cub = results.cases("dot")
    chosen = [(f"dot of {name}", lambda case, key=key: (case.row["op"], case.row["type"]) == ("dot", key))
              for name, key in (("float", "f32"), ("double", "f64"), ("half", "f16"), ("8-bit integers", "i8"))]
    return panels(found, cub, "Dot products: how many times as fast as CUB", (9, 6.2), chosen, "bytes of both inputs")


def segmented(results):
    found, cub = results.cases("segmented")
    figure, axes = new((9, 6), [["offsets", "rows"], ["one", "rows"]])
    for name, group in ("offsets", "by offsets, equal lengths"), ("one", "of one length"):
        speed(axes[name], f"$2^{{28}}$ floats, segments {group}", [case for case in found if case.group == group],
              "floats in a segment", cub, "the bytes at the read limit")
    lists = [case for case in found if "short lists" in case.group or "mixed" in case.group]
    rows = [(name, {f"gpuprim, {case.row['form']}": case.ratio for case in lists if case.where == name})
            for name in dict.fromkeys(case.where for case in lists)]
    dots(axes["rows"], rows, {"gpuprim, offsets": {"marker": "o"},
                              "gpuprim, fixed length": {"marker": "D", "markerfacecolor": "white"}}, cub)
    axes["rows"].set_title("mixed lengths ($2^{28}$ floats), and short lists")
    head(figure, "Segmented sums: how many times as fast as CUB", 5)
    return figure


def histogram(results):
    found, cub = results.cases("histogram")
    figure, axes = new((9, 6.2), [[0, 1], [2, 3]])
    for number, (name, samples, data) in enumerate((
            ("$2^{28}$ floats, bins of equal width", "even f32", "uniform"),
            ("the same, all samples in one bin", "even f32", "all in one bin"),
            ("$2^{28}$ floats, bins between given levels", "ranges f32", "uniform"))):
        speed(axes[number], name, [case._replace(x=case.row["bins"]) for case in found if (
            case.row["samples"], case.row["data"], case.row["n"]) == (samples, data, 2**28)], "bins", cub, READS)
    speed(axes[3], "floats, 256 bins of equal width", [case for case in found if (
        case.row["samples"], case.row["data"], case.row["bins"]) == ("even f32", "uniform", 256)], "samples", cub,
          READS)
    head(figure, "Histograms: how many times as fast as CUB")
    return figure


def runs(results):
    found, cub = results.cases("runs")
    chosen = [(f"{problem.split()[0]}, runs of {length}", lambda case, key=(problem, length): (
        case.row["problem"], case.row["run_length"]) == key)
              for problem in ("reduce_by_key i32, i32", "run_length_encode i32") for length in (1, 1000)]
    return panels(found, cub, "Runs of equal keys of 32 bits: how many times as fast as CUB", (9, 6.2), chosen, "keys",
                  COPIES, COPIES_FROM)


def scan(results):
    found, cub = results.cases("scan")
    chosen = of_problems(
        ("prefix sum of int", "exclusive_scan i32"), ("prefix sum of double", "exclusive_scan f64"),
        ("prefix sum of int by key (int)", "exclusive_scan_by_key i32, i32"),
        ("int, segments of one length, 16 each", "segmented_exclusive_scan i32, 16 each"),
        ("int, segments by offsets, 16 on average", "segmented_exclusive_scan i32, offsets, 16"),
        ("int, segments by offsets, 1000 on average", "segmented_exclusive_scan i32, offsets, 1000"))
    return panels(found, cub, "Prefix sums: how many times as fast as CUB", (9, 9), chosen, "elements", COPIES,
                  COPIES_FROM)


def select(results):
    found, cub = results.cases("select")
    chosen = of_problems(
        ("select_if of u32, 1 % are kept", "select_if u32, 1 %"), ("50 % are kept", "select_if u32, 50 %"),
        ("99 % are kept", "select_if u32, 99 %"), ("partition_if of u32, 50 %", "partition_if u32, 50 %"),
        ("unique of u32, runs of 2", "unique u32, runs of 2"), ("select_if of f64, 50 %", "select_if f64, 50 %"))
    return panels(found, cub, "Selects: how many times as fast as CUB", (9, 9), chosen, "elements", COPIES, COPIES_FROM)


def sort(results):
    found, cub = results.cases("sort")
    chosen = of_problems(
        ("keys u32, random", "sort keys u32"), ("keys u32, all equal", "sort keys u32, all equal"),
        ("pairs of u32", "sort pairs u32, u32"), ("keys u64", "sort keys u64"), ("keys u8", "sort keys u8"),
        ("u32 by a comparison", "merge sort u32"))
    return panels(found, cub, "Sorts: how many times as fast as CUB", (9, 9), chosen, "keys", floor_from=math.inf)


def segmented_sort(results):
    found, cub = results.cases("segmented_sort")
    chosen = of_problems(
        ("segments of 100 u32", "segments of 100, u32"), ("segments of 1000 u32", "segments of 1000, u32"),
        ("u32, 7 on average", "segments of mean 7, u32"), ("u32, lengths by Zipf", "segments by Zipf, u32"))
    return panels(found, cub, "Sorts of segments: how many times as fast as CUB", (9, 6.2), chosen, "keys",
                  floor_from=math.inf)


def top_k(results):
    found, cub = results.cases("top_k")
    chosen = of_problems(
        ("u32, k = 16", "u32, k = 16"), ("u32, k = 1000", "u32, k = 1000"), ("u32, k = 65,536", "u32, k = 65536"),
        ("f32, k = 1000", "f32, k = 1000"))
    return panels(found, cub, "The k largest: how many times as fast as CUB", (9, 6.2), chosen, "keys", READS,
                  COPIES_FROM)


def transform(results):
    found, cub = results.cases("transform")
    chosen = of_problems(
        ("transform of f32", "transform f32"), ("transform of two inputs of f32", "transform of two inputs f32"),
        ("fill of f32", "fill f32"), ("adjacent_difference of f32", "adjacent_difference f32"))
    return panels(found, cub, "Streaming passes: how many times as fast as CUB", (9, 6.2), chosen, "elements",
                  floor_from=math.inf)  # at best CUB moves the bytes faster than the copy of this program


EXCHANGES = re.compile("(block|warp)_(blocked|striped|warp|scatter|shift|rotate|adjacent|flag|run|load|store)_")


def in_kernel(results):
    return functions(results, "reduces, scans, compactions", lambda case: not EXCHANGES.match(case.group + "_"))


def exchanges(results):
    return functions(results, "exchanges, loads and stores", lambda case: EXCHANGES.match(case.group + "_"))


def functions(results, what, wanted):
    found, cub = results.cases("in_kernel")
    loads = {"alone": "one block on the GPU", "full": "GPU full of blocks"}
    chosen = [case for case in found if case.row["block"] == 256 and wanted(case)]
    names = dict.fromkeys((case.group, case.row["type"]) for case in chosen)
    rows = [(", ".join(name), {loads[case.row["load"]]: case.ratio for case in chosen
                               if (case.group, case.row["type"]) == name}) for name in names]
    level = [row for row in rows if all(abs(ratio - 1) < LEVEL for ratio in row[1].values())]
    results.about += f". Left out are {len(level)} of {len(rows)} rows, which are within {100 * LEVEL:.0f} % of CUB"
    rows = [row for row in rows if row not in level]
    figure, axes = new((9, 1.2 + 0.19 * len(rows)))
    dots(axes, rows,
         {loads["alone"]: {"marker": "D", "markerfacecolor": "white"}, loads["full"]: {"marker": "o"}},
         f"the faster of {cub} and cooperative groups")
    head(figure, f"In a kernel, 256 threads, {what}: times as fast as CUB")
    return figure


def random(results):
    source = results.path("random.txt")
    cub = results.of_toolkit()
    results.about += when_of_text(source)
    figure, axes = new((9, 5.8))
    dots(axes, [(kind, ratios) for kind, _, ratios, _ in random_calls(source)],
         {"the worst call": {"marker": "|", "markersize": 9, "markeredgewidth": 1.6},
          "5 % of the calls are below": {"marker": "o", "markerfacecolor": "white"}, "median": {"marker": "o"}}, cub)
    head(figure, "One minute of random calls: how many times as fast as CUB")
    return figure


def compile_time(results):
    path = os.path.join(os.path.dirname(results.stem), "compile_time.json")
    results.sources.append(path)
    found = load(path)
    results.about = f"nvcc {found['toolkit']}, {found['cores']} cores, {found['command']}{when(found)}"
    rows = {(row["call"], row["library"]): row["median_s"] for row in found["rows"]}
    calls, libraries = (list(dict.fromkeys(row[key] for row in found["rows"])) for key in ("call", "library"))
    calls = [call for call in calls if any((call, library) in rows for library in libraries[1:])]  # those that CUB has
    figure, axes = new((9, 1 + len(calls) / 4))
    looks = ({"color": GPUPRIM}, {"color": CUB, "alpha": 0.45}, {"color": CUB})
    for number, (library, look) in enumerate(zip(libraries, looks)):
        bars = [(y, rows[call, library]) for y, call in enumerate(calls) if (call, library) in rows]
        axes.barh([y + 0.27 * (number - 1) for y, _ in bars], [seconds for _, seconds in bars], 0.25, label=library,
                  **look)
    axes.set_yticks(range(len(calls)), [call.replace("_", " ") for call in calls])
    axes.set_ylim(len(calls) - 0.5, -0.5)
    axes.set_xlabel("seconds, less is better")
    head(figure, "Seconds to compile a file with one call")
    return figure


def accuracy(results):
    with open(results.path("accuracy.csv")) as f:
        rows = list(csv.DictReader(f))
    cub = results.of_toolkit()
    figure, every_axes = new((9, 4.2), [["f32", "f64"]])
    for kind, name, rounding in ("f32", "float", 2.0**-24), ("f64", "double", 2.0**-53):
        axes = every_axes[kind]
        mine = [row for row in rows if row["type"] == kind]
        exact = rounding * 2.0**-10  # an error of nothing has no place on a logarithmic axis: it is drawn here
        for column, color, marker, label in (("cub", CUB, "x", cub), ("default", GPUPRIM, "o", "gpuprim::reduce"),
                                             ("accurate", GPUPRIM, "s", "gpuprim::accurate_sum")):
            axes.loglog([float(row["condition"]) for row in mine],
                        [float(row[column]) or exact for row in mine], marker, color=color, label=label,
                        markerfacecolor="none" if marker == "s" else color)
        axes.axhline(rounding, **FLOOR, label="one rounding")
        if any(float(row["accurate"]) == 0 for row in mine):
            axes.axhspan(exact / 3, exact * 3, color="0.92", linewidth=0)
            axes.text(1, exact, " exact: no error", va="center", color=GREY, fontsize=8)
        axes.set_title(name)
        axes.set_xlabel("condition number: sum of |x| over |sum of x|")
        axes.set_ylabel("relative error")
    head(figure, "Relative error of a sum of $\\mathbf{2^{20}}$ numbers, by how much of it cancels")
    return figure


def ladder(results):
    found = load(results.path("ladder"))
    results.about = f"{found['gpu']}, CUDA {found['cuda_runtime'] / 1000:.1f}{when(found)}"
    rows = [row for row in found["rows"] if row["type"] == "float"]
    limit = next(row for row in rows if row["rung"].startswith("limit"))
    rungs = [row for row in rows if row is not limit]
    figure, axes = new((9, 7.6))
    colors = [{"r18 cub": CUB, "r18 thr": THRUST, "r18 gpu": GPUPRIM}.get(row["rung"][:7], "0.72") for row in rungs]
    axes.barh(range(len(rungs)), [row["gb_per_s"] for row in rungs], color=colors)
    for y, row in enumerate(rungs):
        size = "" if row["n"] == limit["n"] else f" for $2^{{{row['n'].bit_length() - 1}}}$ floats"
        time = f"{row['us']:.4g} us" if row["us"] < 1e4 else f"{row['us'] / 1e3:.4g} ms"
        axes.text(row["gb_per_s"], y, f" {time}{size}", va="center", fontsize=7.5,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})
    axes.axvline(limit["gb_per_s"], **FLOOR)
    axes.text(limit["gb_per_s"], -1, "a kernel that only reads ", color=GREY, ha="right", va="center", fontsize=8)
    axes.set_yticks(range(len(rungs)), [row["rung"] for row in rungs], fontsize=8)
    axes.set_ylim(len(rungs) - 0.4, -1.6)
    axes.set_xlim(0, 1.15 * limit["gb_per_s"])
    axes.set_xlabel("GB/s of input; beside the bars the time")
    head(figure, "The reduction ladder: bandwidth of the sum of $\\mathbf{2^{24}}$ floats, rung by rung")
    return figure


def example_lines(results, pattern):
    source = results.path("examples.txt")
    with open(source) as f:
        found = re.findall(pattern, f.read(), re.M)
    results.about = results.gpu() + when_of_text(source)
    return [tuple(map(float, numbers)) for numbers in found]


def stride(results):
    points = example_lines(results, r"^ *(\d+): ([\d.]+) GB/s ([\d.]+) GB/s ([\d.]+) GB/s; \d+ % and")
    figure, axes = new((7, 3.4))
    for column, (name, color) in enumerate((("read with it", GPUPRIM), ("written with it", CUB), ("both", THRUST))):
        axes.plot([row[0] for row in points], [row[1 + column] for row in points], color=color, marker="o", label=name)
    for bound, piece in ((8, 32), (16, 64)):
        axes.axvline(bound, **FLOOR)
        axes.annotate(f"one float a piece\nof {piece} bytes", (bound, 1), xytext=(5, -2), va="top",
                      xycoords=axes.get_xaxis_transform(), textcoords="offset points", color=GREY, fontsize=8)
    axes.set_xticks(range(0, 33, 4))
    axes.set_ylim(0, 1.08 * max(row[1] for row in points))
    axes.set_xlabel("stride, in floats")
    axes.set_ylabel("GB/s, read and written")
    head(figure, "A copy with a stride: useful bytes per second")
    return figure


def low_occupancy(results):
    points = example_lines(results, r"^occupancy ([\d.]+) %, (\d+) loads in flight: ([\d.]+) GB/s")
    figure, axes = new((7, 3.8))
    loads = list(dict.fromkeys(count for _, count, _ in points))
    for number, count in enumerate(loads):  # one hue, darker for more loads
        line = [(occupancy, rate) for occupancy, others, rate in points if others == count]
        axes.plot(*zip(*line), color=GPUPRIM, alpha=0.35 + 0.65 * number / (len(loads) - 1), marker="os^Dv"[number],
                  label=f"{count:.0f} load{'s' if count > 1 else ''} in flight per thread")
    axes.set_xticks((12.5, 25, 50, 100), ("12.5", "25", "50", "100"))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("theoretical occupancy, in %")
    axes.set_ylabel("GB/s read")
    head(figure, "Bandwidth of a sum, by occupancy and loads in flight", 3)
    return figure


def overlap(results):
    """The lines that 14_01_overlap draws: < is a copy in, # a kernel, > a copy out, each with its wait."""
    source = results.path("examples.txt")
    with open(source) as f:
        program = re.search(r"^== 14_01_overlap.*?\n(.*?)(?=^== |\Z)", f.read(), re.M | re.S)[1]
    results.about = results.gpu() + when_of_text(source)
    runs = {}  # chunks: microseconds and lines
    for chunks, us, lines in re.findall(r"^ *(\d+) chunks: ([\d.]+) us.*\n((?:  \|.*\|\n)+)", program, re.M):
        runs[int(chunks)] = float(us), re.findall(r"\|(.*)\|", lines)
    chosen = (1, 4, 8)
    figure, axes = new((9, 5.2), [[chunks] for chunks in chosen])
    parts = {"<": ("copy to the device", GPUPRIM), "#": ("kernel", CUB), ">": ("copy to the host", THRUST)}
    longest = max(us for us, _ in runs.values())
    for chunks in chosen:
        us, lines = runs[chunks]
        one = axes[chunks]
        for row, line in enumerate(lines):
            for mark, (name, color) in parts.items():
                at = line.find(mark) * us / len(line), line.count(mark) * us / len(line)
                one.broken_barh([at], (row - 0.4, 0.8), facecolor=color, label=name if row == 0 else None)
        one.set_title(f"{chunks} chunk{'s' if chunks > 1 else ''}: {us:.0f} us")
        one.set_ylim(len(lines) - 0.4, -0.6)
        one.set_yticks([])
        one.set_xlim(0, 1.02 * longest)
        one.grid(visible=False, axis="y")
    axes[chosen[-1]].set_xlabel("microseconds")
    head(figure, "Copies and kernels of chunks in streams; a bar contains the wait of its chunk")
    return figure


def roofline(results):
    paths = [results.path(name) for name in roof.SOURCES]
    gpu, bandwidth, points = roof.points_of(results.stem)
    dates = sorted((when(load(path)) if path.endswith(".json") else when_of_text(path))[-10:] for path in paths)
    results.about = f"{gpu}, results from {dates[0]} to {dates[-1]}"
    figure, axes = new((9, 6.4))
    ridge = roof.PEAK / bandwidth
    axes.loglog([0.05, ridge, 1000], [0.05 * bandwidth, roof.PEAK, roof.PEAK], **FLOOR)
    axes.text(5, 7 * bandwidth, f"memory: {bandwidth:.0f} GB/s read", color=GREY, fontsize=8, ha="right")
    axes.text(ridge, roof.PEAK * 1.15, f"arithmetic: {roof.PEAK} Gop/s, data sheet", color=GREY, fontsize=8)
    looks = {"passes of gpuprim": {"marker": "o", "color": GPUPRIM},
             "kernels of the ladder and matrix products": {"marker": "D", "color": "0.45", "markerfacecolor": "white"}}
    labels = []  # [kind, operations per byte, Gop/s, names]: points that fall together share one
    for name, intensity, rate in sorted(points, key=lambda point: -point[2]):
        kind = list(looks)[bool(re.match(r"r\d|A B", name))]
        axes.plot(intensity, rate, linestyle="none", label=kind, **looks[kind])
        near = [label for label in labels if label[0] == kind and abs(intensity / label[1] - 1) < 0.2 and
                label[2] < 1.35 * rate]
        if near:
            near[0][3].append(name)
        else:
            labels.append((kind, intensity, rate, [name]))
    below = 0  # the label before this one ends there
    for _, intensity, rate, names in labels:
        text = textwrap.fill("; ".join(sorted(names)), 70)
        lines = text.count("\n") + 1
        y = rate
        if intensity < 20:  # in a column below each other
            y = min(rate, below * 0.84**lines) if below else rate
            below = y * 0.84**lines
        axes.annotate(text, (intensity, rate), (max(1.25 * intensity, 0.5) if intensity < 0.3 else 1.25 * intensity, y),
                      fontsize=7, va="center",
                      arrowprops={"arrowstyle": "-", "color": "0.7", "linewidth": 0.6, "relpos": (0, 0.5)})
    axes.set_xlim(0.04, 1500)
    axes.set_xlabel("operations per byte")
    axes.set_ylabel("Gop/s")
    head(figure, "Roofline: operations per second, by operations per byte of memory")
    return figure


def scaling(results):
    found = load(results.path("distributed_4"))
    nccl = f"NCCL {found['nccl'] // 10000}.{found['nccl'] // 100 % 100}.{found['nccl'] % 100}"
    results.about = f"{found['gpus']} x {found['gpu']}, CUDA {found['cuda_runtime'] / 1000:.1f}, {nccl}{when(found)}"
    times = {(row["ranks"], row["n_per_rank"]): row["us"] for row in found["rows"]
             if (row["problem"], row["contender"], row["how"]) == ("sum f32", "gpuprim", "graph")}
    fewer, more, most = 2**24, 2**28, max(n for _, n in times)
    us_per_element = (times[1, most] - times[1, more]) / (most - more)
    figure, axes = new((9, 3.8))
    for ranks, alpha, marker in ((1, 0.4, "o"), (2, 0.7, "s"), (4, 1, "^")):  # one hue, darker for more GPUs
        sizes = sorted(n for count, n in times if count == ranks)
        exchange = times[ranks, fewer] - us_per_element * fewer
        every = [sizes[0] * 2**(step / 4) for step in range(4 * int(math.log2(sizes[-1] / sizes[0])) + 1)]
        look = {"color": GPUPRIM, "alpha": alpha}
        axes.plot([n * ranks for n in every], [n * us_per_element + exchange for n in every], linestyle=":", **look,
                  label=f"bytes of a GPU / bandwidth + {exchange:.0f} us")
        axes.plot([n * ranks for n in sizes], [times[ranks, n] for n in sizes], linestyle="none", marker=marker, **look,
                  label=f"{ranks} GPU{'s' if ranks > 1 else ''}, measured")
    axes.set_yscale("log")
    size_axis(axes, "floats of all GPUs together", [n * ranks for ranks, n in times])
    axes.set_ylabel("microseconds")
    head(figure, "Time of a sum in a graph, on one, two and four GPUs", 3)
    return figure


PICTURES = {draw.__name__: draw for draw in (
    overview, random, reduce, call, family, dot, scan, select, transform, sort, segmented_sort, top_k, segmented, runs,
    histogram, in_kernel, exchanges, compile_time, accuracy, roofline, ladder, stride, low_occupancy, overlap,
    scaling)}


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= PICTURES.keys():
        raise SystemExit(f"{__doc__}\nnames: {', '.join(PICTURES)}")
    stem, folder, *names = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name in names or PICTURES:
        results = Results(stem)
        try:
            figure = PICTURES[name](results)
        except FileNotFoundError as missing:
            print(f"no {name}.svg: there is no {missing.filename}")
            continue
        save(figure, os.path.join(folder, f"{name}.svg"), results.about, results.sources)


main()
