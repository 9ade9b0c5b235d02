# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants one fault of each kind in a small tree; scripts/check_guide.py must name each, and accept the clean tree.

usage: guide_self_test.py <repository> <scratch folder>
"""
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]) / "scripts"))
import check_guide  # noqa: E402  (after its folder is known)

WORK = Path(sys.argv[2])
ROWS = {"sum": "| sum | [a](../../examples/00_sum.cu) | `example_00_sum` |",
        "offsets": "| offsets | [b](../../examples/library/offsets.cu) | `example_library_offsets` |",
        "rung": "| rung | [r01](../../examples/ladder/r01.cuh) | `ladder` |"}


def faults_with(rows):
    shutil.rmtree(WORK, ignore_errors=True)
    head = "| technique | files | tests |\n| --- | --- | --- |\n"
    for name, text in {"examples/00_sum.cu": "", "examples/library/offsets.cu": "", "examples/ladder/r01.cuh": "",
                       "examples/ladder/CMakeLists.txt": "add_test(NAME ladder COMMAND ladder)\n",
                       check_guide.INDEX: head + "\n".join(rows)}.items():
        (WORK / name).parent.mkdir(parents=True, exist_ok=True)
        (WORK / name).write_text(text)
    faults = check_guide.check(WORK.resolve())
    shutil.rmtree(WORK)
    return faults


def expect(want, *rows):
    got = faults_with(rows)
    if got != want:
        raise SystemExit(f"expected {want}, got {got}")


expect([], *ROWS.values())
expect(["it has no rows", "examples/00_sum.cu is in no row", "examples/library/offsets.cu is in no row",
        "examples/ladder/r01.cuh is in no row"])
expect(["examples/00_sum.cu is in no row"], ROWS["offsets"], ROWS["rung"])
expect(["examples/library/offsets.cu is in no row"], ROWS["sum"], ROWS["rung"])
expect(["examples/ladder/r01.cuh is in no row"], ROWS["sum"], ROWS["offsets"])
expect(["gone: no such file: ../x.cu"], *ROWS.values(), "| gone | [x](../x.cu) | `ladder` |")
expect(["bare: no file"], *ROWS.values(), "| bare | | `ladder` |")
expect(["untested: no test"], *ROWS.values(), "| untested | [r01](../../examples/ladder/r01.cuh) | |")
expect(["odd: no such test: other"], *ROWS.values(), "| odd | [r01](../../examples/ladder/r01.cuh) | `other` |")
