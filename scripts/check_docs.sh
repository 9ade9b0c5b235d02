#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that what the Markdown pages show and name is there: blocks of code and output, commands, links, the index of
# the guide, the public names, messages, and every @example of the headers. tests/lint/docs.py describes the rules.
#   --write  replaces the blocks by the regions of the files that they name
#   --web    follows the links to other sites too
. "$(dirname "$0")/common.sh"
exec python3 tests/lint/docs.py "$@"
