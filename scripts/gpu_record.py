#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of a build folder's gpu_tests.txt and writes the GPU record; called by gpu_test.sh.

gpu_tests.txt, written when the build is configured, holds a word and its values a line:
    toolkit <version>               the toolkit that compiles the programs
    catch2 <program> <file> [sanitizer]   a source file of a Catch2 program, whose path is relative to the build folder;
                                    `sanitizer` if cases of the file have that tag
    plain <program> [argument...]   a program that checks itself and says so by its exit status; its arguments under a tool
Each file runs in a process of its own: some reset the device, and several are under way at a time.
The tools of compute-sanitizer run over the cases tagged [sanitizer], memcheck and racecheck over the plain programs too.

Where one run would take too long, `--part 1/2` runs about half of the programs, and `--join` makes the record of those of all parts.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
TIMEOUT_S = 900
TOOL_STATUS = 99  # exit status of a tool that has something to say
PLAIN_TOOLS = ("memcheck", "racecheck")
# What racecheck says of a program with nested launches, as a warning that it counts as a hazard.
NOT_LOOKED_INTO = "CUDA Dynamic Parallelism is not supported by the selected tool"
# What a tool says of a program that launches nothing: it has nothing to look at.
NOTHING_LAUNCHED = "Target application terminated before first instrumented API call"
# Leaves out what takes minutes under a tool: large sizes (tests/support/reduce_check.cuh), timing (examples/measure.hpp).
SMALL = {"GPUPRIM_TEST_SMALL": "1"}


def run(command, environment=None):
    """(exit status, output); a time-out counts as a failure of its own."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              timeout=TIMEOUT_S, text=True, errors="replace", check=False,
                              env={**os.environ, **(environment or {})})
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace") + f"\nno end after {TIMEOUT_S} s\n"


def name_of(entry):
    kind, program, arguments = entry
    return " ".join([os.path.basename(program), *(arguments[:1] if kind == "catch2" else [])])


def run_catch2(program, file, prefix=(), tags="", environment=None):
    """(status, output, {passed, failed, skipped}) in test cases; a program that crashes has one failure at least."""
    arguments = ["--filenames-as-tags", f"[#{file}]{tags}"]
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.xml")
        status, output = run([*prefix, program, *arguments, "-r", "console", "-r", f"xml::out={report}"], environment)
        counts = {"passed": 0, "failed": 0, "skipped": 0}
        try:
            results = xml.etree.ElementTree.parse(report).getroot().find("OverallResultsCases")
            counts = {"passed": int(results.get("successes")), "failed": int(results.get("failures")),
                      "skipped": int(results.get("skips", "0"))}
        except (OSError, AttributeError, xml.etree.ElementTree.ParseError):
            pass
        if status not in (0, 4) and counts["failed"] == 0:  # 4: every case was skipped
            counts["failed"] = 1
        return status, output, counts


def run_tests(programs, jobs):
    def one(entry):
        kind, program, arguments = entry
        if kind == "catch2":
            _, output, counts = run_catch2(program, arguments[0])
        else:
            status, output = run([program])
            counts = {"passed": int(status == 0), "failed": int(status != 0), "skipped": 0}
        return name_of(entry), output, counts

    total = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, output, counts in pool.map(one, programs):
            print(f"{name}: {counts['passed']} passed, {counts['failed']} failed, "
                  f"{counts['skipped']} skipped", flush=True)
            if counts["failed"]:
                print(output, flush=True)
            for key in total:
                total[key] += counts[key]
    return total


def run_plain(program, prefix, arguments):
    """A program that checks CUDA's answers itself, and may provoke a refusal on purpose: the tool looks at kernels alone."""
    status, output = run([*prefix, "--report-api-errors", "no", program, *arguments], SMALL)
    return status, output, {"passed": int(status == 0), "failed": int(status != 0), "skipped": 0}


def run_sanitizer(sanitizer, tool, programs, jobs):
    """{cases, errors} of one tool over the cases tagged [sanitizer], and over whole plain programs."""
    prefix = [sanitizer, "--tool", tool, "--error-exitcode", str(TOOL_STATUS)]

    def one(entry):
        kind, program, arguments = entry
        if kind == "plain":
            return name_of(entry), run_plain(program, prefix, arguments)
        return name_of(entry), run_catch2(program, arguments[0], prefix, "[sanitizer]", SMALL)

    cases = errors = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, (status, output, counts) in pool.map(one, programs):
            if NOTHING_LAUNCHED in output:
                continue
            cases += counts["passed"] + counts["failed"]
            found = sum(map(int, re.findall(r"ERROR SUMMARY: (\d+) error", output)))
            found += sum(map(int, re.findall(r"RACECHECK SUMMARY: (\d+) hazard", output)))
            found -= output.count(NOT_LOOKED_INTO)
            if status not in (0, 4) and not (status == TOOL_STATUS and found == 0 and NOT_LOOKED_INTO in output):
                found = max(found, 1)
                print(f"{tool} {name}: exit status {status}\n{output}", flush=True)
            errors += found
    print(f"{tool}: {cases} cases, {errors} errors", flush=True)
    return {"cases": cases, "errors": errors}


def unclean_tools(record):
    return [tool for tool, result in record["sanitizer"].items()
            if result is None or result["errors"] or not result["cases"]]


def write(record, path):
    """Writes the record. The exit status says whether something failed."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=2)
        file.write("\n")
    print(f"{record['passed']} passed, {record['failed']} failed, {record['skipped']} skipped; wrote {path}")
    return 1 if record["failed"] or not record["passed"] or unclean_tools(record) else 0


def join(paths, path):
    """Makes the record of those of all parts."""
    records = []
    for one in paths:
        with open(one, encoding="utf-8") as file:
            records.append(json.load(file))
    parts = sorted(record.pop("part", "1/1") for record in records)
    if parts != [f"{i + 1}/{len(records)}" for i in range(len(records))]:
        raise SystemExit(f"these are the parts {', '.join(parts)}, not each once")
    all_of_it = records[0]
    for record in records[1:]:
        for key in ("gpu", "driver", "toolkit", "include_tree", "tests_tree"):
            if record[key] != all_of_it[key]:
                raise SystemExit(f"the parts have different values of {key}: {all_of_it[key]}, {record[key]}")
        all_of_it["date"] = max(all_of_it["date"], record["date"])
        for key in ("passed", "failed", "skipped"):
            all_of_it[key] += record[key]
        for tool, result in record["sanitizer"].items():
            for key in result or {}:
                all_of_it["sanitizer"][tool][key] += result[key]
    return write(all_of_it, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", required=True)
    parser.add_argument("--join", nargs="+", metavar="RECORD", help="the records of all parts; runs nothing")
    parser.add_argument("--build")
    parser.add_argument("--include-tree")
    parser.add_argument("--tests-tree")
    parser.add_argument("--part", default="1/1", help="I/N: the programs of one of N parts, for instance 1/2")
    parser.add_argument("--sanitizer", default="", help="compute-sanitizer; empty: its part of the record is null")
    parser.add_argument("--jobs", type=int, default=4, help="programs at a time")
    options = parser.parse_args()
    if options.join:
        sys.exit(join(options.join, options.record))
    if not (options.build and options.include_tree and options.tests_tree):
        parser.error("--build, --include-tree and --tests-tree say what is tested")

    toolkit, programs = "", []
    with open(os.path.join(options.build, "gpu_tests.txt"), encoding="utf-8") as file:
        for line in file:
            word, value, *arguments = line.split()
            if word == "toolkit":
                toolkit = value
            else:
                programs.append((word, os.path.join(os.path.abspath(options.build), value), arguments))
    part, parts = map(int, options.part.split("/"))
    names = sorted({program for _, program, _ in programs})
    programs = [entry for entry in programs if names.index(entry[1]) % parts == part - 1]
    query = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                           check=True, capture_output=True, text=True).stdout.splitlines()[0]
    gpu, driver = [field.strip() for field in query.split(",")]

    total = run_tests(programs, options.jobs)
    sanitizers = {}
    for tool in TOOLS:
        checked = [entry for entry in programs
                   if (entry[2][1:] == ["sanitizer"] if entry[0] == "catch2" else tool in PLAIN_TOOLS)]
        sanitizers[tool] = run_sanitizer(options.sanitizer, tool, checked, options.jobs) if options.sanitizer else None
    record = {
        "gpu": gpu, "driver": driver, "toolkit": toolkit,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "include_tree": options.include_tree, "tests_tree": options.tests_tree,
        **total, "sanitizer": sanitizers,
    }
    if parts > 1:
        record["part"] = options.part
    if not options.sanitizer:
        print("compute-sanitizer was not found, so its four tools were not run")
    sys.exit(write(record, options.record))


if __name__ == "__main__":
    main()
