#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""comments.py <folder of headers>: no figure of a measurement stands in a comment, and none begins with `The same`.
comments.py --self-test: plants violations of each rule and expects each to be reported."""
import re
import sys

from sources import comments_of, headers

RULES = (
    ("a figure in microseconds", re.compile(r"\d us\b")),
    ("a bandwidth", re.compile(r"\b[GT]B/s")),
    ("a figure beside another", re.compile(r"\binstead of \d")),
    ("begins with `The same`", re.compile(r"^(?:@\w+\s+)?The same\b")),
)


def violations(text):
    return [(line, rule, words) for line, words in comments_of(text) for rule, what in RULES if what.search(words)]


def self_test():
    planted = {
        "a figure in microseconds": ["// It takes 12 us more.\n", "int a;  // 1.3 us\n", "/* 4\n * us */\n",
                                     "/// It takes 4\n/// us.\n"],
        "a bandwidth": ["// at 3.2 TB/s\n", "/// GB/s count\n"],
        "a figure beside another": ["// Five take instead\n// of 12.\n", "// 3 instead of 4\n"],
        "begins with `The same`": ["/// The same for arrays.\n", "int b;  ///< The same.\n", "// One.\n//\n// The same.\n"],
    }
    clean = ['const char* s = "12 us, GB/s";  // It is a text.\n', "// It asks us. A GB is large. It is the same tree.\n",
             "// One is used instead of two.\n", "// A lane keeps its value, by\n// The same tree as before.\n",
             "int instead_of = 12;\n", "int one = 1'000;  // It is a number.\n"]
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
