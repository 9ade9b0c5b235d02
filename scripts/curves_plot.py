#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the curves of the guide from what the examples printed (scripts/curves.sh), as SVG.

usage: curves_plot.py OUTPUT.txt FOLDER      needs matplotlib

FOLDER gets offset.svg, stride.svg and low_occupancy.svg, each if its example is in the output. The same output gives
the same bytes.
"""
import os
import re
import sys
from collections import defaultdict

from plotting import pyplot, save


def numbers(text, pattern):
    return [tuple(map(float, found)) for found in re.findall(pattern, text, re.M)]


def draw(path, lines, x_label, ticks=None):
    """lines: {label: [(x, GB/s), ...]}"""
    figure, axes = pyplot.subplots(figsize=(6, 3))
    for label, points in lines.items():
        axes.plot(*zip(*points), marker="o", markersize=3, label=label)
    axes.set_xlabel(x_label)
    axes.set_ylabel("GB/s")
    axes.set_ylim(bottom=0)
    if ticks:
        axes.set_xticks(ticks)
    if len(lines) > 1:
        axes.legend(fontsize=8)
    save(figure, path)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1]) as f:
        text = f.read()
    folder = sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    offsets = numbers(text, r"^offset (\d+): \d+ sectors a warp, ([\d.]+) GB/s")
    if offsets:
        draw(os.path.join(folder, "offset.svg"), {"copy": offsets}, "offset in floats", range(0, 33, 4))
    strides = numbers(text, r"^stride (\d+): [\d.]+ % of the bytes moved are used, ([\d.]+) GB/s")
    if strides:
        draw(os.path.join(folder, "stride.svg"), {"copy": strides}, "stride in floats", range(0, 33, 4))
    by_loads = defaultdict(list)
    for occupancy, loads, rate in numbers(text, r"^occupancy ([\d.]+) %, (\d+) loads in flight: ([\d.]+) GB/s"):
        by_loads[f"{int(loads)} loads in flight"].append((occupancy, rate))
    if by_loads:
        draw(os.path.join(folder, "low_occupancy.svg"), by_loads, "theoretical occupancy in %", (12.5, 25, 50, 100))


if __name__ == "__main__":
    main()
