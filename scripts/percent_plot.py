#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws percent of the floor by size or bins, a panel for each pass that other libraries have too, as SVG.

usage: percent_plot.py [--op dot] benchmarks/results/<gpu>-<name>.json FOLDER      needs matplotlib

<name> is family, dot, histogram or scan; FOLDER gets <name>.svg. The same results give the same bytes.
"""
import argparse
import os
from collections import defaultdict

from bench_table import cub_version, library_name
from plotting import pyplot, read_arguments, save

COLUMNS = 3
STYLES = ("C0o-", "C1x-", "C3+--", "C2s-")  # gpuprim, then the others


def passes(results, op):
    """Yields (panel, label of x, x, {library: percent of the floor}) of the family's results."""
    for row in results["rows"]:
        if op in (None, row["op"]):
            times = {"gpuprim": row["gpuprim_us"], f"CUB {cub_version(results['cub'])}": row.get("cub_us"),
                     "cuBLAS": row.get("blas_us")}
            yield (f"{row['op']}, {row['type']}", "bytes", row["bytes"],
                   {name: 100 * row["floor_us"] / us for name, us in times.items() if us})


def histograms(results):
    """The same of the histograms', by bins and by size."""
    for row in results["rows"]:
        percents = {}
        for name, cell in row.items():
            if isinstance(cell, dict):
                percents[library_name(name)] = 100 * row["floor_us"] / cell["us"]
        size = f"$2^{{{row['n'].bit_length() - 1}}}$ samples"
        yield f"{row['samples']}, {row['data']}, {size}", "bins", row["bins"], percents
        yield f"{row['samples']}, {row['data']}, {row['bins']} bins", "samples", row["n"], percents


def scans(results):
    """The same of the scans', by elements; their results have a row for each contender."""
    percents = defaultdict(dict)
    for row in results["rows"]:
        percents[row["problem"], row["n"]][library_name(row["contender"])] = 100 * row["floor_us"] / row["us"]
    for (problem, n), of_libraries in percents.items():
        yield problem, "elements", n, of_libraries


def draw(axes, title, label, points):
    for name, style in zip(dict.fromkeys(name for _, percents in points for name in percents), STYLES):
        line = [(x, percents[name]) for x, percents in points if name in percents]
        axes.plot(*zip(*line), style, label=name, linewidth=1.2, markersize=3.5)
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, 105)
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=8)
    axes.grid(linewidth=0.4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--op", help="only the passes of this operator")
    args, results = read_arguments(parser)
    panels = defaultdict(list)
    if "samples" in results["rows"][0]:
        points = histograms(results)
    else:
        points = scans(results) if "problem" in results["rows"][0] else passes(results, args.op)
    for title, label, x, percents in points:
        panels[title, label].append((x, percents))
    panels = [(key, sorted(points, key=lambda point: point[0])) for key, points in panels.items()
              if len(points) >= 3 and len(points[0][1]) > 1]
    lines = -(-len(panels) // COLUMNS)
    figure, grid = pyplot.subplots(lines, COLUMNS, figsize=(3 * COLUMNS, 2.2 * lines), sharey=True, squeeze=False)
    for axes in grid.flat[len(panels):]:
        axes.axis("off")
    for axes, ((title, label), points) in zip(grid.flat, panels):
        draw(axes, title, label, points)
    for first in grid[:, 0]:
        first.set_ylabel("percent of the floor")
    grid.flat[0].legend(fontsize=7, loc="best")
    name = os.path.splitext(os.path.basename(args.results))[0].split("-")[-1]
    save(figure, os.path.join(args.folder, f"{name}.svg"))


main()
