#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results of benchmarks/family and benchmarks/dot as a Markdown table.

usage: family_table.py benchmarks/results/<gpu>-family.json
"""
import json
import sys


def cell(row):
    ratio = row.get("cub_over_gpuprim")
    return f"{row['gpuprim_us']:.4g}, {row['percent_of_floor']:.1f} %" + (f", {ratio:.2f}" if ratio else "")


def size_name(size):
    return f"{size >> 30} GiB" if size >= 1 << 30 else f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def main():
    with open(sys.argv[1]) as f:
        rows = json.load(f)["rows"]
    sizes = sorted({row["bytes"] for row in rows})
    print("| pass | type | " + " | ".join(size_name(size) for size in sizes) + " |")
    print("|---" * (len(sizes) + 2) + "|")
    cells = {(row["op"], row["type"], row["bytes"]): cell(row) for row in rows}
    for op, kind in dict.fromkeys((row["op"], row["type"]) for row in rows):
        print(f"| {op} | {kind} | " + " | ".join(cells.get((op, kind, size), "") for size in sizes) + " |")


main()
