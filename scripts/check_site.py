#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a folder of HTML pages of Doxygen: each local file that a page links to is there, and has the anchor; and no
command of Doxygen is left in a page's text, where it has lost its way through a comment.
usage: check_site.py FOLDER
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# A line of a program begins with a tag.
COMMAND = re.compile(r"^(?!<).*?((?:@(?:ref|section|subsection|code|endcode)\b|&lt;tt&gt;).*)", re.M)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.command = COMMAND.search(text)
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            if name in ("href", "src", "data") and value:
                self.links.append(value)


def check(folder):
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html")}
    broken, count = [], 0
    for path, page in pages.items():
        if page.command:
            broken.append(f"{path.relative_to(folder)}: left of Doxygen's source: {page.command[1]}")
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = path.parent / unquote(parts.path) if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
                broken.append(f"{path.relative_to(folder)}: broken link: {link}")
    if broken or not pages:
        raise SystemExit("\n".join(broken or [f"no pages in {folder}"]))
    print(f"{len(pages)} pages, {count} local links, none broken")


if __name__ == "__main__":
    check(Path(sys.argv[1]))
