#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What takes a few minutes, for whoever edits: the rules of sources and pages, the tests of all levels below the
# device-wide calls, broken preconditions, and small grids of reductions, histograms, searches and runs, on the host SIMT
# device. `make test` has all tests and lanes. Both use the build tree build/simt, so that only what has changed is
# compiled anew.
. "$(dirname "$0")/common.sh"
scripts/bootstrap.sh check

begin=$(date +%s)
quiet build/check-configure.log cmake --preset simt
targets="walk_test broken_promises host_memory no_exceptions"
for folder in core ptx thread warp block cluster grid launch device_races; do targets="$targets test_$folder"; done
quiet build/check-build.log cmake --build build/simt -j "$jobs" --target $targets
echo "configured and built in $(($(date +%s) - begin)) s"
fast='^(lint|output|precondition|docs)\.|^test_(core|ptx|thread|warp|block|cluster|launch)_|^test_grid_grid_reduce$'
fast="$fast|^test_device_races$"
exec ctest --test-dir build/simt -j "$jobs" --output-on-failure --no-tests=error -R "$fast" </dev/null
