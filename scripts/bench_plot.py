#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the in-graph rows of the benchmark's results: time and bandwidth over the input's size, as SVG.

usage: bench_plot.py [--types f32,f64] [--op plus] RESULTS.json FOLDER      needs matplotlib

FOLDER gets reduce_<op>_<type>_time.svg and ..._bandwidth.svg. The same results give the same bytes.
"""
import argparse
import os

from bench_table import cub_names, cub_version
from plotting import pyplot, read_arguments, save

pyplot.rcParams.update({"axes.grid": True, "grid.linewidth": 0.4, "figure.figsize": (6.4, 4)})


def label(name, results):
    if name == "floor":
        return "floor (read only)"
    if name == "gpuprim":
        return name
    return "CUB " + cub_version(results["cub"] if name == "cub" else name.split("_")[1])


def draw(results, rows, title, path, bandwidth):
    figure, axes = pyplot.subplots()
    for name in ["gpuprim", *cub_names(rows), "floor"]:
        points = [(row["bytes"], row[f"{name}_us"]) for row in rows if f"{name}_us" in row]
        values = [size / us * 1e-3 if bandwidth else us for size, us in points]
        axes.plot([size for size, _ in points], values, label=label(name, results), linewidth=1.2,
                  marker="" if name == "floor" else "o", markersize=2.5,
                  color="0.4" if name == "floor" else None, linestyle="--" if name == "floor" else "-")
    axes.set_xscale("log", base=2)
    if not bandwidth:
        axes.set_yscale("log")
    axes.set_ylim(bottom=0 if bandwidth else None)
    # Smaller inputs come from the L2 cache, larger ones from DRAM.
    in_l2 = [row["bytes"] for row in rows if row["memory"] == "L2"]
    in_dram = [row["bytes"] for row in rows if row["memory"] == "DRAM"]
    if in_l2 and in_dram:
        between = (max(in_l2) * min(in_dram)) ** 0.5
        axes.axvline(between, color="0.7", linewidth=0.8)
        for text, side in ("L2 ", "right"), (" DRAM", "left"):
            axes.text(between, 0.95, text, transform=axes.get_xaxis_transform(), color="0.4", ha=side)
    axes.set_xlabel("bytes of input")
    axes.set_ylabel("GB/s" if bandwidth else "microseconds a pass, in a graph")
    axes.set_title(title)
    axes.legend(loc="upper left")
    save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--types", default="f32,i32,f64,f16,i8", help="separated by commas")
    parser.add_argument("--op", default="plus")
    args, results = read_arguments(parser)
    for name in args.types.split(","):
        wanted = {"mode": "in_graph", "op": args.op, "type": name, "base": "aligned"}
        rows = {}
        for row in results["rows"]:
            if all(row.get(key) == value for key, value in wanted.items()):
                # Where a size was measured both ways, the plot has the one from DRAM.
                if row["bytes"] not in rows or row["memory"] == "DRAM":
                    rows[row["bytes"]] = row
        if not rows:
            continue
        rows = [rows[size] for size in sorted(rows)]
        title = f"reduce, {args.op} of {name}, {results['gpu']}"
        for kind in ("time", "bandwidth"):
            path = os.path.join(args.folder, f"reduce_{args.op}_{name}_{kind}.svg")
            draw(results, rows, title, path, kind == "bandwidth")


if __name__ == "__main__":
    main()
