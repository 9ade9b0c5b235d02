#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# scripts/test_python.sh FOLDER: builds the Python package by pip in FOLDER, installs it there and runs its tests.
# scripts/bootstrap.sh packages gets what that needs into build/python_tools; without it there is a line that begins
# with "skipped: ".
. "$(dirname "$0")/common.sh"
work=$1
python=$root/build/python_tools/bin/python3
skip() {
  echo "skipped: $1, so the Python package is not built"
  exit 0
}
"$python" -c 'import ml_dtypes, nanobind, numpy, pytest, scikit_build_core' 2>/dev/null ||
  skip "build/python_tools lacks nanobind, scikit-build-core, NumPy, pytest or ml_dtypes"
"$python" -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
  skip "this Python has no headers (python3-dev)"
mkdir -p "$work"
begin=$(date +%s)
# By -O0: any other level takes the compiler longer than it saves the tests.
export CMAKE_BUILD_PARALLEL_LEVEL="${GPUPRIM_JOBS:-2}" PYTHONDONTWRITEBYTECODE=1
rm -rf "$work/site"
quiet "$work/install.log" "$python" -m pip --disable-pip-version-check --no-cache-dir install --no-build-isolation \
  --no-index --no-deps --target "$work/site" -C build-dir="$work/build" -C cmake.build-type=Debug \
  -C cmake.define.CMAKE_CXX_FLAGS_DEBUG=-O0 ./python
echo "built and installed in $(($(date +%s) - begin)) s"
cd "$work"
PYTHONPATH=$work/site exec "$python" -m pytest -q -p no:cacheprovider "$root/python/tests" </dev/null
