#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws percent of the floor by length of runs, gpuprim and CUB, as SVG.

usage: runs_plot.py benchmarks/results/<gpu>-runs.json FOLDER    needs matplotlib

FOLDER gets runs.svg. The same results give the same bytes.
"""
import argparse
import os

from bench_table import library_name
from plotting import pyplot, read_arguments, save

DRAWN = 2**26


def main():
    args, results = read_arguments(argparse.ArgumentParser(description=__doc__,
                                                           formatter_class=argparse.RawDescriptionHelpFormatter))
    rows = results["rows"]
    drawn = [row for row in rows if row["n"] == DRAWN]
    problems = list(dict.fromkeys(row["problem"] for row in drawn))
    figure, panels = pyplot.subplots(1, len(problems), figsize=(3 * len(problems), 3.4), sharey=True)
    for axes, problem in zip(panels, problems):
        lengths = sorted({row["run_length"] for row in drawn})
        for who in dict.fromkeys(row["contender"] for row in drawn):
            percent = {row["run_length"]: 100 * row["floor_us"] / row["us"] for row in drawn
                       if (row["problem"], row["contender"]) == (problem, who)}
            axes.plot(range(len(lengths)), [percent[length] for length in lengths],
                      "C0o-" if who == "gpuprim" else "x--", markersize=4, label=library_name(who))
        axes.set_xticks(range(len(lengths)), ["1 run" if x == DRAWN else str(x) for x in lengths])
        axes.set_ylim(0, 105)
        axes.set_xlabel("keys in a run")
        axes.set_title(problem)
    panels[0].set_ylabel(f"percent of the floor, 2^{DRAWN.bit_length() - 1} keys")
    panels[0].legend(fontsize=8)
    save(figure, os.path.join(args.folder, "runs.svg"))


main()
