#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a pull request runs is the script that runs everywhere: each workflow has the command `.ci/run` and no other.
usage: workflows.py ROOT | --self-test FOLDER"""
import re
import sys
from pathlib import Path

from sources import plant

SCRIPT = ".ci/run"


def check(root):
    workflows = sorted((root / ".github/workflows").glob("*.y*ml"))
    if not workflows:
        yield "there is no workflow in .github/workflows"
    for path in workflows:
        commands = re.findall(r"^\s*(?:- )?run:\s*(.*)$", path.read_text(), re.M)
        if not commands:
            yield f"{path.name} runs no command"
        for command in commands:
            if command != SCRIPT:
                yield f"{path.name} runs '{command}', not {SCRIPT}"


def self_test(root):
    name = ".github/workflows/test.yml"
    for text, fault in [("    - run: .ci/run\n", None), ("    - uses: a\n", "test.yml runs no command"),
                        ("    - run: .ci/run\n    - name: b\n      run: make\n", "test.yml runs 'make', not .ci/run"),
                        ("    - run: |\n        make\n", "test.yml runs '|', not .ci/run")]:
        plant(root, [(name, text)])
        got = list(check(root))
        if got != ([fault] if fault else []):
            raise SystemExit(f"{text!r}: {got}, expected {fault}")
    (root / name).unlink()
    if list(check(root)) != ["there is no workflow in .github/workflows"]:
        raise SystemExit("a missing workflow is not named")


def main():
    if sys.argv[1] == "--self-test":
        self_test(Path(sys.argv[2]))
        return
    faults = list(check(Path(sys.argv[1])))
    if faults:
        raise SystemExit("\n".join(faults))
    print("each workflow runs the script that runs everywhere")


if __name__ == "__main__":
    main()
