# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A thin front: every target calls a script, and the scripts call the presets of CMakePresets.json.
.PHONY: help demo check test gpu-test bench docs format

help:
	@echo "make demo      build examples/describe and run it over the flight data (SIMT device, or a GPU if there is one)"
	@echo "make check     in a few minutes: the rules of sources and pages, and the fast tests on the SIMT device"
	@echo "make test      build and test every lane that this machine has"
	@echo "make gpu-test  run the device tests on this machine's GPU and write tests/gpu_record.json"
	@echo "make bench     run the benchmarks on this machine's GPU"
	@echo "make docs      check the docs and build their site, build/docs/html/index.html"
	@echo "make format    lay out all sources by the pinned clang-format"

demo:
	@scripts/demo.sh
check:
	@scripts/check.sh
test:
	@scripts/test.sh
gpu-test:
	@scripts/gpu_test.sh
bench:
	@scripts/bench.sh
docs:
	@scripts/docs.sh
format:
	@scripts/format.sh
