#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds examples/describe for the GPU of this machine, or else for the host SIMT device, and runs it.
. "$(dirname "$0")/common.sh"
scripts/bootstrap.sh demo

preset=simt
native=
if have_gpu && have_nvcc; then preset=cuda native=$(for_own_gpu); fi
quiet build/demo-configure.log cmake --preset $preset -B build/demo -DGPUPRIM_BUILD_TESTS=OFF $native
quiet build/demo-build.log cmake --build build/demo -j "$jobs" --target describe
exec examples/describe/demo.sh build/demo/examples/describe/describe
