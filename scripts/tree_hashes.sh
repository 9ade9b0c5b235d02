#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the git tree hashes of include/, tests/ and python/ as they lie in the work tree, without the GPU records.
# For a clean checkout the first equals `git rev-parse HEAD:include`. The repository itself is not written to.
. "$(dirname "$0")/common.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
objects=$(git rev-parse --path-format=absolute --git-path objects)
mkdir "$scratch/objects"
export GIT_INDEX_FILE="$scratch/index" GIT_OBJECT_DIRECTORY="$scratch/objects"
export GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects"
git add -A include tests python
git rm -q --cached --ignore-unmatch tests/gpu_record.json python/gpu_record.json
echo "GPUPRIM_INCLUDE_TREE=$(git write-tree --prefix=include/)"
echo "GPUPRIM_TESTS_TREE=$(git write-tree --prefix=tests/)"
echo "GPUPRIM_PYTHON_TREE=$(git write-tree --prefix=python/)"
