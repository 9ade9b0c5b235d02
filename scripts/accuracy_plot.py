#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the relative errors of sums by condition number, as SVG.

usage: accuracy_plot.py benchmarks/results/<gpu>-accuracy.csv FOLDER      needs matplotlib

FOLDER gets accuracy.svg. The same results give the same bytes.
"""
import csv
import os
import sys

from plotting import pyplot, save

LEAST = 1e-19  # what an error of nothing is drawn at
SUMS = (("default", "o", "gpuprim, default"), ("cub", "x", "CUB"), ("accurate", "s", "gpuprim, accurate"))


def main():
    source, folder = sys.argv[1:]
    with open(source) as f:
        rows = list(csv.DictReader(f))
    figure, every_axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axes, kind, rounding in zip(every_axes, ("f32", "f64"), (2.0**-24, 2.0**-53)):
        mine = [row for row in rows if row["type"] == kind]
        for name, marker, label in SUMS:
            axes.loglog([float(row["condition"]) for row in mine], [max(float(row[name]), LEAST) for row in mine],
                        marker, markersize=4, label=label)
        axes.axhline(rounding, color="0.4", linestyle="--", linewidth=1)
        axes.set_xlabel("sum |x| / |sum x|")
        axes.set_title(f"{kind}, 2^20 numbers; dashed: one rounding")
    every_axes[0].set_ylabel("relative error")
    every_axes[0].legend(fontsize=8)
    os.makedirs(folder, exist_ok=True)
    save(figure, os.path.join(folder, "accuracy.svg"))


main()
