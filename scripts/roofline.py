#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The roofline: what a GPU can do for so many operations per byte, and where the measured passes lie below it.

usage: roofline.py benchmarks/results/<gpu>      prints the points and fails if one lies above the roof

An operation is what the pass is for: an addition, a product, a comparison, a count; addresses and conversions are none.
The slope of the roof is the read limit of the results of reduce; its flat part is the peak rate of float in the data
sheet. plots.py draws it.
"""
import json
import re
import sys

PEAK = 67000  # Gop/s of float, H200
SOURCES = ("reduce", "family", "dot", "segmented", "histogram", "runs", "ladder", "examples.txt")

BYTES = {"i8": 1, "i16": 2, "e4m3": 1, "f16": 2, "bf16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}
# Operations an element: a square is a product and a sum, moments are distances from a pivot, their powers, and sums.
FAMILY = {("squares", "f32"): 2, ("min_element", "f32"): 1, ("variance", "f32"): 4, ("kurtosis", "f32"): 8,
          ("count_if", "f32"): 2}


def rows_of(stem, name):
    with open(f"{stem}-{name}.json") as f:
        return json.load(f)["rows"]


def longest(rows):
    return max(rows, key=lambda row: row["n"])


def points_of_primitives(stem):
    """The same of the other primitives: their largest inputs, with the bytes that are read and written."""
    points = []
    for (op, kind), operations in FAMILY.items():
        row = longest(row for row in rows_of(stem, "family") if (row["op"], row["type"]) == (op, kind))
        points.append((op, operations / BYTES[kind], operations * row["n"] * 1e-3 / row["gpuprim_us"]))
    for kind in ("f32", "f16", "e4m3", "i8"):
        row = longest(row for row in rows_of(stem, "dot") if (row["op"], row["type"]) == ("dot", kind))
        points.append((f"dot of {kind}", 1 / BYTES[kind], 2 * row["n"] * 1e-3 / row["gpuprim_us"]))
    for form, mix in (("offsets", "length 64"), ("fixed length", "length 64"), ("maxima of columns", "2^14 x 2^14")):
        row = next(row for row in rows_of(stem, "segmented") if row["library"] == "gpuprim" and
                   (row["form"], row["mix"]) == (form, mix))
        name = form if "columns" in form else f"segments of 64, {form}"
        points.append((name, row["n"] / row["bytes"], row["n"] * 1e-3 / row["us"]))
    row = longest(row for row in rows_of(stem, "histogram") if (row["samples"], row["bins"], row["data"]) ==
                  ("even f32", 256, "uniform"))
    points.append(("histogram, 256 bins", 1 / 4, row["n"] * 1e-3 / row["gpuprim"]["us"]))
    for problem, read in (("reduce_by_key i32, i32", 8), ("run_length_encode i32", 4)):
        row = longest(row for row in rows_of(stem, "runs") if (row["problem"], row["run_length"], row["contender"]) ==
                      (problem, 13, "gpuprim"))
        points.append((f"{problem.split()[0]}, runs of 13", 1 / (read + 8 / 13), row["n"] * 1e-3 / row["us"]))
    return points


def points_of(stem):
    """(name, operations a byte, Gop/s): a sum needs one operation an element, a matrix product two a multiplication."""
    points = points_of_primitives(stem)
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


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    _, bandwidth, points = points_of(sys.argv[1])
    above = 0
    for name, intensity, rate in points:
        percent = 100 * rate / min(PEAK, intensity * bandwidth)
        above += percent > 105  # the limit itself is a measurement
        print(f"{name:32} {intensity:8.3f} op/B {rate:10.1f} Gop/s {percent:6.1f} % of the roof")
    if above or not points:
        raise SystemExit(f"{above} of {len(points)} points lie above the roof")


if __name__ == "__main__":
    main()
