// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

struct row {
  std::string reduce, type;
  int block, blocks_per_multiprocessor, registers, shared_bytes;
  double alone, full, shared;  ///< cycles: see main.cu
};

/// What is compared of one kind: a line has the same type and block for every contender, gpuprim first.
using table = std::vector<std::vector<row>>;

inline constexpr int reduces = 256, launches = 15;

std::vector<table> measure_reduces();
std::vector<table> measure_scans();
std::vector<table> measure_compacts();
std::vector<table> measure_exchanges();
table measure_segments();
table measure_histograms();
table measure_extrema();
