# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the lints of headers share: the headers of a folder, their code and comments told apart, and trees to test a lint
with."""
import re
import shutil
from pathlib import Path

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'(?!\w)|//[^\n]*|/\*.*?\*/', re.S)


def headers(root):
    return sorted(p for p in Path(root).rglob("*") if p.suffix in (".hpp", ".cuh"))


def plant(root, files):
    """Makes `root` anew, with files of pairs of a name and a text. Of two of one name the later one stays."""
    shutil.rmtree(root, ignore_errors=True)
    for name, text in files:
        path = Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def code_of(text):
    """The text with its comments made blank, line for line."""
    def blank(match):
        token = match[0]
        return re.sub(r"[^\n]", " ", token) if token.startswith(("//", "/*")) else token
    return TOKEN.sub(blank, text)


def comments_of(text):
    """Pairs of a line number and the words of a comment. Lines of `//` that follow each other are one comment."""
    found, last_line, last_alone = [], -1, False
    for match in TOKEN.finditer(text):
        token = match[0]
        if not token.startswith(("//", "/*")):
            continue
        line = text.count("\n", 0, match.start()) + 1
        alone = text[text.rfind("\n", 0, match.start()) + 1:match.start()].strip() == ""
        words = re.sub(r"(?m)^\s*(///?<?|/\*[*!]?<?|\*/|\*)|\*/\s*$", " ", token)
        words = " ".join(words.split())
        if token.startswith("//") and alone and last_alone and line == last_line + 1 and words:
            found[-1] = (found[-1][0], (found[-1][1] + " " + words).strip())
        else:
            found.append((line, words))
        # An empty line of a comment ends a paragraph.
        last_line, last_alone = line, alone and token.startswith("//") and words != ""
    return [(line, words) for line, words in found if words]
