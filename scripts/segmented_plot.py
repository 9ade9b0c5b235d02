#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws percent of the floor by segment length, gpuprim's forms and CUB's, as SVG.

usage: segmented_plot.py benchmarks/results/<gpu>-segmented.json FOLDER    needs matplotlib

FOLDER gets segmented.svg. The same results give the same bytes.
"""
import argparse
import os

from plotting import pyplot, read_arguments, save

STYLES = (("gpuprim", "offsets", "C0o-"), ("gpuprim", "64-bit offsets", "C0o:"), ("gpuprim", "fixed length", "C2s-"),
          ("gpuprim", "bounds", "C4^-"), ("cub", "offsets", "C1x-"), ("cub", "fixed length", "C3x-"))
NAMES = {"gpuprim": "gpuprim", "cub": "CUB"}


def size_text(length):
    return str(length) if length < 2**20 else f"2^{length.bit_length() - 1}"


def main():
    args, results = read_arguments(argparse.ArgumentParser(description=__doc__,
                                                           formatter_class=argparse.RawDescriptionHelpFormatter))
    rows = results["rows"]
    figure, axes = pyplot.subplots(figsize=(7, 4))
    lengths = sorted({row["length"] for row in rows if row["mix"].startswith("length ")})
    for library, form, style in STYLES:
        points = sorted((row["length"], row["percent_of_floor"]) for row in rows
                        if (row["library"], row["form"]) == (library, form) and row["mix"].startswith("length "))
        if points:
            axes.plot([x for x, _ in points], [y for _, y in points], style, markersize=4,
                      label=f"{NAMES[library]}, {form}")
    axes.set_xscale("log", base=2)
    labelled = []  # as far apart as their texts are wide
    for length in lengths:
        if not labelled or length >= 3 * labelled[-1]:
            labelled.append(length)
    axes.set_xticks(labelled, [size_text(length) for length in labelled])
    axes.set_ylim(0, 105)
    axes.set_xlabel(f"values in a segment, of {rows[0]['n']} floats")
    axes.set_ylabel("percent of the floor")
    axes.set_title(f"Segmented sums, {results['gpu']}, read limit {results['read_limit_gb_per_s']:.0f} GB/s")
    axes.legend(fontsize=8)
    save(figure, os.path.join(args.folder, "segmented.svg"))


main()
