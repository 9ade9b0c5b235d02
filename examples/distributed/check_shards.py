#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cuts NumPy files into shards and checks that describe_ranks prints of them what describe prints of the whole file.
usage: check_shards.py DESCRIBE DESCRIBE_RANKS WORK FILE..."""
import os
import pathlib
import re
import struct
import subprocess
import sys


def read(path):
    """The header, the size of an element, and the bytes of a file of format version 1."""
    data = path.read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    length = struct.unpack("<H", data[8:10])[0]
    header = data[10:10 + length].decode()
    return header, int(re.search(r"'descr': '[<>|][a-z](\d+)'", header).group(1)), data[10 + length:]


def write(path, header, count, data):
    header = re.sub(r"'shape': \(\d+,\)", f"'shape': ({count},)", header).rstrip()
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def cut(path, work, sizes):
    """Shards of these sizes; the last one has the rest."""
    header, item, data = read(path)
    shards, at = [], 0
    for i, size in enumerate(sizes + [None]):
        part = data[at:] if size is None else data[at:at + size * item]
        at += len(part)
        shards.append(work / f"{path.stem}_{i}.npy")
        write(shards[-1], header, len(part) // item, part)
    return [str(shard) for shard in shards]


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, **more)


def run_processes(program, ranks, work, arguments):
    """One process a rank, as a launcher starts them. Returns what rank 0 prints."""
    started = []
    for rank in range(ranks):
        environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank))
        started.append(subprocess.Popen([program, "--id-file", str(work / "id"), *arguments], env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    ends = [process.communicate(timeout=300) for process in started]
    for process, (_, errors) in zip(started, ends):
        assert process.returncode == 0, errors
    assert not any(out for out, _ in ends[1:]), "only rank 0 prints"
    return ends[0][0]


def main():
    describe, ranks_program, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    processes = int(os.environ.get("DESCRIBE_PROCESSES", "0"))  # where there are as many GPUs
    rank_counts = [int(n) for n in os.environ.get("DESCRIBE_RANKS", "1 2 3 5").split()]
    work.mkdir(parents=True, exist_ok=True)
    for path in map(pathlib.Path, sys.argv[4:]):
        whole = run(describe, path)
        assert whole.returncode == 0, whole.stderr
        expected = whole.stdout.splitlines()[0] + "\n"
        for sizes in [], [0, 0], [1, 0, 70001, 0, 3]:
            arguments = ["--name", path.stem, *cut(path, work, sizes)]
            for ranks in rank_counts:
                found = run(ranks_program, "--ranks", ranks, *arguments)
                assert found.returncode == 0, found.stderr
                assert found.stdout == expected, f"{ranks} ranks:\n{found.stdout}instead of\n{expected}"
            if processes:
                found = run_processes(ranks_program, processes, work, arguments)
                assert found == expected, f"{processes} processes:\n{found}instead of\n{expected}"
        print(expected, end="")
    check_refusals(ranks_program, work)


def check_refusals(program, work):
    whole = work / "floats.npy"
    write(whole, "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", 4, bytes(16))
    other = work / "integers.npy"
    write(other, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", 2, bytes(16))

    def refuse(status, words, *arguments, **environment):
        found = run(program, *arguments, env=dict(os.environ, **environment))
        assert found.returncode == status and words in found.stderr and not found.stdout, (found, words)

    refuse(2, "none.npy: cannot be opened", "--ranks", 1, work / "none.npy")
    for ranks in "0", "-1", "2x", "":
        refuse(2, "--ranks needs a number from 1 on", "--ranks", ranks, whole)
    refuse(2, "the shards are of several types", "--ranks", 1, whole, other)
    refuse(3, "the shards are of several types", "--ranks", 2, whole, other)
    refuse(3, "RANK is not a number", whole, RANK="one", WORLD_SIZE="2")
    refuse(3, "not below the number of ranks", "--id-file", work / "id", whole, RANK="2", WORLD_SIZE="2")
    refuse(2, "several processes need --id-file", whole, RANK="0", WORLD_SIZE="2")
    refuse(2, "several processes need --id-file", whole, SLURM_PROCID="1", SLURM_STEP_NUM_TASKS="2")
    # Only a launcher that says both the rank and the number of ranks has started the process.
    alone = run(program, "--ranks", 1, whole)
    of_batch_script = {"SLURM_NTASKS": "2", "SLURM_PROCID": "0"}  # which srun has not started
    for half in {"WORLD_SIZE": "2"}, {"RANK": "1"}, of_batch_script, {"WORLD_SIZE": "2", "SLURM_PROCID": "1"}:
        found = run(program, "--ranks", 1, whole, env=dict(os.environ, **half))
        assert found.returncode == 0 and found.stdout == alone.stdout, (half, found)
    stale = work / "stale"
    stale.write_bytes(bytes(128))
    refuse(3, "is there already", "--id-file", stale, whole, RANK="0", WORLD_SIZE="2")
    assert stale.exists()
    refuse(3, "the ranks do not meet", "--id-file", stale, "--patience", 1, whole, RANK="1", WORLD_SIZE="2")
    refuse(3, "rank 0 has not written", "--id-file", work / "none", "--patience", 1, whole, RANK="1", WORLD_SIZE="2")
    refuse(3, "the ranks do not meet", "--id-file", work / "new", "--patience", 1, whole, RANK="0",
           WORLD_SIZE="2")
    assert not (work / "new").exists()
    for seconds in "0", "-1", "1.5", "":
        refuse(2, "--patience needs a number from 1 on", "--patience", seconds, whole)


main()
