# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants one fault of each kind in a small course; course.py must name it and no other, and accept the clean one.

Each course is in a new folder of its own, which is removed in the end: nothing that was there before is touched.
"""
import tempfile
from pathlib import Path

import course

ROWS = ["# topic | what | link", "", "first steps | hello | ../../examples/course/01_01_hello.cu",
        "memory | banks | memory.md#banks-of-memory"]
INDEX = ["[hello](../../examples/course/01_01_hello.cu)", "[banks](memory.md#banks-of-memory)",
         "[sum](../../examples/library/sum.cu)"]
README = "| program | idea |\n| --- | --- |\n| `01_01_hello.cu` | hello; beside it `other.cu` |\n"
CLEAN = {"docs/guide/rows.txt": "\n".join(ROWS), "docs/guide/index.md": "\n".join(INDEX),
         "docs/guide/memory.md": "# Memory\n\n## Banks of memory\n", "examples/course/01_01_hello.cu": "",
         "docs/guide/first.md": "[hello](../../examples/course/01_01_hello.cu)",
         "docs/guide/order.md": "| 1 | [First](first.md) | C | [1.1](../../examples/course/01_01_hello.cu) | hello |\n",
         "examples/course/README.md": README, "examples/library/sum.cu": "",
         "examples/library/README.md": README.replace("01_01_hello", "sum")}


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
expect(f"{FOLDER}/README.md: 01_01_hello.cu is there 0 times", {f"{FOLDER}/README.md": "`01_01_hello.cu`\n"})
expect(f"{FOLDER}/README.md: 01_01_hello.cu is there 2 times",
       {f"{FOLDER}/README.md": README + "| `01_01_hello.cu` | |\n"})
expect(f"{FOLDER}/README.md: no such program: 01_02_gone.cu",
       {f"{FOLDER}/README.md": README + "| `01_02_gone.cu` | |\n"})
expect("examples/library: 2 programs have the number 01",
       {"examples/library/01_sum.cu": "", "examples/library/01_max.cu": "",
        "examples/library/README.md": "| `01_sum.cu` | |\n| `01_max.cu` | |\n| `sum.cu` | |\n",
        INDEX_FILE: "\n".join([*INDEX, "[sum](../../examples/library/01_sum.cu)",
                               "[max](../../examples/library/01_max.cu)"])})


def course_of(*names, backwards=""):
    """A course of 01_01_hello and these programs. The page `backwards` has them in the wrong order."""
    def page(path, form):
        parts = [form.format(name) for name in ["01_01_hello", *names]]
        return "\n".join(reversed(parts) if path == backwards else parts)
    link, readme = "[one](../../examples/course/{}.cu)", f"{FOLDER}/README.md"
    files = {f"{FOLDER}/{name}.cu": "" for name in names}
    files |= {readme: page(readme, "| `{}.cu` | |"), FIRST: page(FIRST, link),
              INDEX_FILE: page(INDEX_FILE, link) + "\n" + "\n".join(INDEX[1:])}
    cell = page(ORDER_FILE, link).replace("\n", " ")
    return files | {ORDER_FILE: f"| 1 | [First](first.md) | C++ | {cell} | hello |\n"}


FIRST, ORDER_FILE = "docs/guide/first.md", "docs/guide/order.md"
expect("", course_of("01_02_world"))
expect(f"{FOLDER}: 01_03_world.cu should begin with 01_02_", course_of("01_03_world"))
expect(f"{FOLDER}: world.cu begins with no chapter of {ORDER_FILE}", course_of("world"))
expect(f"{FOLDER}: 02_01_world.cu begins with no chapter of {ORDER_FILE}", course_of("02_01_world"))
wrong = "01_02_world.cu in the place of 01_01_hello.cu"
for path, where in [(INDEX_FILE, INDEX_FILE), (f"{FOLDER}/README.md", f"{FOLDER}/README.md"), (FIRST, FIRST),
                    (ORDER_FILE, f"{ORDER_FILE}: chapter 1")]:
    expect(f"{where}: {wrong}", course_of("01_02_world", backwards=path))
expect(f"{FIRST}: nothing in the place of 01_02_world.cu",
       {**course_of("01_02_world"), FIRST: f"[one](../../{FOLDER}/01_01_hello.cu)"})
expect(f"{ORDER_FILE}: chapter 1: nothing in the place of 01_01_hello.cu",
       {ORDER_FILE: f"| 1 | [First](first.md) | C++ | again [1.1](../../{FOLDER}/01_01_hello.cu) | hello |\n"})
print("each fault is found")
