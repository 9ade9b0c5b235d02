#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of the Python package on this machine's GPU, and writes python/gpu_record.json.

usage: python_gpu_test.py [--record FILE] [FOLDER]

The package is what `import gpuprim` finds, or lies in FOLDER, and has the module for CUDA. The tests run twice: on
tensors of PyTorch, and on arrays of CuPy. The record names the sources that it is for, and counts what passed. The
hashes of the sources come from scripts/tree_hashes.sh, or from the environment where there is no git checkout:
GPUPRIM_INCLUDE_TREE and GPUPRIM_PYTHON_TREE.
"""
import argparse
import concurrent.futures
import datetime
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARIES = {"torch": "torch", "cupy": "cupy-cuda13x"}


def find_trees():
    names = {"include_tree": "GPUPRIM_INCLUDE_TREE", "python_tree": "GPUPRIM_PYTHON_TREE"}
    if not all(name in os.environ for name in names.values()):
        lines = subprocess.run([ROOT / "scripts/tree_hashes.sh"], check=True, capture_output=True, text=True).stdout
        os.environ.update(line.split("=") for line in lines.split())
    return {key: os.environ[name] for key, name in names.items()}


def run_tests(arrays, folder):
    """How many tests passed, failed and were skipped, on arrays of one library."""
    path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.xml")
        status = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}",
                                 str(ROOT / "python/tests")], cwd=scratch, check=False,
                                env={**os.environ, "PYTHONPATH": path, "GPUPRIM_TEST_ARRAYS": arrays}).returncode
        suite = xml.etree.ElementTree.parse(report).getroot().find("testsuite")
    counts = {key: int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")}
    failed = counts["failures"] + counts["errors"]
    if status != 0 and failed == 0:
        failed = 1
    return {"version": importlib.metadata.version(LIBRARIES[arrays]),
            "passed": counts["tests"] - failed - counts["skipped"], "failed": failed, "skipped": counts["skipped"]}


def run_all(folder):
    """At the same time: most of the time operators are compiled."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = pool.map(lambda arrays: run_tests(arrays, folder), LIBRARIES)
        return dict(zip(LIBRARIES, results))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", default=ROOT / "python/gpu_record.json")
    parser.add_argument("folder", nargs="?")
    arguments = parser.parse_args()
    gpu, driver = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], check=True,
                                 capture_output=True, text=True).stdout.splitlines()[0].split(", ")
    record = {"gpu": gpu, "driver": driver, "python": ".".join(map(str, sys.version_info[:3])),
              "date": datetime.date.today().isoformat(), **find_trees(),
              "arrays": run_all(arguments.folder)}
    for count in ("passed", "failed", "skipped"):
        record[count] = sum(arrays[count] for arrays in record["arrays"].values())
    with open(arguments.record, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=2)
        file.write("\n")
    print(f"{record['passed']} passed, {record['failed']} failed, {record['skipped']} skipped; wrote {arguments.record}")
    return 1 if record["failed"] or not record["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
