# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The committed results as one list of cases, whatever program wrote them. Tables and pictures are made from these."""
import hashlib
import json
import os
import re
from typing import NamedTuple

BASELINE = "CUB 3.6.0"  # with which gpuprim is compared, where a file has it
# The files of a GPU that compare with CUB, and how an overview calls them.
FAMILIES = {"reduce": "reduce", "family": "transformed reduces, extrema", "dot": "dot products", "scan": "scans",
            "select": "selects, partitions", "transform": "streaming passes",
            "sort": "sorts", "segmented_sort": "sorts of segments", "top_k": "top-k", "merge": "merges, set operations",
            "segmented": "segmented sums", "runs": "runs of equal keys", "histogram": "histograms",
            "in_kernel": "inside a kernel"}
SMALL_TYPES = ("i8", "u8", "i16", "u16", "f16", "bf16", "e4m3", "e5m2")


class Case(NamedTuple):
    """One measurement of gpuprim beside other libraries. Times are in microseconds, those of in_kernel in cycles."""
    group: str
    where: str  # what tells it from the other cases of its group
    x: float  # its size, for a picture
    ours: float
    others: dict  # name of a library: its time
    floor: float = None
    row: dict = {}  # the row of the file

    @property
    def cub(self):
        """The least time of the baseline, or else of any CUB in the run, or None. In a kernel cooperative groups
        count as CUB."""
        for names in (BASELINE,), ("CUB ", "cub:", "cg:"):
            times = [us for name, us in self.others.items() if name.startswith(names)]
            if times:
                return min(times)
        return None

    @property
    def least(self):
        """The least time of any CUB in the run."""
        return min([self.cub] + [us for name, us in self.others.items() if name.startswith("CUB ")])

    @property
    def ratio(self):
        return self.cub / self.ours


def cub_version(number):
    return f"{int(number) // 100000}.{int(number) // 100 % 1000}.{int(number) % 100}"


def library_name(contender):
    """How people write a contender of a program that names CUB by its number."""
    match = re.fullmatch(r"CUB (\d+)(.*)", contender)
    return f"CUB {cub_version(match[1])}{match[2]}" if match else contender


def size_text(size):
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size} {unit}"
        size //= 1024
    return f"{size} GiB"


def count_text(n):
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else f"{n:,}"


def load(path):
    with open(path) as f:
        return json.load(f)


def fingerprint(paths):
    """Names files and what is in them, for pictures of them."""
    parts = []
    for path in paths:
        with open(path, "rb") as f:
            parts.append(f"{os.path.basename(path)} {hashlib.sha256(f.read()).hexdigest()[:16]}")
    return ", ".join(parts)


def kind_of(path):
    """reduce of benchmarks/results/nvidia_h200-reduce.json"""
    return os.path.splitext(os.path.basename(path))[0].split("-", 1)[-1]


def cub_of(results):
    """The CUB that gpuprim is compared with, as text: the baseline, or those that were measured."""
    names = {name for row in results["rows"] for name in (*row, row.get("contender", ""))}
    numbers = {match[1] for match in (re.fullmatch(r"(?:CUB |cub_)(\d+)(?:_us)?", name) for name in names) if match}
    numbers |= {str(results["cub"])} if "cub" in results else set()
    found = "CUB " + " and ".join(cub_version(number) for number in sorted(numbers))
    return BASELINE if BASELINE.removeprefix("CUB ") in found else found


def files_of(stem):
    """(name, path) of the results of a GPU that are there."""
    paths = {name: f"{stem}-{name}.json" for name in FAMILIES}
    return [(name, path) for name, path in paths.items() if os.path.exists(path)]


def reworded(text, patterns):
    """The text of the first pattern that fits all of it, or what it was."""
    for pattern, better in patterns:
        if re.fullmatch(pattern, text):
            return re.sub(pattern, better, text)
    return text


def passes(results):
    """Of the reduces, their family and dot products."""
    for row in results["rows"]:
        others = {}
        for key, value in row.items():
            if key.endswith("_us") and key.startswith(("cub", "thrust", "blas")):
                name = key[:-3]
                others[{"thrust": "thrust::reduce", "blas": "cuBLAS"}.get(name) or "CUB " + cub_version(
                    results["cub"] if name == "cub" else name.split("_")[1])] = value
        group = {"value": "sum to a value on the host", "call_and_sync": "sum, one call and a wait"}.get(
            row["mode"]) or group_of_pass(row["op"], row["type"])
        where = size_text(row["bytes"]) + ("" if group.endswith(row["type"]) else f" of {row['type']}")
        where += "" if row.get("base", "aligned") == "aligned" else f", {row['base']} base"
        where += ", in L2" if row["memory"] == "L2" and row["bytes"] > 2**18 else ""
        yield Case(group, where, row["bytes"], row["gpuprim_us"], others,
                   row.get("floor_us", row.get("launch_and_sync_us")), row)


def group_of_pass(op, kind):
    if op == "plus":
        return f"sum of {kind}"
    if op == "larger_magnitude":
        return "operator of the user's own, f32"
    if op.startswith("dot"):
        return op + (" of 8 or 16 bits" if kind in SMALL_TYPES else " of 32 or 64 bits")
    return op if op in ("minimum", "squared_norm") else f"{op} of {kind}"


MIXES = ((r"length (\d+)", r"segments of \1"), (r"(\d+) of (\d+)", r"\1 segments of \2"),
         (r"(\d+), (\d+) between", r"segments of \1, \2 values between them"),
         (r"Zipf ([\d.]+) to (\d+)", r"Zipf (\1) lengths to \2"), (r"0 to (\d+)", r"lengths 0 to \1"),
         (r"one of n / 2 among (\d+)000000 of 0 to (\d+)", r"one half, \1 million of 0 to \2"))


def segmented(results):
    by_case = {}
    for row in results["rows"]:
        by_case.setdefault((row["mix"], row["form"]), {})[row["library"]] = row
    for (mix, form), rows in by_case.items():
        if len(rows) == 2:
            ours = rows["gpuprim"]
            shape = "equal lengths" if mix.startswith("length") else \
                "short lists" if re.fullmatch(r"\d+ of \d+", mix) else "mixed lengths"
            group = {"offsets": f"by offsets, {shape}", "bounds": "by begins and ends"}.get(
                form, "of one length" + (", short lists" if shape == "short lists" else ""))
            yield Case(group, reworded(mix, MIXES), ours["length"], ours["us"],
                       {"CUB " + cub_version(results["cub"]): rows["cub"]["us"]}, ours["floor_us"], ours)


def contenders(results):
    """Of scans, selects, sorts, merges, streaming passes and runs: a row for each contender."""
    by_case = {}
    for row in results["rows"]:
        by_case.setdefault((row["problem"], row["n"], row.get("run_length")), []).append(row)
    for (problem, n, length), rows in by_case.items():
        us = {library_name(row["contender"]): row["us"] for row in rows}
        ours = us.pop("gpuprim")
        what = "elements" if length is None else "keys, one run" if length == n else f"keys, runs of {length}"
        yield Case(problem, f"{count_text(n)} {what}", n, ours, us, rows[0]["floor_us"], rows[0])


def histogram(results):
    for row in results["rows"]:
        us = {library_name(name): cell["us"] for name, cell in row.items() if isinstance(cell, dict)}
        ours = us.pop("gpuprim")
        where = f"{count_text(row['n'])} samples, {count_text(row['bins'])} bins" + \
            ("" if row["data"] == "uniform" else f", {row['data']}")
        yield Case(row["samples"].replace(", levels i^4", ""), where, row["n"], ours, us, row["floor_us"], row)


def in_kernel(results):
    """A row of gpuprim's is followed by those of the others."""
    lines = []
    for row in results["rows"]:
        if row["reduce"].startswith("gpuprim::"):
            lines.append([])
        lines[-1].append(row)
    for ours, *others in lines:
        for load_name in ("alone", "full"):
            yield Case(ours["reduce"].removeprefix("gpuprim::"),
                       f"{ours['type']}, {ours['block']} threads, {load_name}", ours["block"],
                       ours[f"{load_name}_cycles"], {row["reduce"]: row[f"{load_name}_cycles"] for row in others},
                       None, {**ours, "load": load_name})


READERS = {"reduce": passes, "family": passes, "dot": passes, "segmented": segmented, "runs": contenders,
           "scan": contenders, "select": contenders, "transform": contenders, "sort": contenders,
           "segmented_sort": contenders, "top_k": contenders, "merge": contenders, "histogram": histogram,
           "in_kernel": in_kernel}


KINDS = ((r"sum of (\d+) bytes", r"sum, numbers of \1 B"), (r"reduce of (\d+) bytes", r"reduce, structs of \1 B"),
         (r"place of the least of (\d+) bytes", r"min_element, \1 B"),
         (r"even bins of (\d+) bytes", r"histogram, even bins, \1 B"),
         (r"between levels of (\d+) bytes", r"histogram, given levels, \1 B"),
         (r"reduce_by_key (\d), (\d)", r"reduce_by_key, keys of \1 B, values of \2 B"),
         (r"run_length_encode (\d)", r"run_length_encode, keys of \1 B"),
         ("segmented_reduce", "segmented_reduce by offsets"))
DETAILS = ((r"bins (\d+) (?:spread \d+ )?n (\d+) kind \d", r"n = \2, \1 bins"),
           (r"n (\d+) (?:past|mean) .*", r"n = \1"),
           (r"(\d+) of (\d+) mean \d+ kind \d", r"\1 segments of \2 values in all"))


def random_calls(path):
    """(kind of call, how many, {name of a ratio: ratio}, the worst call) of each line that benchmarks/random prints."""
    with open(path) as f:
        for line in f.read().splitlines()[1:]:
            parts = re.match(r"(.+?) +(\d+)" + r" +(\d+\.\d+)" * 3 + "  (.*), .*, .*", line)
            kind, calls, *ratios, worst = parts.groups()
            worst = re.sub(r"\d{5,}", lambda number: f"{int(number[0]):,}", reworded(worst, DETAILS))
            names = ("the worst call", "5 % of the calls are below", "median")
            yield reworded(kind, KINDS), int(calls), dict(zip(names, map(float, ratios))), worst


def cases(path):
    """The results of a file, and those of its cases that another library has too."""
    results = load(path)
    return results, [case for case in READERS[kind_of(path)](results) if case.cub]
