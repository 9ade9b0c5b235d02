#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a release in a copy of the files that state the version, and plants one disagreement in each of them, which
release.py must name. usage: release_self_test.py FOLDER, which is made anew"""
import os
import shutil
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
import release  # noqa: E402


def outcome(root, *arguments):
    """What the script says in the end; nothing if it is content."""
    try:
        release.main(root, list(arguments))
    except SystemExit as end:
        return str(end)
    return ""


def expect(what, got, wanted):
    if wanted not in got if wanted else got:
        raise SystemExit(f"{what}: got {got!r}, expected {wanted!r}")


def main(root):
    shutil.rmtree(root, ignore_errors=True)
    for name in {release.HEADER, release.CHANGES, release.PROJECT, *[str(path.relative_to(REPOSITORY))
                                                    for _, files, _, _ in release.places(REPOSITORY) for path in files]}:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, root / name)
    changes = root / release.CHANGES
    text = changes.read_text()
    if release.UNRELEASED not in text:
        text = text.replace("\n## ", f"\n{release.UNRELEASED}\n## ", 1)
    changes.write_text(text.replace(release.UNRELEASED, f"{release.UNRELEASED}\n- One thing.\n", 1))
    os.environ.update({f"GIT_{who}_{what}": "gpuprim@localhost" for who in ("AUTHOR", "COMMITTER")
                       for what in ("NAME", "EMAIL")})
    release.git(root, "init", "--quiet")
    release.git(root, "add", ".")
    release.git(root, "commit", "--quiet", "--message", "Before")

    expect("a clean tree", outcome(root, "--check"), "")
    before = release.version_of(root)
    expect("no version", outcome(root, "1.2"), "no version like")
    expect("the same version", outcome(root, before), "not newer")
    (root / "README.md").write_text((root / "README.md").read_text() + "\n")
    expect("a changed file", outcome(root, "99.0.1"), "not committed")
    release.git(root, "checkout", "--quiet", "README.md")
    release.git(root, "tag", "v99.0.1")
    expect("a tag of another version", outcome(root, "--check"), "the tag v99.0.1 is on a commit of version")
    release.git(root, "commit", "--quiet", "--allow-empty", "--message", "One more")
    expect("a tag that is there", outcome(root, "99.0.1"), "there is a tag")
    expect("a release", outcome(root, "99.0.2"), "")
    expect("its check", outcome(root, "--check"), "")
    expect("its tag", release.git(root, "tag", "--points-at", "HEAD"), "v99.0.2")
    expect("nothing is left to commit", release.git(root, "status", "--porcelain"), "")
    expect("no changes since", outcome(root, "99.0.3"), "has nothing under")

    for name, files, pattern, form in release.places(root):
        path = files[-1]
        text = path.read_text()
        other = release.forms("98.1.0", "1999-01-01", "https://other.example/gpuprim")[form]
        path.write_text(pattern.sub(rf"\g<1>{other}", text, count=1))
        expect(f"a disagreement in {name}", outcome(root, "--check"), f"{path.relative_to(root)}: {other}, not ")
        path.write_text(pattern.sub("", text))
        if len(files) == 1:
            expect(f"no version in {name}", outcome(root, "--check"), f"{name}: nothing like")
        path.write_text(text)
    expect("no address", outcome(root, "--address", "gpuprim"), "no address like")
    expect("an address", outcome(root, "--address", "https://other.example/gpuprim/gpuprim"), "")
    expect("its check", outcome(root, "--check"), "")
    expect("its place", (root / "CITATION.cff").read_text(), '"https://other.example/gpuprim/gpuprim"')
    text = changes.read_text()
    changes.write_text(text.replace("## 99.0.2", "## 99.0.1"))
    expect("a disagreement in the changes", outcome(root, "--check"), "the last release is 99.0.1, not 99.0.2")
    changes.write_text(text)
    expect("the tree in the end", outcome(root, "--check"), "")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
