#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""house.py <include/>: counts what the library must not outgrow, prints the tables, and fails where a bound is broken.
house.py --files <include/> <family>...: the headers that are counted with a family.
house.py --self-test <scratch folder>: plants one violation of each bound in a small clean tree.

A family is a folder of include/gpuprim/device/ that is no ground floor. What is counted with it are the headers of its
folder, and each header of a lower folder that this family alone uses, directly or through others. A family's public
headers are its users of headers too, but are not counted. What a top-level header includes, users take: it belongs to
no family."""
import re
import shutil
import sys
from pathlib import Path

from declarations import functions, kernels, split_at_commas, template_list_ends, template_lists, template_parameters
from names import name_of
from sources import code_of, headers, plant

GROUND_FLOORS = {"common", "input", "arguments", "tiles"}

# What a family may have at most.
BOUNDS = {
    "files": 9,
    "lines": 1400,
    "kernels": 4,
    "template parameters": 6,  # of one template
    "function": 60,            # lines of one that is no kernel, from its name to its end
    "kernel": 80,              # lines of one
    "callbacks": 2,            # functions of the host that call one of their arguments
}
# What all families share, the public calls and the component of several GPUs have some of these bounds too.
BOUNDS_OF = {
    "segmented": {"kernels": 5},
    "shared": {"files": None, "lines": None, "kernels": None, "callbacks": None},
    "public": {"files": None, "lines": None, "kernels": 0},
    "distributed": {"files": None, "lines": None, "kernels": None},
}

# What is beyond a bound in the present tree. An exception must be lowered when the tree needs less, so it only shrinks.
EXCEPTIONS = {
    "bucket_sort": {"function": 136},
    "columns": {"kernel": 90},
    "merge": {"files": 11, "lines": 1444, "kernels": 7, "template parameters": 8, "kernel": 86},
    "reduce": {"files": 10, "template parameters": 7},
    "runs": {"template parameters": 10, "kernel": 86},
    "scan": {"files": 12, "lines": 1600, "template parameters": 9, "kernel": 86},
    "segmented": {"files": 12, "lines": 2057, "template parameters": 8, "function": 94},
    "segmented_sort": {"kernels": 5, "function": 84, "kernel": 98},
    "select": {"kernel": 84},
    "sort": {"kernels": 5, "template parameters": 7, "kernel": 97},
    "top_k": {"files": 14, "lines": 2365, "template parameters": 7, "function": 70},
    "transform": {"template parameters": 7},
    "shared": {"template parameters": 8, "function": 192},
    "public": {"template parameters": 8},
}


def bool_parameters(code):
    return [p.strip() for parameters in template_lists(code) for p in split_at_commas(parameters)
            if re.match(r"\s*bool\b(?!\s*\()", p)]


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


def includes_of(root):
    """The library's headers by name, each with those of the library that it includes."""
    found = {}
    for path in headers(root):
        names = re.findall(r"(?m)^\s*#\s*include\s*<(gpuprim/[^>]+)>", path.read_text())
        found[path.relative_to(root).as_posix()] = names
    return {name: [n for n in names if n in found] for name, names in found.items()}


def include_depths(includes):
    """The longest chain of the library's includes below each header, which counts itself."""
    depths = {}

    def depth(name, above):
        if name in above:
            sys.exit(f"{name} includes itself")
        if name not in depths:
            depths[name] = 1 + max((depth(n, above | {name}) for n in includes[name]), default=0)
        return depths[name]

    return {name: depth(name, frozenset()) for name in includes}


def left_out(includes):
    """The calls' headers that the umbrella, or every header of a family, leaves out."""
    def reached(names):
        found = set()
        while names := [n for name in names for n in includes[name] if n not in found]:
            found.update(names)
        return found

    umbrella = "gpuprim/gpuprim.cuh"
    of_umbrella = reached([name for name in includes if name == umbrella])
    of_families = reached([name for name in includes if name.count("/") == 1 and name != umbrella])
    calls = [name for name in includes if re.fullmatch(r"gpuprim/device/[^/]+", name)]
    return [f"{name} is not in {umbrella}" for name in calls if name not in of_umbrella] + [
        f"{name} is in no header of a family, such as gpuprim/reduce.cuh" for name in calls if name not in of_families]


def family_of(name):
    match = re.fullmatch(r"gpuprim/device/([^/]+)/.*", name)
    return match[1] if match and match[1] not in GROUND_FLOORS else None


def headers_of_families(includes):
    """The headers that are counted with each family."""
    includers = {name: [n for n in includes if name in includes[n]] for name in includes}
    found = {}

    def families_of_public(name):
        """The families of which a public header includes something, or those of the public headers that it includes."""
        own = {family_of(n) for n in includes[name]} - {None}
        return own or set().union(*(families_of_public(n) for n in includes[name] if is_public(n)))

    def users(name):
        """The families that a header serves, and other folders that it does."""
        if name not in found:
            found[name] = set()
            for n in includers[name]:
                if family_of(n):
                    found[name].add(family_of(n))
                elif n.startswith("gpuprim/distributed/") or n.count("/") == 1:
                    found[name].add(n)
                else:
                    found[name] |= families_of_public(n) if is_public(n) else users(n)
        return found[name]

    families = {family: [] for family in sorted({family_of(name) for name in includes} - {None})}
    others = {"shared": [], "public": [], "distributed": []}
    for name in includes:
        if family_of(name):
            families[family_of(name)].append(name)
        elif name.startswith("gpuprim/distributed/"):
            others["distributed"].append(name)
        elif is_public(name):
            others["public"].append(name)
        else:
            user = "".join(users(name)) if len(users(name)) == 1 else None
            families.get(user, others["shared"]).append(name)
    return {**families, **{other: names for other, names in others.items() if names}}


def members_before_less(code):
    """Members that stand before a `<`: nvcc reads `a.name < b` in a template as the begin of a template's arguments
    where a function `name` is known, and a user may have one of any name. `b > a.name` has one reading."""
    return re.findall(r"(?:\.|->)\w+ < .*", code)


def is_public(name):
    return re.fullmatch(r"gpuprim/(device/)?[^/]+", name) is not None


def count_family(root, names):
    """The numbers of BOUNDS of the headers of a family."""
    texts = [(root / name).read_text() for name in names]
    code = [code_of(text) for text in texts]
    all_functions = [f for c in code for f in functions(c)]
    return {
        "files": len(names),
        "lines": sum(text.count("\n") for text in texts),
        "kernels": sum(len(kernels(c)) for c in code),
        "template parameters": max((n for c in code for n in template_parameters(c)), default=0),
        "function": max((f.lines for f in all_functions if not f.is_kernel), default=0),
        "kernel": max((f.lines for f in all_functions if f.is_kernel), default=0),
        "callbacks": sum(bool(f.callbacks) for f in all_functions if f.is_of_host),
    }


def beyond(root, names, bound, most):
    """The templates or functions of these headers that are beyond a bound; all kernels and callbacks, which add up."""
    for name in names:
        code = code_of((root / name).read_text())
        all_functions = functions(code)
        found = {
            "template parameters": [(name_of(re.split(r"[;{]", code[end + 1:])[0]), count) for (_, end), count
                                    in zip(template_list_ends(code), template_parameters(code)) if count > most],
            "function": [(f.name, f.lines) for f in all_functions if not f.is_kernel and f.lines > most],
            "kernel": [(f.name, f.lines) for f in all_functions if f.is_kernel and f.lines > most],
            "kernels": [(kernel, 1) for kernel in kernels(code)],
            "callbacks": [(f.name, 1) for f in all_functions if f.callbacks and f.is_of_host],
        }
        yield from (f"{name}: {what}: {count}" for what, count in found.get(bound, []))


def judge(family, bound, count, exceptions):
    """What is wrong with a number, or nothing."""
    most = BOUNDS_OF.get(family, {}).get(bound, BOUNDS[bound])
    if most is None:
        return ""
    exception = exceptions.get(family, {}).get(bound)
    if exception is None:
        return f"the bound is {most}" if count > most else ""
    if exception <= most:
        return f"the exception of {exception} must go: the bound is {most}"
    if count > exception:
        return f"the exception is {exception}, the bound {most}"
    if count <= most:
        return f"the exception of {exception} must go, for the bound is kept"
    return f"the exception of {exception} must be lowered to {count}" if count < exception else ""


def count_all(root):
    """Rows of a bound's name, the count, the most that is allowed, and what was counted: of the whole library."""
    root, library = Path(root), Path(root) / "gpuprim"
    files = headers(library)
    code = {path: code_of(path.read_text()) for path in files}
    segmented_policy, reduce_policy = (library / f"policy/{f}_policy.hpp" for f in ("segmented", "reduce"))
    its_constants = constants(code[segmented_policy]) if segmented_policy in code else []
    includes = includes_of(root)
    deep, missed = {n: d for n, d in include_depths(includes).items() if is_public(n)}, left_out(includes)
    most = max(deep.values(), default=0)
    long = [p.name for p in files if p.read_text().count("\n") > 300]
    flags = [f"{p.relative_to(library)}: {b}" for p in files for b in bool_parameters(code[p])]
    compared = [f"{p.relative_to(library)}: {m}" for p in files for m in members_before_less(code[p])]
    return [
        ("tuned constants of segmented", len(its_constants), 25, its_constants),
        ("shapes of reduce", reduce_shapes(code[reduce_policy]) if reduce_policy in code else 0, 6, []),
        ("headers of more than 300 lines", len(long), 0, long),
        ("include depth of a public header", most, 13, [f"{n}: {d}" for n, d in sorted(deep.items()) if d > 13]),
        ("bool template parameters", len(flags), 0, flags),
        ("members before a <", len(compared), 0, compared),
        ("includes of calls that are left out", len(missed), 0, missed),
    ]


def find_faults(root, exceptions, show=lambda line: None):
    """Shows the tables, in which `!` marks an exception, and returns what is wrong."""
    families = headers_of_families(includes_of(Path(root)))
    rows = {family: count_family(Path(root), names) for family, names in families.items()}
    faults = [f"{family}: there is no such family, but it has exceptions" for family in exceptions if family not in rows]
    show(f"{'':16}" + "".join(f"{bound:>21}" if " " in bound else f"{bound:>11}" for bound in BOUNDS))
    for family, counts in rows.items():
        row = f"{family:16}"
        for bound, count in counts.items():
            cell = f"{count}{'!' if bound in exceptions.get(family, {}) else ' '}"
            row += f"{cell:>21}" if " " in bound else f"{cell:>11}"
            if fault := judge(family, bound, count, exceptions):
                most = exceptions.get(family, {}).get(bound, BOUNDS_OF.get(family, {}).get(bound, BOUNDS[bound]))
                items = beyond(Path(root), families[family], bound, most) if count > most else ()
                faults.append(f"{family}: {bound}: {count}; {fault}" + "".join(f"\n    {item}" for item in items))
        show(row)
    show("")
    for name, count, most, what in count_all(root):
        show(f"{name:36} {count:5} of {most:5}")
        if count > most:
            faults.append(f"{name}: {count}; the bound is {most}" + "".join(f"\n    {item}" for item in what))
    return faults


def print_files(root, families):
    root = Path(root)
    for family, names in headers_of_families(includes_of(root)).items():
        for name in names if family in families else ():
            code = code_of((root / name).read_text())
            longest = max(functions(code), key=lambda f: f.lines, default=None)
            print(f"{(root / name).read_text().count(chr(10)):5}  {name}: kernels {kernels(code)}, template parameters "
                  f"{max(template_parameters(code), default=0)}, longest {longest and (longest.name, longest.lines)}, callbacks "
                  f"{[f.name for f in functions(code) if f.is_of_host and f.callbacks]}")


def self_test(work):
    work = Path(work)

    def lengthy(name, lines, head="inline void"):
        return f"{head} {name}(int n) {{\n" + "  ++n;\n" * (lines - 2) + "}\n"

    def kernel_list(count):
        return "".join(f"template <class T>\n__global__ void __launch_bounds__(int(sizeof(T))) k{i}(T* t) {{}}\n"
                       for i in range(count))

    six = "template <class A, int B, class C = s<1, 2>, int D = (1 < 2), class E, class F>\n"
    with_callback = "template <class Go>\nint with_%d(const Go& go, int n) {\n  return go(n);\n}\n"
    constant_list = "".join(f"inline constexpr int limit_{i} = {i};\n" for i in range(24))
    shapes = "".join(f"inline constexpr reduce_policy shape_{i}{{.threads = {i}}};\n" for i in range(6))
    # The family `scan` is at each of its bounds. Its folder has seven files. Two headers below are its own, one of them
    # by its public header.
    scan = {
        "device/scan/a.cuh": "#include <gpuprim/grid/of_scan.cuh>\n#include <gpuprim/grid/of_two.cuh>\n" + kernel_list(3) + six +
                             lengthy("longest_kernel", 80, "__global__ void"),
        "device/scan/b.cuh": lengthy("longest", 60) + with_callback % 1 + with_callback % 2 +
                             "template <class Op>\n__device__ int apply(const Op& op) {\n  return op(1);\n}\n",
        **{f"device/scan/f{i}.cuh": "//\n" * 200 for i in range(5)},
        "device/scan.cuh": "#include <gpuprim/device/scan/a.cuh>\n#include <gpuprim/policy/scan_policy.hpp>\n",
        "scan.cuh": "#include <gpuprim/device/scan.cuh>\n", "gpuprim.cuh": "#include <gpuprim/scan.cuh>\n",
        "grid/of_scan.cuh": "#include <gpuprim/grid/of_users.cuh>\n", "policy/scan_policy.hpp": "//\n",
    }
    scan["policy/scan_policy.hpp"] = "//\n" * (1400 - sum(text.count("\n") for name, text in scan.items()
                                                         if name not in ("device/scan.cuh", "scan.cuh", "gpuprim.cuh",
                                                                         "policy/scan_policy.hpp")))
    clean = {
        **scan,
        "policy/segmented_policy.hpp": constant_list + "struct s { static constexpr int f(int a) { return a; } };\n"
                                       "inline constexpr long shifted = 1 << 3;\n",
        "policy/reduce_policy.hpp": "struct reduce_policy {\n  int threads;\n};\n" + shapes,
        "device/segmented/a.cuh": "#include <gpuprim/grid/of_two.cuh>\n" + kernel_list(5),
        "grid/of_two.cuh": "//\n" * 200, "grid/of_users.cuh": "//\n" * 200,
        "core/c.hpp": "// template <bool Word>\ntemplate <class T, int N = (1 > 2)>\nint f(bool b);\n" + "//\n" * 297,
        "reduce.cuh": "#include <gpuprim/d1.hpp>\n#include <gpuprim/grid/of_users.cuh>\n",
        **{f"d{i}.hpp": f"#include <gpuprim/d{i + 1}.hpp>\n" for i in range(1, 12)}, "d12.hpp": "\n",
    }
    planted = {
        "scan: files: 10; the bound is 9": ("device/scan/g.cuh", ""),
        "scan: lines: 1401; the bound is 1400": ("policy/scan_policy.hpp", scan["policy/scan_policy.hpp"] + "\n"),
        "scan: kernels: 5; the bound is 4": ("device/scan/f0.cuh", "__global__ void\nfifth() {}\n"),
        "scan: template parameters: 7; the bound is 6":
            ("device/scan/f0.cuh", "template <int A, class B, class C, int D, int E, int F, int G>\nint g();\n"),
        "scan: function: 61; the bound is 60": ("device/scan/b.cuh", lengthy("longer", 61)),
        "scan: kernel: 81; the bound is 80":
            ("device/scan/a.cuh", kernel_list(3) + lengthy("longer", 81, "__global__ void")),
        "scan: callbacks: 3; the bound is 2":
            ("device/scan/f0.cuh", "int with_3(const auto& go) {\n  return go(1);\n}\n"),
        "segmented: kernels: 6; the bound is 5": ("device/segmented/b.cuh", "__global__ void sixth() {}\n"),
        "public: kernels: 1; the bound is 0": ("device/scan.cuh", scan["device/scan.cuh"] + "__global__ void k() {}\n"),
        "shared: function: 61; the bound is 60": ("grid/of_two.cuh", lengthy("longer", 61)),
        "distributed: function: 61; the bound is 60": ("distributed/a.cuh", lengthy("longer", 61)),
        "tuned constants of segmented: 26; the bound is 25":
            ("policy/segmented_policy.hpp", constant_list + "struct s {\n  static constexpr int a = 3, b{4};\n};\n"),
        "shapes of reduce: 7; the bound is 6":
            ("policy/reduce_policy.hpp", shapes + "reduce_policy choose() { return reduce_policy{1}; }\n"),
        "headers of more than 300 lines: 1; the bound is 0": ("core/long.hpp", "\n" * 301),
        "include depth of a public header: 14; the bound is 13": ("top.cuh", "#include <gpuprim/reduce.cuh>\n"),
        "bool template parameters: 1; the bound is 0": ("core/flag.hpp", "template <class T,\n          bool Flag = false>\nint g();\n"),
        "members before a <: 1; the bound is 0": ("core/less.hpp", "// a.b < 1\nbool f(s a) { return a.b < 1 || 1 > a.b; }\n"),
        "includes of calls that are left out: 1; the bound is 0": ("gpuprim.cuh", ""),
        "includes of calls that are left out: 2; the bound is 0": ("scan.cuh", ""),
    }
    more_kernels = ("device/scan/f0.cuh", "__global__ void fifth() {}\n__global__ void sixth() {}\n")
    cases = [((), {}, []), *(([files], {}, [fault]) for fault, files in planted.items()),
             ([more_kernels], {"scan": {"kernels": 6}}, []),
             ([more_kernels], {"scan": {"kernels": 5}}, ["scan: kernels: 6; the exception is 5, the bound 4"]),
             ([more_kernels], {"scan": {"kernels": 7}}, ["scan: kernels: 6; the exception of 7 must be lowered to 6"]),
             ((), {"scan": {"kernels": 5}}, ["scan: kernels: 4; the exception of 5 must go, for the bound is kept"]),
             ((), {"scan": {"lines": 1400}}, ["scan: lines: 1400; the exception of 1400 must go: the bound is 1400"]),
             ((), {"runs": {"lines": 1500}}, ["runs: there is no such family, but it has exceptions"])]
    failures = 0
    for files, exceptions, expected in cases:
        plant(work / "gpuprim", [*clean.items(), *files])
        found = [fault.split("\n")[0] for fault in find_faults(work, exceptions)]
        if found != expected:
            failures += 1
            print(f"planted: {expected}; found: {found}")
    # Below a fault stands what is beyond the bound.
    wide = "template <int A, class B, class C, int D, int E, int F, int G>\n"
    named = {"scan: template parameters: 7": (("device/scan/f0.cuh", wide + "int wide(B b) { return 7; }\n"), "f0.cuh: wide: 7"),
             "scan: function: 61": (("device/scan/f0.cuh", lengthy("longer", 61)), "f0.cuh: longer: 61"),
             "scan: kernel: 81": (("device/scan/f0.cuh", lengthy("longer", 81, "__global__ void")), "f0.cuh: longer: 81"),
             "scan: callbacks: 3": (("device/scan/f0.cuh", with_callback % 3), "f0.cuh: with_3: 1")}
    for head, (file, item) in named.items():
        plant(work / "gpuprim", [*clean.items(), file])
        fault = next((fault for fault in find_faults(work, {}) if fault.startswith(head)), "")
        if not any(line.endswith(item) for line in fault.split("\n")[1:]):
            failures += 1
            print(f"not named: {item}; found: {fault}")
    plant(work / "gpuprim", clean.items())
    if (counts := count_family(work, headers_of_families(includes_of(work))["scan"])) != BOUNDS:
        failures += 1
        print(f"the family at the bounds has {counts}")
    shutil.rmtree(work, ignore_errors=True)
    return failures


def main():
    if sys.argv[1] == "--self-test":
        return 1 if self_test(sys.argv[2]) else 0
    if sys.argv[1] == "--files":
        print_files(sys.argv[2], sys.argv[3:])
        return 0
    faults = find_faults(sys.argv[1], EXCEPTIONS, print)
    for fault in faults:
        print(f"BROKEN {fault}")
    if faults:
        print("what is counted with a family: python3 tests/lint/house.py --files include <family>")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
