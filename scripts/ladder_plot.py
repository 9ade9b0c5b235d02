#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the table of examples/ladder: a bar a rung, its bandwidth, with its time beside it, as SVG.

usage: ladder_plot.py RESULTS.json FOLDER      needs matplotlib; RESULTS.json is from `ladder --json`

FOLDER gets ladder_<type>.svg. The same results give the same bytes.
"""
import argparse
import os

from plotting import pyplot, read_arguments, save


def draw(rows, title, path):
    limit = next((row for row in rows if row["rung"].startswith("limit")), None)
    rungs = [row for row in rows if row is not limit]
    n = rungs[0]["n"]  # of r01, and of all but the nested ones
    figure, axes = pyplot.subplots(figsize=(8, 0.22 * len(rungs) + 1))
    # Rungs of a smaller input are hatched: their times are not comparable.
    axes.barh(range(len(rungs)), [row["gb_per_s"] for row in rungs],
              color=["C1" if row["rung"].startswith("r18") else "C0" for row in rungs],
              hatch=["" if row["n"] == n else "////" for row in rungs])
    for y, row in enumerate(rungs):
        size = "" if row["n"] == n else f" for n = {row['n']}"
        time = f"{row['us']:.4g} us" if row["us"] < 1e4 else f"{row['us'] / 1e3:.4g} ms"
        axes.text(row["gb_per_s"], y, f" {time}{size}", va="center", fontsize=8)
    if limit:
        axes.axvline(limit["gb_per_s"], color="0.4", linestyle="--", linewidth=1.2)
        axes.text(limit["gb_per_s"], -0.9, "read only ", color="0.4", ha="right", fontsize=8)
    axes.set_yticks(range(len(rungs)), [row["rung"] for row in rungs])
    axes.set_ylim(len(rungs) - 0.4, -1.4)
    axes.set_xlim(0, 1.15 * max(row["gb_per_s"] for row in rows))
    axes.set_xlabel("GB/s")
    axes.set_title(title)
    save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args, results = read_arguments(parser)
    for name in sorted({row["type"] for row in results["rows"]}):
        rows = [row for row in results["rows"] if row["type"] == name]
        n = next(row["n"] for row in rows if row["rung"].startswith("r01"))
        draw(rows, f"Sum of {n} values, {name}, {results['gpu']}", os.path.join(args.folder, f"ladder_{name}.svg"))


if __name__ == "__main__":
    main()
