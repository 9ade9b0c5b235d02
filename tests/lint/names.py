# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public names of the headers: what namespace gpuprim declares outside of detail and ptx, and macros."""
import re

from sources import code_of, headers

PRIVATE = {"detail", "ptx"}
IGNORED = re.compile(r"\[\[.*?\]\]|\b(?:__launch_bounds__|alignas)\b\s*\([^()]*\)|\btemplate\b", re.S)


def without(text, opening, closing):
    """The text without what stands in brackets of a kind, and without the brackets."""
    kept, depth = [], 0
    for at, c in enumerate(text):
        depth += c == opening
        if depth == 0:
            kept.append(c)
        depth -= c == closing and depth > 0 and not (c == ">" and text[at - 1] == "-")
    return "".join(kept)


def flat(lists):
    return [item for one in lists for item in one]


def statements(code):
    """Pairs of the namespaces around a declaration and its words without its body, for all that are in no class."""
    scopes, words, round_depth, body_depth = [], "", 0, 0
    for c in code:
        if body_depth:
            body_depth += (c == "{") - (c == "}")
            # Behind the body of an initializer or of a concept's requires the statement goes on.
            ends = body_depth == 0 and "=" not in without(without(words, "<", ">"), "(", ")")
        else:
            round_depth += (c in "([") - (c in ")]")
            ends = c == ";" and round_depth == 0
            if c == "{" and round_depth == 0:
                scope = re.search(r"\bnamespace\s+([\w:\s]+)$", words)
                if scope:
                    yield flat(scopes), words
                    scopes.append([n for n in re.findall(r"\w+", scope[1]) if not re.fullmatch(r"inline|v\d\w*", n)])
                    words = ""
                else:
                    body_depth = 1
            elif c == "}" and round_depth == 0:
                scopes.pop()
                words = ""
            else:
                words += c
        if ends:
            yield flat(scopes), words.strip("; \n")
            words = ""


def name_of(words):
    """The name that a declaration at the scope of a namespace declares, or None, as for a deduction guide."""
    if not (plain := without(without(IGNORED.sub(" ", words), "<", ">"), "(", ")").strip()):
        return None
    kind = re.match(r"(?:.*\s)?(?:struct|class|union|enum|enum\s+class|namespace|using|concept)\s+(\w+)", plain, re.S)
    if kind:
        return kind[1]
    if "->" in plain and "auto" not in plain:
        return None
    # A function without its parameters and a variable without its value end in their names.
    name = re.search(r"[\s*&](\w+)\s*$", re.split(r"=|->|\bnoexcept\b|\[", plain)[0])
    return name[1] if name else None


def public_names(root):
    """The names, with a header that declares each."""
    found = {}
    for path in headers(root):
        code = code_of(path.read_text())
        for macro in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(GPUPRIM_\w+)", code, re.M):
            found.setdefault(macro, path)
        # Of the two branches of an #if, both are read.
        code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", code, flags=re.M)
        for namespaces, words in statements(code):
            name = name_of(words) if namespaces == ["gpuprim"] else None
            if name and name not in PRIVATE:
                found.setdefault(name, path)
    return found
