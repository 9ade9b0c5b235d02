# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples run, and the page shows what is in them: before each block of Python stands `<!-- FILE NAME -->`, and
between two lines `# [NAME]` of the file stands the block."""
import re
import runpy
import textwrap
from pathlib import Path

import pytest

import gpuprim

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/python.md").read_text()
BLOCK = re.compile(r"(?:^<!-- (\S+) (\S+) -->\n)?^~~~python\n((?s:.*?))^~~~$", re.M)


def region(file, name):
    parts = re.split(rf"^ *# \[{name}\]\n", (ROOT / file).read_text(), flags=re.M)
    assert len(parts) == 3, f"{file} has not exactly two lines # [{name}]"
    return textwrap.dedent(parts[1])


def test_the_page_shows_regions():
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) > 5
    for file, name, block in blocks:
        assert block == region(file, name)


def test_the_page_has_every_call():
    for name in gpuprim.__all__:
        assert f"`{name}" in PAGE


def test_a_changed_block_is_noticed():
    """The check of regions can fail."""
    (file, name, block), *_ = BLOCK.findall(PAGE.replace("import gpuprim\n", "import gpuprim as g\n", 1))
    assert block != region(file, name)


def test_the_tour_runs(capsys):
    runpy.run_path(str(ROOT / "python/examples/tour.py"))
    printed = capsys.readouterr().out
    assert "[1 3] [162.5  -3.5]" in printed and "pass a contiguous copy" in printed
    # What a comment behind a print says is what it prints, but for spaces and new lines.
    said = re.findall(r"^print\(.*?\)  # (.*)$", (ROOT / "python/examples/tour.py").read_text(), re.M)
    for text in said:
        assert re.sub(r"\s+", "", text) in re.sub(r"\s+", "", printed), text


def test_the_gradients_run():
    pytest.importorskip("torch", reason="PyTorch is not installed", exc_type=ImportError)
    runpy.run_path(str(ROOT / "python/examples/gradients.py"))
