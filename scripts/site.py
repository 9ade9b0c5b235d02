#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documentation site: FOLDER/html, by Doxygen.  usage: site.py [FOLDER], build/docs if it is left out.

Doxygen reads copies in FOLDER/input, which have the lines of the originals but for wrapped links. In the copies, a link
of a Markdown page leads to a page of the site; the headers have no namespace `detail`, and their functions are in a topic for each header
that a user includes. A fault that Doxygen reports ends the script, and so does a broken link of the site. What was in
FOLDER/input and FOLDER/html is deleted.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import check_site

ROOT = Path(__file__).resolve().parent.parent
MAIN = Path("README.md")
THEME = Path("/usr/share/doxygen-awesome-css/doxygen-awesome.css")  # docs/Doxyfile names it
NOTHING_TO_RUN = 77  # what ctest reports as skipped
FENCED = re.compile(r"(^```.*?^```$)", re.M | re.S)
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
HEADING = re.compile(r"^(#+) (.*)$", re.M)
LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]+)\)")
# A link whose text goes on in the next line, up to the next space: Doxygen takes it on one line alone.
WRAPPED = re.compile(r"(\[[^]\n]*)\n( *)([^]\n]*\]\([^)\s]+\)\S*)[ \n]?")
# What says no more than the template that it belongs to.
GUIDE_OR_SPECIALIZATION = re.compile(
    r"^template <.*>\n(?:  requires.*\n)?(?:inline constexpr \w+ \w+<[^;]*|\w+\([^;{]*\) -> .*);$", re.M)
SEE = re.compile(r"\b(as|[Ss]ee) (\w+)\b")
# The namespace in gpuprim that users call, which has a folder of its name.
NESTED = "distributed"
# The folders whose names no user needs, and the topics of what is in no header of a family.
INTERNAL = ("policy", "ptx")
TOPICS = {"core": ("Types and operators", "Elements, operators and their identities, groups of threads, tuples."),
          "launch": ("Launch and memory", "Workspaces and options, the launch of kernels, occupancy, errors."),
          "parts": ("Parts", "What several families share, inside kernels and in their interfaces.")}


def slug(heading):
    """The anchor that a heading has on the usual hosts of Git repositories."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Site:
    def __init__(self, folder):
        self.input, self.html = folder / "input", folder / "html"
        # Folders of builds are not entered: other tests may be at work there.
        tops = [top for top in ROOT.iterdir() if not top.name.startswith((".", "build"))]
        self.pages = sorted(p.relative_to(ROOT) for top in tops for p in (top, *top.rglob("*.md")) if p.suffix == ".md")
        self.sources = set()

    def page_id(self, path):
        if path == MAIN:
            return "mainpage"
        return re.sub(r"\W", "_", path.as_posix().lower().removesuffix(".md"))

    def source(self, path):
        """The page of a program."""
        self.sources.add(path)
        return self.page_id(path)

    def parent(self, page):
        """The index of the page's folder or of the next one above it that has any."""
        indices = (folder / name for folder in page.parents for name in ("index.md", "README.md"))
        return next((index for index in indices if index in self.pages and index != page), None)

    def below(self, index):
        """The pages below an index, in the order in which it names them."""
        text = (ROOT / index).read_text()
        pages = [page for page in self.pages if self.parent(page) == index]
        return sorted(pages, key=lambda p: text.find(f"({os.path.relpath(p, index.parent)})") % (len(text) + 1))

    def write(self, path, text):
        to = self.input / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)

    def link(self, page, match):
        """What a link of a page is on the site."""
        image, text, target = match.groups()
        if re.match(r"[a-z]+:", target):
            return match[0]
        file, _, anchor = target.partition("#")
        path = Path(os.path.relpath((ROOT / page.parent / file).resolve() if file else ROOT / page, ROOT))
        if not (ROOT / path).exists():
            raise SystemExit(f"{page}: no such file: {target}")
        if path in self.pages:
            return f"[{text}](@ref {self.page_id(path)}{f'_{anchor}' if anchor else ''})"
        if path.parts[0] == "include" and path.suffix:
            return f"[{text}](@ref {path.relative_to('include')})"
        if path.suffix in (".cu", ".cuh", ".hpp", ".cpp", ".py", ".cmake"):
            return f"[{text}](@ref {self.source(path)})"
        if (ROOT / path).is_dir():
            return text
        to = self.html / path
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, to)
        return f'<img src="{path}" alt="{text}"/>' if image else f'<a href="{path}">{text}</a>'

    def write_page(self, page):
        name, text, labels = self.page_id(page), (ROOT / page).read_text(), []
        # The contents have below an index what is below it in the tree, and below another page its sections.
        ids = [self.page_id(p) for p in self.below(page)] + ["sources"] * (page == Path("examples/README.md"))

        def heading(match):
            marks, words = match[1], LINK.sub(r"\2", match[2]).replace("`", "")  # Doxygen has no code in a heading
            labels.append(name if marks == "#" else f"{name}_{slug(words)}")
            again = labels.count(labels[-1]) - 1
            label = labels[-1] + (f"-{again}" if again else "")
            return f"{marks} {words}" + (f" @anchor {label}" if ids and marks != "#" else f" {{#{label}}}")

        parts = FENCED.split(text)
        for i in range(0, len(parts), 2):
            part = HEADING.sub(heading, WRAPPED.sub(r"\1 \3\n\2", parts[i]))
            part = LINK.sub(lambda match: self.link(page, match), part)
            # Doxygen ends code at a single quote, but not code between two backticks.
            parts[i] = CODE.sub(lambda match: f"`{match[0]}`" if "'" in match[1] else match[0], part)
        if ids and page != MAIN:
            parts += ['\n<div class="below">\n', *(f"- @subpage {child}\n" for child in ids), "\n</div>\n"]
        self.write(page, "".join(parts))

    def write_header(self, header, topic):
        # The functions whose names can be seen from here: those of a namespace in gpuprim only from inside it.
        functions = self.functions[""] | self.functions.get(header.parts[2], set())
        text = (ROOT / header).read_text()
        # The version's inline namespace, and a parameter that no caller passes.
        text = re.sub(r"::inline v\w+", "", text)
        text = re.sub(r",(\s*)detail::call_site here = detail::call_site::current\(\)", r"\1", text)
        hidden = r"(?:gpuprim::)?detail\b.*|gpuprim::ptx"
        if header.parts[2] in INTERNAL:
            hidden = "gpuprim.*"
        text = re.sub(rf"^(namespace (?:{hidden}) {{)$", r"/*! @cond */ \1", text, flags=re.M)
        text = re.sub(rf"^}}(  // namespace (?:{hidden}))$", r"} /*! @endcond */\1", text, flags=re.M)
        text = GUIDE_OR_SPECIALIZATION.sub(r"/*! @cond */ \g<0> /*! @endcond */", text)
        text = re.sub(r"^ *///.*", lambda line: SEE.sub(
            lambda word: f"{word[1]} #{word[2]}" if word[2] in functions else word[0], line[0]), text, flags=re.M)
        text = re.sub(r"@example (\S+)", lambda m: f"@example [{m[1]}](@ref {self.source(Path(m[1]))})", text)
        text = re.sub(rf"^namespace (gpuprim|{NESTED}) {{$", rf"\g<0> /*! @addtogroup {topic} */ /*! @{{ */", text,
                      flags=re.M)
        text = re.sub(rf"^}}  // namespace (gpuprim|{NESTED})$", r"/*! @} */ \g<0>", text, flags=re.M)
        self.write(header, re.sub(r"^#pragma once$", r"\g<0> /*! @file */", text, flags=re.M))

    def write_headers(self):
        headers = sorted(p.relative_to(ROOT) for p in (ROOT / "include").rglob("*.*"))
        # Functions, and objects that are called like functions, by their namespace in gpuprim.
        calls = r"^(?:\[\[nodiscard]]|__device__|GPUPRIM_HOST|constexpr).* (\w+)\(|^inline constexpr detail::.* (\w+){"
        self.functions = {"": set()}
        for header in headers:
            names = {match[1] or match[2] for match in re.finditer(calls, (ROOT / header).read_text(), re.M)}
            self.functions.setdefault(NESTED if header.parts[2] == NESTED else "", set()).update(names)
        topics, definitions = {}, []
        for family in headers:
            if len(family.parts) != 3 or family.stem in ("gpuprim", "version"):
                continue
            text = (ROOT / family).read_text()
            for included in re.findall(r"#include <(gpuprim/.*?)>", text):
                topics[Path("include") / included] = family.stem
            about = " ".join(re.findall(r"^// (?!SPDX)(.*)$", text, re.M))
            title = family.stem.replace("_", " ").capitalize()
            definitions.append((family.stem, title, f"{about} `#include <gpuprim/{family.name}>`"))
        definitions += [(name, title, about) for name, (title, about) in TOPICS.items()]
        for header in headers:
            folder = header.parts[2]
            self.write_header(header, topics.get(header, folder if folder in TOPICS else "parts"))
        text = "/** @namespace gpuprim\nThe library. */\n"
        text += f"/** @namespace gpuprim::{NESTED}\nCalls for data that lies on several GPUs. */\n"
        text += "".join(f"/** @defgroup {name} {title}\n{about} */\n" for name, title, about in definitions)
        sources = sorted(self.sources)
        text += "/** @page sources Programs\nThe programs and scripts that the pages name.\n"
        text += "".join(f"- @subpage {self.page_id(path)}\n" for path in sources) + "*/\n"
        text += "".join(f"/** @page {self.page_id(path)} {path}\n@include {path}\n*/\n" for path in sources)
        self.write("topics.dox", text)

    def calls(self):
        """The headers of the calls of the host: of each family the one with its name, and then the others."""
        device = Path("include/gpuprim/device")
        families = {family.name for family in (ROOT / "include/gpuprim").glob("*.cuh")}
        headers = sorted((ROOT / device).glob("*.cuh"), key=lambda header: (header.name not in families, header.name))
        return [device / header.name for header in headers]

    def version(self):
        text = (ROOT / "include/gpuprim/version.hpp").read_text()
        return ".".join(re.findall(r"#define GPUPRIM_VERSION_\w+ (\d+)", text))

    def build(self):
        for old in (self.input, self.html):
            shutil.rmtree(old, ignore_errors=True)
        for page in self.pages:
            self.write_page(page)
        self.write_headers()
        # The contents have the pages in the order of the input, and a topic its functions.
        order = " ".join(str(self.input / path) for path in (MAIN, *self.below(MAIN), "topics.dox", *self.calls()))
        settings = {"GPUPRIM_VERSION": self.version(), "GPUPRIM_DOCS": str(self.input.parent), "GPUPRIM_PAGES": order}
        run = subprocess.run(["doxygen", "docs/Doxyfile"], cwd=ROOT, env={**os.environ, **settings},
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # The faults of a copy are those of the file that it was made of.
        sys.stderr.write(run.stderr.replace(f"{self.input}/", ""))
        if run.returncode:
            raise SystemExit("the site has faults: doxygen names them above")
        check_site.check(self.html)
        print(f"the site is {self.html / 'index.html'}")


def main():
    missing = "doxygen" if not shutil.which("doxygen") else str(THEME) if not THEME.exists() else None
    if missing:
        print(f"the site is not built: there is no {missing}; `make docs` and `make test` install it", file=sys.stderr)
        sys.exit(NOTHING_TO_RUN)
    Site(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/docs").resolve()).build()


if __name__ == "__main__":
    main()
