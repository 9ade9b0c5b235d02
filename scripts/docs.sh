#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the links, the examples and the blocks of the docs, and builds the site, build/docs/html.
. "$(dirname "$0")/common.sh"
scripts/bootstrap.sh docs
scripts/check_docs.sh
python3 scripts/site.py
