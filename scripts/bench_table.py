#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Condenses a Google Benchmark file of gpuprim-beside-CUB rows into medians with their ratio.

usage: bench_table.py RAW.json RESULTS.json    writes RESULTS.json and prints the table as Markdown
"""
import collections
import json
import statistics
import sys


def condense(raw):
    runs = collections.OrderedDict()
    for row in raw["benchmarks"]:
        if row["run_type"] != "iteration":
            continue
        if row.get("error_occurred"):
            raise SystemExit(f"bench_table: {row['name']} failed: {row.get('error_message')}")
        if row["time_unit"] != "us":
            raise SystemExit(f"bench_table: {row['name']} is in {row['time_unit']}, not us")
        runs.setdefault(row["name"].split("/repeats:")[0], []).append(row)
    rows = []
    for name, repeats in runs.items():
        kind, n = name.split("/")[:2]
        ours = statistics.median(r["real_time"] for r in repeats)
        cub = statistics.median(r["cub_us"] for r in repeats)
        rows.append({"benchmark": kind, "n": int(n), "bytes": int(repeats[0]["bytes"]), "memory": repeats[0]["label"],
                     "gpuprim_us": round(ours, 3), "cub_us": round(cub, 3), "cub_over_gpuprim": round(cub / ours, 3)})
    context = raw["context"]
    return {"gpu": context["gpu"], "cuda_driver": context["cuda_driver"], "cuda_runtime": context["cuda_runtime"],
            "cub": context["cub"], "date": context["date"],
            "repetitions": max(len(r) for r in runs.values()), "statistic": "median", "rows": rows}


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1]) as f:
        results = condense(json.load(f))
    with open(sys.argv[2], "w") as f:
        head = {k: v for k, v in results.items() if k != "rows"}
        f.write(json.dumps(head, indent=1)[:-2] + ',\n "rows": [\n  ')
        f.write(",\n  ".join(json.dumps(r) for r in results["rows"]) + "\n ]\n}\n")
    print("| benchmark | n | memory | gpuprim, us | CUB, us | CUB / gpuprim | gpuprim, GB/s |")
    print("|---|---|---|---|---|---|---|")
    for r in results["rows"]:
        print(f"| {r['benchmark']} | {r['n']} | {r['memory']} | {r['gpuprim_us']:.2f} | {r['cub_us']:.2f} | "
              f"{r['cub_over_gpuprim']:.2f} | {r['bytes'] / r['gpuprim_us'] * 1e-3:.0f} |")


if __name__ == "__main__":
    main()
