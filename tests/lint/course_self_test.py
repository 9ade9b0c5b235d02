# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants one fault of each kind in a small course; course.py must name it and no other, and accept the clean one.

Each course is in a new folder of its own, which is removed in the end: nothing that was there before is touched.
"""
import tempfile
from pathlib import Path

import course

ROWS = ["# topic | what | link", "", "first steps | hello | ../../examples/course/01_hello.cu",
        "memory | banks | memory.md#banks-of-memory"]
INDEX = ["[01](../../examples/course/01_hello.cu)", "[banks](memory.md#banks-of-memory)",
         "[sum](../../examples/library/sum.cu)"]
README = "| program | idea |\n| --- | --- |\n| `01_hello.cu` | hello; beside it `other.cu` |\n"
CLEAN = {"docs/guide/rows.txt": "\n".join(ROWS), "docs/guide/index.md": "\n".join(INDEX),
         "docs/guide/memory.md": "# Memory\n\n## Banks of memory\n", "examples/course/01_hello.cu": "",
         "examples/course/README.md": README, "examples/library/sum.cu": "",
         "examples/library/README.md": README.replace("01_hello", "sum")}


def expect(fault, files):
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in {**CLEAN, **files}.items():
            path = Path(scratch) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text)
        found = course.check(Path(scratch).resolve())
    if len(found) != (fault != "") or not "".join(found).endswith(fault):
        raise SystemExit(f"expected one fault, {fault!r}; found:\n" + "\n".join(found))


def rows(*lines):
    return {"docs/guide/rows.txt": "\n".join([*ROWS, *lines])}


INDEX_FILE, ROW_FILE, FOLDER = "docs/guide/index.md", "docs/guide/rows.txt", "examples/course"
expect("", {})
expect(f"{ROW_FILE}: it has no rows", {ROW_FILE: "# none\n"})
expect(f"{ROW_FILE}:5: it is not `topic | what | link`", rows("memory | banks"))
expect(f"{ROW_FILE}:5: it is not `topic | what | link`", rows("memory |  | memory.md"))
expect(f"{ROW_FILE}:5: memory, banks: it is there twice", rows(ROWS[3]))
expect(f"{ROW_FILE}:5: sectors: no such file: gone.md", rows("memory | sectors | gone.md"))
expect(f"{ROW_FILE}:5: sectors: no such heading: memory.md#gone", rows("memory | sectors | memory.md#gone"))
expect(f"{INDEX_FILE}: sectors: memory.md is not linked", rows("memory | sectors | memory.md"))
expect(f"{INDEX_FILE}: banks: memory.md#banks-of-memory is not linked", {INDEX_FILE: "\n".join([INDEX[0], INDEX[2]])})
expect(f"{INDEX_FILE}: examples/library/sum.cu is not linked", {INDEX_FILE: "\n".join(INDEX[:2])})
expect("examples/library/README.md: sum.cu is there 0 times", {"examples/library/README.md": None})
expect(f"{FOLDER}/README.md: 01_hello.cu is there 0 times", {f"{FOLDER}/README.md": "`01_hello.cu`\n"})
expect(f"{FOLDER}/README.md: 01_hello.cu is there 2 times", {f"{FOLDER}/README.md": README + "| `01_hello.cu` | |\n"})
expect(f"{FOLDER}/README.md: no such program: 02_gone.cu", {f"{FOLDER}/README.md": README + "| `02_gone.cu` | |\n"})
expect(f"{FOLDER}: 2 programs have the number 01",
       {f"{FOLDER}/01_again.cu": "", f"{FOLDER}/README.md": README + "| `01_again.cu` | |\n",
        INDEX_FILE: "\n".join([*INDEX, "[again](../../examples/course/01_again.cu)"])})
print("each fault is found")
