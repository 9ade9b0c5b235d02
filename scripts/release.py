#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The version and the address of the repository, in all places that state them.

usage: release.py VERSION               makes a release: sets the version everywhere, commits that, and tags the commit
       release.py VERSION --files-only  sets the version, and leaves the commit and the tag to you
       release.py --address URL         sets the address everywhere
       release.py --check               fails if a place, or a tag of this commit, states another version than
                                        include/gpuprim/version.hpp, or another address than CMakeLists.txt

The section "Unreleased" of CHANGELOG.md becomes that of the version, of today."""
import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER, CHANGES = "include/gpuprim/version.hpp", "CHANGELOG.md"
PROJECT, HOMEPAGE = "CMakeLists.txt", re.compile(r'(HOMEPAGE_URL ")([^"]*)')
UNRELEASED = "## Unreleased\n"
RELEASED = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", re.M)
# Files, what stands before the version in them, and its form: all of it, the first two numbers, with underscores, or
# the day of the release; or the address, which ends in /gpuprim.
PLACES = [
    ("CITATION.cff", "\nversion: ", "full"),
    ("CITATION.cff", "\ndate-released: ", "date"),
    ("README.md", "badge/version-", "full"),
    ("README.md", "", "address"),
    ("CITATION.cff", "", "address"),
    ("docs/install.md", "", "address"),
    ("python/pyproject.toml", "", "address"),
    ("tests/package/page_fetch/CMakeLists.txt", "", "address"),
    ("tests/package/page_cpm/CMakeLists.txt", "", "address"),
    ("README.md", r"find_package\(gpuprim ", "minor"),
    ("docs/install.md", r"find_package\(gpuprim ", "minor"),
    ("CONTRIBUTING.md", "gpuprim::inline v", "name"),
    ("docs/limits.md", "gpuprim::v", "name"),
    ("examples/consumer/CMakeLists.txt", r"find_package\(gpuprim ", "minor"),
    ("packaging/conda/recipe.yaml", '\n  version: "', "full"),
    ("packaging/vcpkg/gpuprim/vcpkg.json", '\n  "version": "', "full"),
    ("include/gpuprim/**/*.*", "namespace gpuprim::inline v", "name"),
]
FORMS = {"full": r"\d+\.\d+\.\d+", "minor": r"\d+\.\d+", "name": r"\d+_\d+_\d+", "date": r"\d{4}-\d\d-\d\d",
         "address": r"https://[\w.-]+(?:/[\w.-]+)*/gpuprim\b"}


def forms(version, date, address):
    return {"full": version, "minor": version.rpartition(".")[0], "name": version.replace(".", "_"), "date": date,
            "address": address}


def places(root):
    """For each place, its name, its files, a pattern of what stands there, and the form."""
    for files, before, form in PLACES:
        found = sorted(path for path in root.glob(files) if path.is_file())
        yield files, found, re.compile(f"({before})({FORMS[form]})"), form


def version_of(root):
    numbers = re.findall(r"#define GPUPRIM_VERSION_\w+ (\d+)", (root / HEADER).read_text())
    return ".".join(numbers)


def address_of(root):
    return HOMEPAGE.search((root / PROJECT).read_text())[2]


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True).stdout


def check(root):
    """The faults: what disagrees with the version of the header, or the address of the project."""
    version = version_of(root)
    release = RELEASED.search((root / CHANGES).read_text())
    if not release or release[1] != version:
        yield f"{CHANGES}: the last release is {release[1] if release else 'missing'}, not {version}"
    wanted = forms(version, release[2] if release else "", address_of(root))
    for name, files, pattern, form in places(root):
        stated = 0
        for path in files:
            for match in pattern.finditer(path.read_text()):
                stated += 1
                if match[2] != wanted[form]:
                    yield f"{path.relative_to(root)}: {match[2]}, not {wanted[form]}"
        if not stated:
            yield f"{name}: nothing like {pattern.pattern!r}"
    if (root / ".git").exists():
        for tag in git(root, "tag", "--points-at", "HEAD", "v[0-9]*").split():
            if tag != f"v{version}":
                yield f"the tag {tag} is on a commit of version {version}"


def set_version(root, version, date):
    text = (root / HEADER).read_text()
    for part, number in zip(("MAJOR", "MINOR", "PATCH"), version.split(".")):
        text = re.sub(rf"(#define GPUPRIM_VERSION_{part} )\d+", rf"\g<1>{number}", text)
    (root / HEADER).write_text(text)
    changes = (root / CHANGES).read_text()
    (root / CHANGES).write_text(changes.replace(UNRELEASED, f"## {version} ({date})\n", 1))
    write_places(root, forms(version, date, address_of(root)), FORMS)


def set_address(root, address):
    if not re.fullmatch(FORMS["address"], address):
        raise SystemExit(f"{address} is no address like https://host/owner/gpuprim")
    path = root / PROJECT
    path.write_text(HOMEPAGE.sub(rf"\g<1>{address}", path.read_text()))
    write_places(root, {"address": address}, ["address"])


def write_places(root, wanted, which):
    for _, files, pattern, form in places(root):
        for path in files if form in which else []:
            path.write_text(pattern.sub(rf"\g<1>{wanted[form]}", path.read_text()))


def refusal(root, version, files_only):
    """Why there can be no release of this version now, or nothing."""
    if not re.fullmatch(FORMS["full"], version):
        return f"{version} is no version like 1.2.3"
    if [int(n) for n in version.split(".")] <= [int(n) for n in version_of(root).split(".")]:
        return f"{version} is not newer than {version_of(root)}"
    if not re.search(re.escape(UNRELEASED) + r"\n*(?!## )\S", (root / CHANGES).read_text()):
        return f"{CHANGES} has nothing under {UNRELEASED.strip()!r}"
    if files_only:
        return ""
    if git(root, "status", "--porcelain"):
        return "the work tree has changes that are not committed"
    return f"there is a tag v{version}" if git(root, "tag", "--list", f"v{version}") else ""


def main(root, arguments):
    options = [a for a in arguments if a.startswith("-")]
    names = [a for a in arguments if not a.startswith("-")]
    if options == ["--check"] and not names:
        faults = list(check(root))
        if faults:
            raise SystemExit("\n".join(faults))
        print(f"all places state version {version_of(root)} and {address_of(root)}")
        return
    if options == ["--address"] and len(names) == 1:
        set_address(root, names[0])
        return
    if len(names) != 1 or options not in ([], ["--files-only"]):
        raise SystemExit(__doc__)
    version, files_only = names[0], bool(options)
    reason = refusal(root, version, files_only) or "\n".join(check(root))
    if reason:
        raise SystemExit(f"no release: {reason}")
    set_version(root, version, datetime.date.today().isoformat())
    faults = list(check(root))
    if faults:
        raise SystemExit("\n".join(faults))
    if not files_only:
        git(root, "commit", "--all", "--message", f"Version {version}")
        git(root, "tag", "--annotate", f"v{version}", "--message", f"gpuprim {version}")


if __name__ == "__main__":
    main(ROOT, sys.argv[1:])
