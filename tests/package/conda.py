#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a conda recipe and runs its tests, without a network. usage: conda.py RECIPE CHANNEL

rattler-build reads the recipe strictly, and would fetch the tools that it names. Empty packages of these names, in the new
channel CHANNEL, stand for the tools of this machine."""
import sys
from pathlib import Path

from rattler_build import Stage0Recipe, ToolConfiguration


def main(recipe, channel):
    def build(stage0, **options):
        stage0.run_build(output_dir=channel, channels=[channel.as_uri()], package_format="tar.bz2", **options)

    (channel / "noarch").mkdir(parents=True)
    for tool in ("gxx_linux-64", "gxx_linux-aarch64", "cmake", "make"):
        build(Stage0Recipe.from_dict({
            "package": {"name": tool, "version": "99"},
            "build": {"noarch": "generic", "script": "true"},
            "about": {"summary": "stands for the machine's own"},
        }))
    build(Stage0Recipe.from_file(recipe), tool_config=ToolConfiguration(test_strategy="native"))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
