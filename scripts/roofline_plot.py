#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The roofline: what a GPU can do for so many operations a byte, and where the measured passes lie below it, as SVG.

usage: roofline_plot.py [--peak GOP/S] [--check] RESULTS_STEM [FOLDER]

RESULTS_STEM is benchmarks/results/<gpu>; its -reduce.json, -ladder.json and -examples.txt are read. The slope of the
roof is the read limit of -reduce.json; its flat part is --peak, of the data sheet (float, H200: 67000). FOLDER gets
roofline.svg, which needs matplotlib; --check prints the points and fails if one lies above the roof.
"""
import argparse
import json
import os
import re

BYTES = {"i8": 1, "i16": 2, "f16": 2, "bf16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}


def points_of(stem):
    """(name, operations a byte, Gop/s): a pass needs one operation an element, a product two a multiplication."""
    points = []
    with open(stem + "-reduce.json") as f:
        reduce = json.load(f)
    rows = [row for row in reduce["rows"] if row.get("mode") == "in_graph" and row["op"] == "plus" and
            row["base"] == "aligned" and row["type"] in BYTES]
    for name in sorted({row["type"] for row in rows}, key=lambda name: (BYTES[name], name)):
        row = max((row for row in rows if row["type"] == name), key=lambda row: row["bytes"])
        points.append((f"sum of {name}", 1 / BYTES[name], row["n"] * 1e-3 / row["gpuprim_us"]))
    with open(stem + "-ladder.json") as f:
        for row in json.load(f)["rows"]:
            if row["type"] == "float" and re.match("r(01|08|10|14)", row["rung"]):
                points.append((row["rung"], 0.25, row["n"] * 1e-3 / row["us"]))
    with open(stem + "-examples.txt") as f:
        found = re.findall(r"^(\d+) x (\d+) by \d+ x (\d+), (.*): ([\d.]+) GFLOP/s", f.read(), re.M)
    for m, k, n, name, rate in found:
        m, k, n = int(m), int(k), int(n)
        points.append((f"A B, {name}", 2 * m * n * k / (4 * (m * k + k * n + m * n)), float(rate)))
    return reduce["gpu"], float(reduce["read_limit_gb_per_s"]), points


def draw(gpu, bandwidth, peak, points, path):
    from plotting import pyplot, save
    figure, axes = pyplot.subplots(figsize=(7, 4))
    ridge = peak / bandwidth
    axes.plot([0.05, ridge, 1000], [0.05 * bandwidth, peak, peak], color="0.4")
    axes.text(0.06, 0.08 * bandwidth, f"{bandwidth:.0f} GB/s read", fontsize=8)
    axes.text(ridge, peak * 1.15, f"{peak:.0f} Gop/s, data sheet", fontsize=8)
    labels = []  # [names, operations a byte, Gop/s]: points that fall together share one
    for name, intensity, rate in sorted(points, key=lambda point: point[1:]):
        axes.plot(intensity, rate, "o", markersize=4, color="C1" if name.startswith("sum") else "C0")
        if labels and labels[-1][1] == intensity and rate < 1.2 * labels[-1][2]:
            labels[-1][0].append(name)
        else:
            labels.append([[name], intensity, rate])
    for names, intensity, rate in labels:
        axes.annotate("; ".join(names), (intensity, rate), xytext=(5, -4), textcoords="offset points", fontsize=6)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("operations a byte of memory")
    axes.set_ylabel("Gop/s")
    axes.set_title(gpu)
    save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peak", type=float, default=67000)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("stem")
    parser.add_argument("folder", nargs="?")
    args = parser.parse_args()
    gpu, bandwidth, points = points_of(args.stem)
    if args.check:
        above = 0
        for name, intensity, rate in points:
            percent = 100 * rate / min(args.peak, intensity * bandwidth)
            above += percent > 105  # the limit itself is a measurement
            print(f"{name:32} {intensity:8.3f} op/B {rate:10.1f} Gop/s {percent:6.1f} % of the roof")
        if above or not points:
            raise SystemExit(f"{above} of {len(points)} points lie above the roof")
    if args.folder:
        os.makedirs(args.folder, exist_ok=True)
        draw(gpu, bandwidth, args.peak, points, os.path.join(args.folder, "roofline.svg"))


if __name__ == "__main__":
    main()
