#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Condenses the benchmark's output, prints it as Markdown tables, and says which rows miss the bars.

usage: bench_table.py --raw RAW.json [--raw MORE.json] RESULTS.json   condenses into RESULTS.json, prints tables
       bench_table.py RESULTS.json                                    prints the tables
       bench_table.py --check RESULTS.json                            prints the rows that miss a bar; 1 if any do
"""
import argparse
import json
import statistics

from bench_check import misses
from results import cub_version, size_text

TABLE_TYPES = ("f32", "i32", "f64")


def number(value):
    """Five digits: more than two runs agree on."""
    return float(f"{value:.5g}")


def condense_row(raw):
    parts = raw["name"].split("/")
    row = {"mode": parts[0], "op": parts[1], "type": parts[2]}
    if row["mode"] == "in_graph":
        row["base"] = parts[3]
    row.update(memory=parts[-4], n=int(raw["n"]), bytes=int(raw["bytes"]), cub_call=raw["label"])
    libraries = [key[:-3] for key in raw if key.endswith("_us") and f"{key[:-3]}_q1_us" in raw]
    libraries.sort(key=lambda name: (name != "gpuprim", name))
    ours = raw["gpuprim_us"]
    for name in libraries:
        row[f"{name}_us"] = number(raw[f"{name}_us"])
        row[f"{name}_quartiles"] = [number(raw[f"{name}_q1_us"]), number(raw[f"{name}_q3_us"])]
        if name not in ("gpuprim", "launch_and_sync"):
            row[f"{name}_over_gpuprim"] = number(raw[f"{name}_us"] / ours)
        if f"{name}_host_ns" in raw:
            row[f"{name}_host_ns"] = number(raw[f"{name}_host_ns"])
    if "floor_us" in raw:
        row["floor_us"] = number(raw["floor_us"])
        row["percent_of_floor"] = number(100 * raw["floor_us"] / ours)
    return row


def condense(raws):
    """The rows of all runs; those that failed are only named."""
    context = raws[0]["context"]
    head = {key: context[key] for key in ("gpu", "date", "cuda_driver", "cuda_runtime", "cub", "other_cubs", "thrust",
                                          "multiprocessors", "l2_bytes", "read_limit_bytes", "read_limit_gb_per_s",
                                          "empty_in_graph_us", "empty_full_grid_us", "launch_and_sync_us")}
    head["statistic"] = "median, with the first and third quartile"
    rows = [row for raw in raws for row in raw["benchmarks"]]
    head["failed"] = [f"{row['name']}: {row.get('error_message')}" for row in rows if row.get("error_occurred")]
    return {**head, "rows": [condense_row(row) for row in rows if not row.get("error_occurred")]}


def write(results, path):
    head = {key: value for key, value in results.items() if key != "rows"}
    with open(path, "w") as f:
        f.write(json.dumps(head, indent=1)[:-2] + ',\n "rows": [\n  ')
        f.write(",\n  ".join(json.dumps(row) for row in results["rows"]) + "\n ]\n}\n")


def table(header, lines):
    print("\n| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def cub_names(rows):
    return sorted({key[:-3] for row in rows for key in row if key.startswith("cub") and key.endswith("_us")})


def by_size(rows, types, cells, header):
    """One line a size, and for each type the cells that `cells(row)` gives."""
    found = {}
    for row in rows:
        found.setdefault((row["bytes"], row["memory"]), {})[row["type"]] = row
    lines = []
    for size, memory in sorted(found):
        line = [size_text(size), memory]
        for name in types:
            row = found[size, memory].get(name)
            line += cells(row) if row else [""] * len(header)
        lines.append(line)
    table(["bytes", "memory"] + [f"{name} {text}" for name in types for text in header], lines)


def print_tables(results):
    rows = results["rows"]
    cubs = cub_names(rows)
    versions = {cub: "CUB " + cub_version(results["cub"] if cub == "cub" else cub.split("_")[1]) for cub in cubs}
    print(f"{results['gpu']}, {results['date'][:10]}, toolkit {int(results['cuda_runtime']) / 1000:.1f}. "
          f"Read limit {float(results['read_limit_gb_per_s']):.0f} GB/s; an empty launch takes "
          f"{float(results['empty_in_graph_us']):.2f} us in a graph, {float(results['launch_and_sync_us']):.1f} us "
          "with a wait for it. Ratios are CUB's time over gpuprim's.")

    graph = [row for row in rows if row["mode"] == "in_graph"]
    groups = {}
    for row in graph:
        groups.setdefault((row["type"], row["op"], row["base"]), []).append(row)
    lines = []
    for key, members in groups.items():
        line = list(key) + [members[0]["cub_call"], str(len(members))]
        for cub in cubs:
            ratios = [(row[f"{cub}_over_gpuprim"], row["bytes"]) for row in members if f"{cub}_over_gpuprim" in row]
            least = min(ratios, default=None)
            line += [f"{statistics.median(r for r, _ in ratios):.2f}", f"{least[0]:.2f}", size_text(least[1])] \
                if least else [""] * 3
        largest = max(members, key=lambda row: row["bytes"])
        lines.append(line + [f"{largest['percent_of_floor']:.1f}", size_text(largest["bytes"])])
    if lines:
        print("\n**In a graph, summary**: the median and the least ratio over each CUB, and the speed at the largest size")
        heads = [head for c in cubs for head in (f"over {versions[c]}", "least", "at")]
        table(["type", "operator", "base", "CUB's call", "sizes", *heads, "% of floor", "at"], lines)

    def graph_cells(row):
        return [f"{row['gpuprim_us']:.2f}"] + [f"{row[c + '_over_gpuprim']:.2f}" for c in cubs] + \
            [f"{row['percent_of_floor']:.0f}"]

    aligned = [row for row in graph if row["op"] == "plus" and row["base"] == "aligned" and row["type"] in TABLE_TYPES]
    if aligned:
        print("**In a graph, sums of aligned inputs**: microseconds, ratio over each CUB, percent of floor")
        by_size(aligned, TABLE_TYPES, graph_cells, ["us"] + [versions[c] for c in cubs] + ["%"])

    forms = [row for row in aligned if "reproducible_us" in row]
    if forms:
        print("**The reproducible form**: time over that of the default")
        by_size(forms, TABLE_TYPES,
                lambda row: [f"{row['reproducible_over_gpuprim']:.3f}"], ["reproducible"])

    calls = [row for row in rows if row["mode"] == "call_and_sync"]
    if calls:
        print("**Call and wait**: microseconds, ratio over each CUB, the host's nanoseconds until the call returns, "
              "and CUB's")
        by_size(calls, TABLE_TYPES,
                lambda row: [f"{row['gpuprim_us']:.1f}"] + [f"{row[c + '_over_gpuprim']:.2f}" for c in cubs] +
                [f"{row['gpuprim_host_ns']:.0f}", f"{row['cub_host_ns']:.0f}"],
                ["us"] + [versions[c] for c in cubs] + ["host ns", "CUB's host ns"])

    values = [row for row in rows if row["mode"] == "value"]
    if values:
        print("**Value on the host**, sum of f32: microseconds")
        columns = ("gpuprim", "launch_and_sync", "cub", "thrust")
        table(["bytes", "reduce_value", "launch + sync", values[0]["cub_call"], "thrust::reduce", "Thrust / gpuprim"],
              [[size_text(row["bytes"])] + [f"{row[name + '_us']:.1f}" for name in columns] +
               [f"{row['thrust_over_gpuprim']:.1f}"] for row in sorted(values, key=lambda row: row["bytes"])])

    missed = misses(rows)
    if missed:
        print("**Rows below a bar**\n")
        for line in missed:
            print(f"- {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raw", action="append", default=[], help="output of the benchmark; more than one is joined")
    parser.add_argument("--check", action="store_true", help="print the rows that miss a bar")
    parser.add_argument("results")
    args = parser.parse_args()
    if args.raw:
        raws = []
        for path in args.raw:
            with open(path) as f:
                raws.append(json.load(f))
        write(condense(raws), args.results)
    with open(args.results) as f:
        results = json.load(f)
    if not args.check:
        print_tables(results)
        return
    missed = [f"failed: {text}" for text in results["failed"]] + misses(results["rows"])
    for line in missed:
        print(line)
    print(f"{len(results['rows'])} rows, {len(missed)} misses")
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
