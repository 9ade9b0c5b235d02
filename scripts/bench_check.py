# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bars of the reduce benchmark. `misses(rows)` gives a sentence for each row of the results that is below one."""

CORE_TYPES = ("f32", "i32", "f64", "i64")


def name(row):
    parts = [row["mode"], row["op"], row["type"], row.get("base"), row["memory"], f"{row['bytes']} bytes"]
    return " ".join(part for part in parts if part)


def ratios(row):
    """CUB's time over gpuprim's, for each CUB in the run."""
    return {key[:-len("_over_gpuprim")]: value for key, value in row.items()
            if key.startswith("cub") and key.endswith("_over_gpuprim")}


def wanted_ratio(row):
    """How far ahead of CUB a row must be; everywhere else, not behind by more than what two runs differ by."""
    size = row["bytes"]
    if row["mode"] == "in_graph" and row["base"] == "aligned" and row["type"] in CORE_TYPES and \
            row["op"] in ("plus", "minimum"):
        if 2**15 <= size <= 2**18:
            return 1.2
        if 2**19 <= size <= 2**25:
            return 1.1
        if size > 2**25:
            return 1.0
    if row["mode"] == "call_and_sync" and 2**15 <= size <= 2**22:
        return 1.25
    return 0.98


def misses(rows):
    found = []
    aligned = {}
    for row in rows:
        if row.get("base") == "aligned":
            aligned[row["op"], row["type"], row["memory"], row["n"]] = row
    for row in rows:
        ours = row["gpuprim_us"]
        for cub, ratio in ratios(row).items():
            if ratio < wanted_ratio(row):
                found.append(f"{name(row)}: {ratio:.3f} of {cub}, must be {wanted_ratio(row)}")
        # What begins at an odd address has the bar below; an operator that may not commute has none but CUB.
        at_limit = row["mode"] == "in_graph" and row["base"] == "aligned" and row["op"] in ("plus", "minimum")
        # The bars of what is read are for elements of up to 16 bytes, which may be a little less than 1 GiB in all.
        if row["bytes"] > 16 * row["n"]:
            continue
        if at_limit and row["bytes"] > 2**30 - 16 and row["percent_of_floor"] < 98.5:
            found.append(f"{name(row)}: {row['percent_of_floor']:.1f} % of the read limit, must be 98.5")
        if row.get("base") == "misaligned":
            beside = aligned.get((row["op"], row["type"], row["memory"], row["n"]))
            if beside and beside["gpuprim_us"] < 0.97 * ours:
                found.append(f"{name(row)}: {100 * beside['gpuprim_us'] / ours:.1f} % of aligned, must be 97")
        if row.get("base") == "aligned" and row["bytes"] >= 2**26 and "reproducible_over_gpuprim" in row:
            if row["reproducible_over_gpuprim"] > 1.03:
                found.append(f"{name(row)}: reproducible takes {row['reproducible_over_gpuprim']:.3f} of the default, "
                             "must be 1.03 or less")
        if row["mode"] == "value" and row["bytes"] <= 2**18:
            if ours > 1.3 * row["launch_and_sync_us"]:
                times = ours / row["launch_and_sync_us"]
                found.append(f"{name(row)}: {times:.2f} of launch + sync, must be 1.3 or less")
            if row["thrust_over_gpuprim"] < 8:
                found.append(f"{name(row)}: {row['thrust_over_gpuprim']:.1f} of thrust::reduce, must be 8")
    return found
