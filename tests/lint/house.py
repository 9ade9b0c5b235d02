#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""house.py <include/>: counts what the library must not outgrow, prints the table, and fails where a bound is broken.
house.py --self-test <scratch folder>: plants one violation of each bound in a small clean tree."""
import re
import shutil
import sys
from pathlib import Path

from sources import code_of, headers, plant

# column_reduce has its kernel beside the segmented ones, and is none of them.
KERNELS_OF_OTHERS = {"column_kernel"}


def split_at_commas(text):
    """The parts of a list, between commas that no bracket encloses."""
    parts, depth, begin = [], 0, 0
    for at, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return parts + [text[begin:]]


def template_lists(code):
    """The parameter lists of all templates, by the bracket that closes each."""
    for match in re.finditer(r"\btemplate\s*<", code):
        depth, round_depth, at = 1, 0, match.end()
        while depth and at < len(code):
            c = code[at]
            round_depth += (c == "(") - (c == ")")
            if round_depth == 0:
                depth += (c == "<") - (c == ">" and code[at - 1] != "-")
            at += 1
        yield code[match.end():at - 1]


def bool_parameters(code):
    return [p.strip() for parameters in template_lists(code) for p in split_at_commas(parameters)
            if re.match(r"\s*bool\b(?!\s*\()", p)]


def kernels(code):
    names = []
    for match in re.finditer(r"\b__global__\b", code):
        depth, opened = 0, match.end()
        for at in range(match.end(), len(code)):
            if code[at] == "(" and depth == 0:
                name = re.search(r"(\w+)\s*$", code[opened:at])
                if name and not name[1].startswith("__"):  # __launch_bounds__(...) has brackets of its own
                    names.append(name[1])
                    break
            depth += (code[at] == "(") - (code[at] == ")")
            if code[at] == ")" and depth == 0:
                opened = at + 1
    return names


def constants(code):
    """Values at the scope of a namespace or a class: the declarators of `static constexpr` and `inline constexpr`."""
    found = []
    for match in re.finditer(r"\b(?:static\s+constexpr|inline\s+constexpr|constexpr\s+static|constexpr\s+inline)\b", code):
        rest = code[match.end():]
        head = re.match(r"[^;={(]*", rest)[0]
        if rest[len(head):len(head) + 1] == "(":
            continue  # a function
        statement, depth = "", 0
        for c in rest:
            depth += (c in "([{") - (c in ")]}")
            if c == ";" and depth == 0:
                break
            statement += c
        # What a value is compared with and shifted by is no bracket.
        values = re.sub(r"<<|>>|<=|>=|->|\s[<>]\s", "  ", statement)
        found += [re.search(r"(\w+)\s*(?:[={[]|$)", part)[1] for part in split_at_commas(values)
                  if re.search(r"(\w+)\s*(?:[={[]|$)", part)]
    return found


def reduce_shapes(code):
    """Values of type reduce_policy: `reduce_policy name{...}`, further names of a declaration, and `reduce_policy{...}`."""
    count = 0
    for match in re.finditer(r"\breduce_policy\b(?=\s*\w*\s*=?\s*\{)", code):
        if re.search(r"\bstruct\s*$", code[:match.start()]):
            continue
        statement, depth = "", 0
        for c in code[match.end():]:
            depth += (c in "([{") - (c in ")]}")
            if depth < 0 or (c == ";" and depth == 0):
                break
            statement += c
        count += sum("{" in part for part in split_at_commas(statement))
    return count


def include_depths(root):
    """The longest chain of the library's includes below each header, which counts itself."""
    includes, depths = {}, {}
    for path in headers(root):
        name = path.relative_to(root).as_posix()
        includes[name] = re.findall(r"(?m)^\s*#\s*include\s*<(gpuprim/[^>]+)>", path.read_text())

    def depth(name, above):
        if name in above:
            sys.exit(f"{name} includes itself")
        if name not in depths:
            depths[name] = 1 + max((depth(n, above | {name}) for n in includes[name] if n in includes), default=0)
        return depths[name]

    return {name: depth(name, frozenset()) for name in includes}


def members_before_less(code):
    """Members that stand before a `<`: nvcc reads `a.name < b` in a template as the begin of a template's arguments
    where a function `name` is known, and a user may have one of any name. `b > a.name` has one reading."""
    return re.findall(r"(?:\.|->)\w+ < .*", code)


def is_public(name):
    return re.fullmatch(r"gpuprim/(device/)?[^/]+", name) is not None


def count_all(root):
    """Rows of a bound's name, the count, the most that is allowed, and what was counted."""
    root, library = Path(root), Path(root) / "gpuprim"
    files = headers(library)
    code = {path: code_of(path.read_text()) for path in files}
    lines = {path: path.read_text().count("\n") for path in files}
    segmented = sorted((library / "device/segmented").glob("*.cuh"))
    segmented_policy, reduce_policy = (library / f"policy/{f}_policy.hpp" for f in ("segmented", "reduce"))
    detail = [p for p in (library / "device/detail").rglob("*") if p.is_file()]
    its_kernels = [k for p in segmented for k in kernels(code[p]) if k not in KERNELS_OF_OTHERS]
    its_constants = constants(code[segmented_policy]) if segmented_policy in code else []
    deep = {n: d for n, d in include_depths(root).items() if is_public(n)}
    most = max(deep.values(), default=0)
    long = [p.name for p in files if lines[p] > 300]
    flags = [f"{p.relative_to(library)}: {b}" for p in files for b in bool_parameters(code[p])]
    compared = [f"{p.relative_to(library)}: {m}" for p in files for m in members_before_less(code[p])]
    return [
        ("files in device/detail", len(detail), 0, [p.name for p in detail]),
        ("lines of segmented and its policy", sum(lines[p] for p in segmented + [segmented_policy] if p in lines), 1900,
         []),
        ("kernels of segmented", len(its_kernels), 5, its_kernels),
        ("tuned constants of segmented", len(its_constants), 25, its_constants),
        ("shapes of reduce", reduce_shapes(code[reduce_policy]) if reduce_policy in code else 0, 6, []),
        ("headers of more than 300 lines", len(long), 0, long),
        ("include depth of a public header", most, 13, [f"{n}: {d}" for n, d in sorted(deep.items()) if d > 13]),
        ("bool template parameters", len(flags), 0, flags),
        ("members before a <", len(compared), 0, compared),
    ]


def report(root):
    broken = 0
    for name, count, most, what in count_all(root):
        bad = count > most
        broken += bad
        print(f"{name:36} {count:5} of {most:5}{'  BROKEN' if bad else ''}")
        for item in what if bad else ():
            print(f"    {item}")
    return broken


def self_test(work):
    work = Path(work)
    constant_list = "".join(f"inline constexpr int limit_{i} = {i};\n" for i in range(24))
    shapes = "".join(f"inline constexpr reduce_policy shape_{i}{{.threads = {i}}};\n" for i in range(6))
    kernel_list = "".join(f"template <class T>\n__global__ void __launch_bounds__(int(sizeof(T))) k{i}(T* t) {{}}\n" for i in range(5))
    clean = {
        "policy/segmented_policy.hpp": constant_list + "struct s { static constexpr int f(int a) { return a; } };\n"
                                       "inline constexpr long shifted = 1 << 3;\n",
        "policy/reduce_policy.hpp": "struct reduce_policy {\n  int threads;\n};\n" + shapes,
        "device/segmented/a.cuh": kernel_list + "template <class T>\n__global__ void column_kernel(T* t) {}\n",
        "core/c.hpp": "// template <bool Word>\ntemplate <class T, int N = (1 > 2)>\nint f(bool b);\n" + "//\n" * 297,
        "reduce.cuh": "#include <gpuprim/d1.hpp>\n",
        **{f"d{i}.hpp": f"#include <gpuprim/d{i + 1}.hpp>\n" for i in range(1, 12)}, "d12.hpp": "\n",
    }
    planted = {
        "files in device/detail": ("device/detail/x.txt", "\n"),
        "lines of segmented and its policy": [(f"device/segmented/l{i}.cuh", "\n" * 300) for i in range(7)],
        "kernels of segmented": ("device/segmented/b.cuh", "template <class T>\n__global__ void\nsixth(T* t) {}\n"),
        "tuned constants of segmented": ("policy/segmented_policy.hpp", constant_list + "struct s {\n  static constexpr "
                                         "int a = 3, b{4};\n};\n"),
        "shapes of reduce": ("policy/reduce_policy.hpp", shapes + "reduce_policy choose() { return reduce_policy{1}; }\n"),
        "headers of more than 300 lines": ("core/long.hpp", "\n" * 301),
        "include depth of a public header": ("top.cuh", "#include <gpuprim/reduce.cuh>\n"),
        "bool template parameters": ("core/flag.hpp", "template <class T,\n          bool Flag = false>\nint g();\n"),
        "members before a <": ("core/less.hpp", "// a.b < 1\nbool f(s a) { return a.b < 1 || 1 > a.b; }\n"),
    }
    failures = 0
    for expected, files in [(None, []), *planted.items()]:
        plant(work / "gpuprim", [*clean.items(), *(files if isinstance(files, list) else [files])])
        found = [name for name, count, most, _ in count_all(work) if count > most]
        if found != ([expected] if expected else []):
            failures += 1
            print(f"planted: {expected}; found: {found}")
    shutil.rmtree(work, ignore_errors=True)
    return failures


if __name__ == "__main__":
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test(sys.argv[2]) else 0)
    sys.exit(1 if report(sys.argv[1]) else 0)
