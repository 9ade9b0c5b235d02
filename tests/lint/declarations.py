# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lints count in code without comments (`sources.code_of`): templates, kernels, functions."""
import re
from dataclasses import dataclass

OPEN, CLOSE = "([{", ")]}"


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


def template_list_ends(code):
    """Pairs of places: where the parameter list of a template begins, behind its bracket, and where it ends."""
    for match in re.finditer(r"\btemplate\s*<", code):
        depth, round_depth, at = 1, 0, match.end()
        while depth and at < len(code):
            c = code[at]
            round_depth += (c == "(") - (c == ")")
            if round_depth == 0:
                depth += (c == "<") - (c == ">" and code[at - 1] != "-")
            at += 1
        yield match.end(), at - 1


def template_lists(code):
    """The parameter lists of all templates, by the bracket that closes each."""
    return [code[begin:end] for begin, end in template_list_ends(code)]


def without_brackets(text):
    """The text without what stands in round brackets."""
    while (shorter := re.sub(r"\([^()]*\)", " ", text)) != text:
        text = shorter
    return text


def template_parameters(code):
    """The number of parameters of each template."""
    return [len(split_at_commas(without_brackets(parameters))) if parameters.strip() else 0
            for parameters in template_lists(code)]


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


def behind_bracket(code, at):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] in OPEN) - (code[place] in CLOSE)
        if depth == 0:
            return place + 1
    return len(code)


@dataclass
class Function:
    name: str
    head: str  # what stands before the body, from the template's list on
    arguments: str
    body: str
    lines: int  # from the name to the end of the body

    @property
    def is_kernel(self):
        return "__global__" in self.head

    @property
    def is_of_host(self):
        return re.search(r"__global__|__device__|GPUPRIM_HOST_DEVICE", self.head) is None

    @property
    def callbacks(self):
        """The arguments of a type of the caller's that the body calls."""
        types = {p.split("=")[0].split()[-1] for parameters in template_lists(self.head)
                 for p in split_at_commas(parameters) if p.split("=")[0].split()}
        names = [argument.split()[-1].lstrip("&") for argument in split_at_commas(self.arguments)
                 if types & set(re.findall(r"\w+", argument)[:-1]) or re.search(r"\bauto\b", argument)]
        called = r"(?:\.template operator\(\)<[^;]*>)?\("
        return [n for n in names if re.search(rf"(?<![\w.>:]){re.escape(n)}{called}", self.body)]


def blank(code, pattern):
    """The code with what the pattern matches made blank, place for place."""
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), code)


def declared_name(head):
    """The match of a declared function's name and the bracket behind it."""
    at = 0
    while match := re.compile(r"(operator\s*(?:\(\s*\)|[^\w\s(]+|\w+)|~?\w+)\s*\(").search(head, at):
        if match[1] not in ("requires", "decltype", "noexcept", "alignas", "constexpr", "__launch_bounds__"):
            return match
        at = behind_bracket(head, match.end() - 1)
    return None


def functions(code):
    """The functions that have a body, those of classes too. A lambda belongs to the function around it."""
    code = blank(code, r"(?m)^[ \t]*#(?:.*\\\n)*.*$")                       # directives
    code = blank(code, r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'(?!\w)')  # texts
    plain = list(code)
    for begin, end in template_list_ends(code):  # brackets of defaults and constraints
        plain[begin:end] = " " * (end - begin)
    plain = "".join(plain)
    found, begin, at = [], 0, 0
    while at < len(plain):
        c = plain[at]
        if c in "([":
            at = behind_bracket(plain, at)
            continue
        if c in ";}":
            begin = at + 1
        elif c == "{":
            head = plain[begin:at]
            end = behind_bracket(plain, at)
            # A `=` outside brackets begins a value: that of an operator's name does not.
            outside = without_brackets(re.sub(r"\boperator\s*[^\w\s(]+", "operator ", head))
            if re.search(r"\brequires\s*(\([^{}]*\))?\s*$", head):
                at = end  # the body of a constraint
                continue
            if re.match(r"\s*(template\s*<\s*>\s*)*(inline\s+)?(namespace|struct|class|union|extern)\b", outside):
                begin = at + 1
            elif "(" in head and "=" not in re.sub(r"[=!<>]=", "", outside):
                while (more := re.match(r"\s*,\s*\w+\s*(?=[({])|\s*(?=\{)", plain[end:])) and ":" in outside:
                    at = end + more.end()  # what members of a new object begin with
                    end = behind_bracket(plain, at)
                    if plain[at] == "(":
                        continue
                name = declared_name(head)
                if name:
                    first = begin + name.end()
                    arguments = plain[first:behind_bracket(plain, first - 1) - 1]
                    lines = code.count("\n", begin + name.start(), end) + 1
                    body = begin + len(head)
                    found.append(Function(name[1], code[begin:body], arguments, code[body:end], lines))
                begin = at = end
                continue
            else:
                at = end  # a value, or an enumeration
                continue
        at += 1
    return found
