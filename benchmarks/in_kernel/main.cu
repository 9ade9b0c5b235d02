// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cycles, registers and shared bytes of reduces, histograms, scans, compactions and exchanges in a kernel, beside CUB
// and cooperative groups. `in_kernel [results.json]` prints Markdown tables, writes the file and fails if a result is
// wrong.
//
// All keep one contract: the result is there, and the next call may follow at once; CUB's block-wide ones need barriers
// for that, which are counted. "alone" is one block on the GPU, "full" as many as fit on every multiprocessor; both are
// the mean of what the blocks wait for one result. "shared" is what a full multiprocessor takes for one result of one
// block: the figure to compare contenders by that have different numbers of blocks there.
#include "../support/results.hpp"
#include "report.hpp"

#include <cub/version.cuh>

namespace {

void write_json(const char* path, const std::vector<table>& tables) {
  std::FILE* file = bench::open_results(path, CUB_VERSION);
  std::fprintf(file, ",\n \"reduces\": %d,\n \"launches\": %d,\n \"statistic\": \"median\",\n \"rows\": [", reduces,
               launches);
  const char* separator = "\n";
  for (const table& t : tables) {
    for (const auto& line : t) {
      for (const row& r : line) {
        std::fprintf(file,
                     "%s  {\"reduce\": \"%s\", \"type\": \"%s\", \"block\": %d, \"alone_cycles\": %.1f, "
                     "\"full_cycles\": %.1f, \"shared_cycles\": %.2f, \"blocks_per_multiprocessor\": %d, "
                     "\"registers\": %d, \"shared_bytes\": %d}",
                     separator, r.reduce.c_str(), r.type.c_str(), r.block, r.alone, r.full, r.shared,
                     r.blocks_per_multiprocessor, r.registers, r.shared_bytes);
        separator = ",\n";
      }
    }
  }
  std::fprintf(file, "\n ]\n}\n");
  std::fclose(file);
}

void print_table(const table& t) {
  std::printf("\n| type | block |");
  for (const row& r : t[0]) std::printf(" %s |", r.reduce.c_str());
  std::printf("\n|---|---|");
  for (std::size_t i = 0; i < t[0].size(); ++i) std::printf("---|");
  for (const auto& line : t) {
    std::printf("\n| %s | %d |", line[0].type.c_str(), line[0].block);
    for (const row& r : line) {
      std::printf(" %.0f / %.0f / %.1f (%d, %d, %d) |", r.alone, r.full, r.shared, r.blocks_per_multiprocessor,
                  r.registers, r.shared_bytes);
    }
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<table> tables = measure_reduces();
  for (const auto& measure : {measure_segments, measure_extrema, measure_histograms}) tables.push_back(measure());
  for (const auto& measure : {measure_scans, measure_compacts, measure_exchanges}) {
    for (const table& t : measure()) tables.push_back(t);
  }
  std::printf("Cycles alone / full / shared (blocks of a multiprocessor, registers, shared bytes)\n");
  for (const table& t : tables) print_table(t);
  if (argc > 1) write_json(argv[1], tables);
}
