# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants one fault of each kind in a small repository; docs.py must name it and no other, and accept the clean one.

The repository is in a new folder of its own, which is removed in the end: nothing that was there before is touched.
"""
import shutil
import tempfile
from pathlib import Path

import docs

SCRATCH = tempfile.TemporaryDirectory()
WORK = Path(SCRATCH.name).resolve() / "repository"
ROWS = ["| technique | files | tests |", "| --- | --- | --- |",
        "| sum | [a](../../examples/00_sum.cu) | `example_00_sum` |",
        "| offsets | [b](../../examples/library/offsets.cu) | `example_library_offsets` |",
        "| rung | [r01](../../examples/ladder/r01.cuh) | `ladder` |"]
HEADER = """\
#define GPUPRIM_SHARED(name) name
namespace {space} {{
// @example examples/00_sum.cu
template <class T = int> struct plus {{ void member(); }};
template <class T> inline constexpr bool is_sum = requires {{ T{{}}; }} && sizeof(T) == 1;
template <class T> is_sum(T) -> is_sum<T>;
template <class T> using alias = T;
template <class T> concept number = requires(T t) {{ {{ t.f() }}; }} && true;
enum class kind {{ one, two }};
inline constexpr plus<> first{{}}, *second = nullptr;
template <class T> [[nodiscard]] T* sum(const T& value = {{}}, int n = 3) noexcept {{ return n > 2 ? 1 : 2; }}
namespace detail {{ int hidden(); }}
}}
"""
NAMES = "`GPUPRIM_SHARED`, `plus<T>`, `is_sum`, `alias`, `number`, `kind`, `first`, `second`, `sum(value, n)`"
CLEAN = {
    "include/gpuprim/sum.cuh": HEADER.format(space="gpuprim::inline v0_2_0"),
    "Makefile": "check:\n\ttrue\n",
    "CMakePresets.json": '{"configurePresets": [{"name": "simt"}]}',
    "scripts/run.sh": "echo $GPUPRIM_JOBS\n",
    "include/gpuprim/says.cuh":
        'namespace gpuprim::detail {\nauto text = "the count is "\n            "negative, not odd";\n}\n',
    "examples/CMakeLists.txt": 'file(GLOB examples CONFIGURE_DEPENDS RELATIVE "here" "[0-9]*.cu" "library/*.cu")\n',
    "examples/00_sum.cu": '#include "measure.hpp"\n  // [call]\n  sum(1);\n  // [call]\n',
    "examples/measure.hpp": "// [timer]\nint timer;\n// [timer]\n",
    "examples/library/offsets.cu": "", "examples/ladder/r01.cuh": "// [add]\na + b\n// [add]\n",
    "examples/ladder/CMakeLists.txt": "add_executable(ladder main.cpp)\nadd_test(NAME ladder COMMAND ladder)\n",
    "examples/ladder/main.cpp": "",
    "tests/CMakeLists.txt": "set(GPUPRIM_TEST_FOLDERS core)\ngpuprim_add_output_test(docs.sum page sum)\n",
    "tests/core/plus.cu": '\nTEST_CASE("plus") {}\n', "tests/core/main.cu": "",
    "tests/package/CMakeLists.txt":
        "foreach(case IN ITEMS find)\n  add_test(NAME package.${case} COMMAND cmake)\nendforeach()\n",
    "tests/package/find/CMakeLists.txt": "# [project]\nproject(mine)\n# [project]\n",
    "tests/package/other/CMakeLists.txt": "# [project]\nproject(other)\n# [project]\n",
    "docs/lab/notes.md": "```cpp\nanything\n```\nand [a page](../page.md)\n",
    "docs/guide/index.md": "\n".join(ROWS),
    "docs/quick_reference.md": NAMES,
    "docs/limits.md": 'It says "the count is\nnegative, not odd".\n',
    "docs/page.md": """\
# A page of `code`, and more

[its heading](#a-page-of-code-and-more), [a file](../examples/00_sum.cu), [the index](guide/index.md)
`make check` runs `core/` of `gpuprim/sum.cuh` by `test_core` with `GPUPRIM_JOBS`; `a[i](x)` is no link.

<!-- examples/00_sum.cu call -->
```cpp
sum(1);
```
<!-- examples/measure.hpp timer -->
```cpp
int timer;
```
<!-- tests/package/find/CMakeLists.txt project -->
```cmake
project(mine)
```
<!-- output of docs.sum -->
```text
1
```
```sh
cmake --preset simt && cmake --build build/simt --target test_core
build/simt/tests/test_core -# '[#plus]'   # one file
```
""",
}


def report(files, write=False, web=False):
    shutil.rmtree(WORK, ignore_errors=True)
    for name, text in {**CLEAN, **files}.items():
        (WORK / name).parent.mkdir(parents=True, exist_ok=True)
        (WORK / name).write_text(text)
    if write:
        docs.write(WORK)
    return docs.check(WORK, web)


def expect(fault, files, **options):
    found = report(files, **options)
    if len(found) != (fault != "") or not "".join(found).endswith(fault):
        raise SystemExit(f"expected one fault, {fault!r}; found:\n" + "\n".join(found))


def page(text):
    return {"docs/page.md": CLEAN["docs/page.md"] + text}


def block(origin, language, code):
    return page(f"{origin}\n```{language}\n{code}\n```\n")


expect("", {})
expect("it has both sides of a merge that was not settled", page("<<<<<<< HEAD\none\n=======\n"))
expect("the block `free` names no region", block("", "cpp", "free"))
expect("the block `free` names no region", block("<!-- output of docs.sum -->", "", "free"))
expect("the block `other` differs from region [call] of examples/00_sum.cu",
       block("<!-- examples/00_sum.cu call -->", "cpp", "other"))
expect("examples/00_sum.cu: region [gone] must be marked by exactly two lines",
       block("<!-- examples/00_sum.cu gone -->", "cpp", "sum(1);"))
expect("no test runs examples/ladder/r01.cuh, which has the block `a + b`",
       block("<!-- examples/ladder/r01.cuh add -->", "cpp", "a + b"))
expect("", {**block("<!-- examples/ladder/r01.cuh add -->", "cpp", "a + b"),
            "examples/ladder/main.cpp": '#include "r01.cuh"\n'})
expect("no test runs tests/package/other/CMakeLists.txt, which has the block `project(other)`",
       block("<!-- tests/package/other/CMakeLists.txt project -->", "cmake", "project(other)"))
expect("no test prints the block `1`", block("<!-- output of docs.product -->", "text", "1"))
expect("no test prints the block `1`", block("", "text", "1"))
expect("a fence does not begin its line, or has no end", page("- item\n  ```sh\n  true\n  ```\n"))
expect("", block("<!-- examples/00_sum.cu call -->", "cpp", "other"), write=True)
for words, fault in {"make all": "no such make target: all", "cmake --preset cuda": "no such preset: cuda",
                     "cmake --build build/simt --target test_warp": "no such target: test_warp",
                     "build/simt/tests/test_warp": "no such target: test_warp",
                     "test_core -# '[#minus]'": "no such file of test_core: minus",
                     "scripts/gone.sh --all": "no such file: scripts/gone.sh",
                     "GPUPRIM_GONE=1 true": "no such variable: GPUPRIM_GONE"}.items():
    # A name of a target of tests is asked for as a test too.
    extra = ["no such test: test_warp"] if "test_warp" in words else []
    for text in (f"`{words}`", f"```sh\n{words}\n```\n"):
        found = report(page(text))
        if [line.removeprefix("docs/page.md: ") for line in found] != [fault, *extra]:
            raise SystemExit(f"expected {fault!r} of {text!r}; found {found}")
expect("no such test: example_01_gone", page("`example_01_gone`"))
expect("no such file: gone.md", page("[gone](gone.md)"))
expect("no such heading: guide/index.md#gone", page("[gone](guide/index.md#gone)"))
expect("no such heading: #gone", page("[gone](#gone)"))
expect("", page("[gone](https://no.such.invalid/)"))
followed = report(page("[gone](https://no.such.invalid/)"), web=True)
if len(followed) != 1 or not followed[0].startswith("docs/page.md: https://no.such.invalid/: "):
    raise SystemExit(f"--web does not follow a web address: {followed}")
index = "docs/guide/index.md"
expect("examples/00_sum.cu is in no row", {index: "\n".join(ROWS[:2] + ROWS[3:])})
expect("examples/library/offsets.cu is in no row", {index: "\n".join(ROWS[:3] + ROWS[4:])})
expect("examples/ladder/r01.cuh is in no row", {index: "\n".join(ROWS[:4])})
expect("bare: no file", {index: "\n".join([*ROWS, "| bare | | `ladder` |"])})
expect("untested: no test", {index: "\n".join([*ROWS, "| untested | [r01](../../examples/ladder/r01.cuh) | |"])})
expect("odd: no such test: other",
       {index: "\n".join([*ROWS, "| odd | [r01](../../examples/ladder/r01.cuh) | `other` |"])})
for name in ["GPUPRIM_SHARED", "plus<", "is_sum", "alias", "number", "kind", "first", "second", "sum("]:
    expect(f"{name.strip('<(')} of include/gpuprim/sum.cuh is not listed",
           {"docs/quick_reference.md": NAMES.replace(f"`{name}", "`x")})
expect("plus of include/gpuprim/sum.cuh is not listed",
       {"include/gpuprim/sum.cuh": HEADER.format(space="gpuprim"),
        "docs/quick_reference.md": NAMES.replace("plus", "x")})
expect("no header has the message: the count is odd", {"docs/limits.md": 'It says "the count is odd".\n'})
expect("include/gpuprim/sum.cuh: no test runs the example examples/gone.cu",
       {"include/gpuprim/sum.cuh": CLEAN["include/gpuprim/sum.cuh"].replace("00_sum", "gone")})
SCRATCH.cleanup()
print("each fault is found")
