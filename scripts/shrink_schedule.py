#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shortens a schedule of the host SIMT device under which a program fails to the few switches that matter, and tells them.

  scripts/shrink_schedule.py [--seed N | --seeds N] [--resident N] [--limit SECONDS] [--keep FILE] -- PROGRAM [ARGUMENT]...

Runs the program under random schedules until one fails, or under the one of --seed, and writes down who ran next at each
point. Then it takes decisions out of this list for as long as the program still ends with the same status (Zeller and
Hildebrandt, "Simplifying and isolating failure-inducing input", 2002); where nothing is decided, the thread goes on that
has waited longest. The last run tells what is left. Ends with 0 if there is a short schedule, with 1 if no schedule failed
or the failure does not come back, and with 2 for wrong arguments.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path


class Program:
    def __init__(self, command, folder, resident, limit):
        self.command, self.folder, self.resident, self.limit = command, folder, resident, limit
        self.runs = 0

    def run(self, **names):
        """The status of a run, and what it wrote to standard error; a run beyond the limit has the status "too long"."""
        self.runs += 1
        environment = {key: value for key, value in os.environ.items() if not key.startswith("SIMT_")}
        environment.update(SIMT_RESIDENT=str(self.resident), **names)
        try:
            done = subprocess.run(self.command, env=environment, timeout=self.limit, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return "too long", ""
        return done.returncode, done.stderr

    def follow(self, decisions, seed, **names):
        path = self.folder / "decisions"
        path.write_text("".join(decisions))
        return self.run(SIMT_SCHEDULE="chosen", SIMT_SEED=str(seed), SIMT_DECISIONS=str(path), **names)


def find_failure(program, seeds):
    """The first seed that fails, its status, and its decisions."""
    record = program.folder / "record"
    for seed in seeds:
        record.unlink(missing_ok=True)
        status, _ = program.run(SIMT_SCHEDULE="random", SIMT_SEED=str(seed), SIMT_RECORD=str(record))
        if status != 0:
            return seed, status, record.read_text().splitlines(keepends=True) if record.exists() else []
    return None


def shorten(decisions, fails):
    """The part of the list that is left when no part of it, and no single decision, can be left out."""
    if fails([]):
        return []
    parts = 2
    while len(decisions) > 1:
        size = -(-len(decisions) // parts)
        chunks = [decisions[at:at + size] for at in range(0, len(decisions), size)]
        for number, chunk in enumerate(chunks):
            rest = [line for other, lines in enumerate(chunks) if other != number for line in lines]
            if parts > 2 and fails(rest):
                decisions, parts = rest, parts - 1
                break
            if fails(chunk):
                decisions, parts = chunk, 2
                break
        else:
            if size == 1:
                break
            parts = min(2 * parts, len(decisions))
    return decisions


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    at = sys.argv.index("--")
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--seed", type=int)
    options.add_argument("--seeds", type=int, default=100)
    options.add_argument("--resident", type=int, default=4)
    options.add_argument("--limit", type=float, default=60)
    options.add_argument("--keep", type=Path)
    chosen = options.parse_args(sys.argv[1:at])
    command = sys.argv[at + 1:]
    if not command:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(command, Path(folder), chosen.resident, chosen.limit)
        found = find_failure(program, [chosen.seed] if chosen.seed is not None else range(1, chosen.seeds + 1))
        if not found:
            print("no schedule failed")
            return 1
        seed, status, decisions = found
        print(f"seed {seed} ends with {status}, after {len(decisions)} decisions", flush=True)

        def fails(some):
            return program.follow(some, seed)[0] == status

        if not fails(decisions):
            print("followed decision by decision the program does not fail again")
            return 1
        short = shorten(decisions, fails)
        _, story = program.follow(short, seed, SIMT_STORY="1")
        left = "1 decision is left" if len(short) == 1 else f"{len(short)} decisions are left"
        print(f"{left} after {program.runs} runs. In all else the thread goes on that has waited longest:")
        print("".join(line + "\n" for line in story.splitlines() if line.startswith("simt:")), end="")
        if chosen.keep:
            chosen.keep.write_text("".join(short))
            print(f"run again: SIMT_SCHEDULE=chosen SIMT_SEED={seed} SIMT_RESIDENT={chosen.resident} "
                  f"SIMT_DECISIONS={chosen.keep} SIMT_STORY=1 {' '.join(command)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
