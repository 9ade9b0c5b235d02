#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""comments.py <folder of headers>: no figure of a measurement stands in a comment, none begins with `The same`, and the
fields of a public call's comment are all there, in their order.
comments.py --self-test: plants violations of each rule and expects each to be reported."""
import re
import sys

from sources import comments_of, headers

# @throws stands beside @return, or in its place, and what returns nothing has neither.
FIELDS = ("pre", "sync", "order", "cost", "return", "source", "example")


def fields_of(words):
    return ["return" if field == "throws" else field for field in re.findall(r"@(\w+)", words)]


def is_out_of_order(words):
    places = [FIELDS.index(field) for field in fields_of(words) if field in FIELDS]
    return places != sorted(places)


def lacks_a_field(words):
    fields = {*fields_of(words)}
    return not fields.isdisjoint({"order", "cost"}) and not fields >= {*FIELDS} - {"return"}


RULES = (
    ("a figure in microseconds", re.compile(r"\d us\b").search),
    ("a bandwidth", re.compile(r"\b[GT]B/s").search),
    ("a figure beside another", re.compile(r"\binstead of \d").search),
    ("begins with `The same`", re.compile(r"^(?:@\w+\s+)?The same\b").search),
    ("fields out of order", is_out_of_order),
    ("a field is missing", lacks_a_field),
)


def violations(text):
    return [(line, rule, words) for line, words in comments_of(text) for rule, breaks in RULES if breaks(words)]


def self_test():
    planted = {
        "a figure in microseconds": ["// It takes 12 us more.\n", "int a;  // 1.3 us\n", "/* 4\n * us */\n",
                                     "/// It takes 4\n/// us.\n"],
        "a bandwidth": ["// at 3.2 TB/s\n", "/// GB/s count\n"],
        "a figure beside another": ["// Five take instead\n// of 12.\n", "// 3 instead of 4\n"],
        "fields out of order": ["/// @return a.\n/// @pre none.\n", "/// @source a book. @throws an_error\n"],
        "a field is missing": ["/// @pre none.\n/// @sync none.\n/// @order kept.\n/// @source a.\n/// @example b\n"],
        "begins with `The same`": ["/// The same for arrays.\n", "int b;  ///< The same.\n", "// One.\n//\n// The same.\n"],
    }
    clean = ['const char* s = "12 us, GB/s";  // It is a text.\n', "// It asks us. A GB is large. It is the same tree.\n",
             "// One is used instead of two.\n", "// A lane keeps its value, by\n// The same tree as before.\n",
             "int instead_of = 12;\n", "int one = 1'000;  // It is a number.\n",
             "/// @pre a\n/// @sync b\n/// @order c\n/// @cost d\n/// @throws e @return f\n/// @source g @example h\n",
             "/// It returns. @throws gpuprim::cuda_error.\n/// @source a book.\n"]
    failures = 0
    for rule, texts in planted.items():
        for text in texts:
            if [found for _, found, _ in violations(text)] != [rule]:
                failures += 1
                print(f"missed ({rule}): {text!r}: {violations(text)}")
    for text in clean:
        if violations(text):
            failures += 1
            print(f"refused: {text!r}: {violations(text)}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(1 if self_test() else 0)
    root, count = sys.argv[1], 0
    files = headers(root)
    if not files:
        sys.exit(f"no headers under {root}")
    for path in files:
        for line, rule, words in violations(path.read_text()):
            count += 1
            print(f"{path}:{line}: {rule}: {words[:100]}")
    if count:
        sys.exit(f"{count} violation(s) in {len(files)} headers")
    print(f"{len(files)} headers, no violation")


if __name__ == "__main__":
    main()
