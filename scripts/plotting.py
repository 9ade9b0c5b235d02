# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the pictures look: one colour for each library, one kind of panel for speeds beside CUB, one for rows of dots.

The same results give the same SVG, byte for byte. Colours are those of Okabe and Ito, which colour-blind readers can
tell apart; the background is white, so that a picture can be read on a dark page too.
"""
import math
import os
import sys
import textwrap

from results import fingerprint

try:
    import matplotlib
except ImportError:
    raise SystemExit(f"{sys.argv[0]}: matplotlib is missing; `python3 -m pip install matplotlib` installs it")
matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "gpuprim", "svg.fonttype": "none", "font.size": 9, "savefig.facecolor": "white",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "0.9", "grid.linewidth": 0.6,
    "axes.axisbelow": True, "axes.titlesize": 9.5, "axes.titlelocation": "left", "legend.frameon": False,
    "xtick.minor.visible": False, "ytick.minor.visible": False, "lines.linewidth": 1.4, "lines.markersize": 4})
from matplotlib import pyplot, ticker  # noqa: E402  (after the choice of the backend)

GPUPRIM, CUB, THRUST, CUBLAS, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#6b6b6b"
FLOOR = {"color": GREY, "linestyle": "--", "linewidth": 1.2}
OTHERS = {"thrust::reduce": (THRUST, "s"), "cuBLAS": (CUBLAS, "^")}
SLOWER = "0.94"  # the background where CUB is faster
RATIO_TICKS = (1, 2, 0.5, 5, 10, 20, 50, 100, 200, 1.5, 3, 0.8, 1.2, 0.9, 1.3, 1.1)  # the more wanted ones first


def new(size, panels=None):
    """A figure and its axes; with a mosaic of panels those by its names."""
    figure = pyplot.figure(figsize=size, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
    return figure, figure.subplot_mosaic(panels) if panels else figure.subplots()


def head(figure, title, columns=4):
    """The title, and below it one legend for all panels."""
    entries = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    figure.legend(entries.values(), entries.keys(), loc="outside upper left", ncols=columns, fontsize=8.5, title=title,
                  title_fontproperties={"size": 11.5, "weight": "bold"}, alignment="left")


def save(figure, path, about, sources):
    """Below the picture stands what was measured and on what; the file names its sources for results_tables.py."""
    names = ", ".join(os.path.basename(source) for source in sources)
    text = textwrap.fill(f"{about}. Drawn from {names} in benchmarks/results.", 150)
    figure.supxlabel(text, x=0.01, ha="left", fontsize=7, color=GREY)
    figure.savefig(path, metadata={"Date": None, "Creator": None, "Source": fingerprint(sources)})
    pyplot.close(figure)
    print(path)


def ratio_axis(axis, least, most):
    """Of ratios to CUB: in a logarithmic scale twice as fast is as far from 1 as half as fast."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    whole = math.log(most / least)
    lower, upper = least * math.exp(-0.1 * whole), most * math.exp(0.07 * whole)
    axis.axes.set(**{f"{axis.axis_name}lim": (lower, upper)})
    shown = []
    for tick in RATIO_TICKS:
        if lower <= tick <= upper and all(abs(math.log(tick / other)) > 0.08 * whole for other in shown):
            shown.append(tick)
    axis.set_ticks(shown, [f"{tick:g}" for tick in shown])
    axis.set_minor_locator(ticker.NullLocator())


def size_axis(axes, label, sizes):
    axes.set_xscale("log", base=2)
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel(label)
    powers = [power for power in range(40) if min(sizes) <= 2**power <= max(sizes)]
    step = 4 if len(powers) > 18 or label.startswith("bytes") else 2
    powers = [power for power in powers if power % step == 0]
    units = ("B", "KiB", "MiB", "GiB")
    names = [f"{2**(power % 10)} {units[power // 10]}" if label.startswith("bytes") else f"$2^{{{power}}}$"
             for power in powers]
    axes.set_xticks([2.0**power for power in powers], names, fontsize=8)


def speed(axes, title, cases, label, cub, floor, floor_from=0):
    """How many times as fast as CUB: gpuprim, the other libraries, and from `floor_from` on what `floor` says in words.

    CUB itself is the line at 1; where several were measured it is the fastest one of each case."""
    cases = sorted(cases, key=lambda case: case.x)
    sizes = [case.x for case in cases]
    floors = [(case.x, case.cub / case.floor) for case in cases if case.floor and case.x >= floor_from]
    ratios = [case.ratio for case in cases]
    drawn = ratios + [ratio for _, ratio in floors] + [0.85, 1.6]
    lines = {name: [(case.x, case.cub / case.others[name]) for case in cases if name in case.others] for name in OTHERS}
    drawn += [ratio for line in lines.values() for _, ratio in line]
    ratio_axis(axes.yaxis, min(drawn), max(drawn))
    axes.axhspan(axes.get_ylim()[0], 1, color=SLOWER, zorder=0, linewidth=0)
    axes.axhline(1, color=CUB, label=f"{cub} = 1")
    if floors:
        axes.plot(*zip(*floors), **FLOOR, label=f"floor: {floor}")
    axes.plot(sizes, ratios, color=GPUPRIM, marker="o", label="gpuprim")
    for name, line in lines.items():
        if line:
            axes.plot(*zip(*line), color=OTHERS[name][0], marker=OTHERS[name][1], label=name)
    least = min(cases, key=lambda case: case.ratio)
    is_right = least.x >= sizes[2 * len(sizes) // 3]  # its number stands there
    axes.text(0.01 if is_right else 0.99, 0.02, "slower than CUB", transform=axes.transAxes,
              ha="left" if is_right else "right", va="bottom", color=GREY, fontsize=7.5)
    if least.ratio < 0.99:
        axes.annotate(f"{least.ratio:.2f}", (least.x, least.ratio), xytext=(0, -4), textcoords="offset points",
                      ha="center", va="top", color=GPUPRIM, fontsize=8)
    size_axis(axes, label, sizes)
    axes.set_title(title)
    axes.set_ylabel("times as fast as CUB")


def split_of_memory(axes, cases):
    """A line between the sizes whose one input stays in the cache and those whose inputs in turn come from memory."""
    in_l2 = [case.x for case in cases if case.row["memory"] == "L2"]
    in_dram = [case.x for case in cases if case.row["memory"] == "DRAM"]
    between = (max(in_l2) * min(in_dram)) ** 0.5
    axes.axvline(between, color=GREY, linestyle=":", linewidth=1)
    for text, side, shift in ("one input, in the cache", "right", -4), ("inputs in turn, from memory", "left", 4):
        axes.annotate(text, (between, 1), xycoords=axes.get_xaxis_transform(), xytext=(shift, 0),
                      textcoords="offset points", ha=side, va="top", color=GREY, fontsize=7.5)


def dots(axes, rows, marks, cub):
    """A row for each name: {mark: how many times as fast as CUB}; `marks` has {mark: its look}."""
    ratios = [ratio for _, of_marks in rows for ratio in of_marks.values()]
    ratio_axis(axes.xaxis, min(ratios + [0.9]), max(ratios + [1.2]))
    axes.axvspan(axes.get_xlim()[0], 1, color=SLOWER, zorder=0, linewidth=0)
    axes.axvline(1, color=CUB, label=f"{cub} = 1")
    for mark, look in marks.items():
        points = [(of_marks[mark], y) for y, (_, of_marks) in enumerate(rows) if mark in of_marks]
        axes.plot(*zip(*points), color=GPUPRIM, linestyle="none", label=mark, **look)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("times as fast as CUB; on grey: slower than CUB")
