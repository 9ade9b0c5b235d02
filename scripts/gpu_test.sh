#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the device tests on this machine's GPU, then compute-sanitizer over those tagged [sanitizer], and writes the
# record that is committed. Everything can also happen on a GPU machine that cannot build, from a copied build folder:
#   GPU_TEST_BUILD        the build folder, with gpu_tests.txt and the linked programs   (build/cuda, built first)
#   GPU_TEST_RECORD       where the record goes                                          (tests/gpu_record.json)
#   GPUPRIM_INCLUDE_TREE, GPUPRIM_TESTS_TREE   what scripts/tree_hashes.sh printed beside the sources
#   GPU_TEST_PART         1/2, and then 2/2: two runs of about half the programs, whose records gpu_record.py --join makes one
#   COMPUTE_SANITIZER     the tool, if it is not on PATH
. "$(dirname "$0")/common.sh"
have_gpu || { echo "make gpu-test needs an NVIDIA GPU; nvidia-smi lists none." >&2; exit 1; }

if [ -z "${GPU_TEST_BUILD:-}" ]; then
  have_nvcc || { echo "make gpu-test needs nvcc, or GPU_TEST_BUILD with programs built elsewhere." >&2; exit 1; }
  scripts/bootstrap.sh test
  quiet build/cuda-configure.log cmake --preset cuda "$(for_own_gpu)"
  quiet build/cuda-build.log cmake --build build/cuda -j "$jobs"
  GPU_TEST_BUILD=build/cuda
fi
if [ -z "${GPUPRIM_INCLUDE_TREE:-}" ] || [ -z "${GPUPRIM_TESTS_TREE:-}" ]; then
  hashes=$(scripts/tree_hashes.sh) || { echo "set GPUPRIM_INCLUDE_TREE and GPUPRIM_TESTS_TREE" >&2; exit 1; }
  eval "$hashes"
fi
[ -n "${COMPUTE_SANITIZER:-}" ] || COMPUTE_SANITIZER=$(command -v compute-sanitizer || true)
[ -n "$COMPUTE_SANITIZER" ] || [ ! -x /usr/local/cuda/bin/compute-sanitizer ] ||
  COMPUTE_SANITIZER=/usr/local/cuda/bin/compute-sanitizer

exec python3 scripts/gpu_record.py --build "$GPU_TEST_BUILD" --record "${GPU_TEST_RECORD:-tests/gpu_record.json}" \
  --part "${GPU_TEST_PART:-1/1}" --include-tree "$GPUPRIM_INCLUDE_TREE" \
  --tests-tree "$GPUPRIM_TESTS_TREE" --sanitizer "$COMPUTE_SANITIZER" --jobs "$jobs"
