// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times every shape of a sum over inputs of 4 KiB to 1 GiB on the GPU at hand, prints the table, and emits the rows of
// a selector: `tune [f32|f64|i8]`. A shape that is within 1 % of the best at a size keeps its row from ending there.
#include "../support/samples.hpp"
#include "../support/slices.hpp"
#include "../support/timing.hpp"
#include "candidates.hpp"

#include <cstdio>
#include <memory>

namespace {

constexpr int smallest_exponent = 12, largest_exponent = 30;
constexpr double close_enough = 1.01, far_behind = 1.25;

/// Words that are numbers between 1 and 2 as float, and between two powers of two as double.
__global__ void fill(unsigned* out, std::int64_t words) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step) {
    out[i] = 0x3f800000u | (unsigned(i) * 2654435761u >> 9);
  }
}

struct column {
  const tune::candidate* what;
  std::vector<double> us;  ///< by exponent from smallest_exponent on
};

/// Medians of rounds in which every candidate runs once, so that drift hits all alike. Those that were far behind in
/// the first round are left out of the others.
std::vector<double> time_all(const std::vector<column>& columns, const bench::arena& whole, std::int64_t bytes,
                             void* out) {
  const bench::slices input(whole, bytes, 0, bench::usual_memory(bytes));
  std::vector<std::unique_ptr<bench::graph_timer>> timers;
  for (const column& c : columns) {
    // Once outside the capture, where memory may be taken. Done before another stream takes the same workspace.
    bench::check(c.what->run(input[0], bytes / c.what->element_bytes, out, nullptr), "run a candidate");
    bench::check(cudaDeviceSynchronize(), "wait for a candidate");
    timers.push_back(std::make_unique<bench::graph_timer>(input.passes(), [&](std::int64_t i, cudaStream_t s) {
      return c.what->run(input[i], bytes / c.what->element_bytes, out, s);
    }));
  }
  std::vector<bench::samples> taken(columns.size());
  double best = 0;
  for (int round = 0; round < 9; ++round) {
    bench::take_turns(round, int(columns.size()), [&](int i) {
      bench::samples& of_one = taken[std::size_t(i)];
      if (round > 0 && of_one.median() > far_behind * best) return;
      const double us = timers[std::size_t(i)]->us_per_pass();
      of_one.add(us);
      if (best == 0 || us < best) best = us;
    });
  }
  std::vector<double> us;
  for (const bench::samples& s : taken) us.push_back(s.median());
  return us;
}

/// The best time of any candidate at a size.
double best_us(const std::vector<column>& columns, std::size_t row) {
  double best = columns[0].us[row];
  for (const column& c : columns) best = std::min(best, c.us[row]);
  return best;
}

std::string text(const gpuprim::reduce_policy& policy) {
  char line[64];
  std::snprintf(line, sizeof line, "{%d, %d, %d}", policy.block_size, policy.loads_per_thread,
                policy.blocks_per_multiprocessor);
  return line;
}

void print_table(const std::vector<column>& columns) {
  std::printf("%10s", "bytes");
  for (const column& c : columns) std::printf(" %s", text(c.what->policy).c_str());
  std::printf("\n");
  for (std::size_t row = 0; row < columns[0].us.size(); ++row) {
    const double best = best_us(columns, row);
    std::printf("      2^%-2zu", row + smallest_exponent);
    for (const column& c : columns) std::printf(" %7.3f%s", c.us[row], c.us[row] <= close_enough * best ? "*" : " ");
    std::printf("\n");
  }
}

/// Rows of a selector: from each size on, the shape that stays close to the best for longest.
void print_rows(const std::vector<column>& columns) {
  const std::size_t rows = columns[0].us.size();
  for (std::size_t row = 0; row < rows;) {
    const column* longest = nullptr;
    std::size_t end = row;
    for (const column& c : columns) {
      std::size_t at = row;
      while (at < rows && c.us[at] <= close_enough * best_us(columns, at)) ++at;
      if (at > end) {
        end = at;
        longest = &c;
      }
    }
    if (end < rows) std::printf("if (input_bytes <= 1LL << %zu) ", end - 1 + smallest_exponent);
    std::printf("return reduce_policy%s;\n", text(longest->what->policy).c_str());
    row = end;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string type = argc > 1 ? argv[1] : "f32";
  std::vector<column> columns;
  for (const tune::candidate& c : tune::candidates()) {
    if (c.type == type) columns.push_back({&c, {}});
  }
  if (columns.empty() || argc > 2) {
    std::fprintf(stderr, "usage: tune [f32|f64|i8]\n");
    return 2;
  }
  cudaDeviceProp gpu;
  bench::check(cudaGetDeviceProperties(&gpu, 0), "find a GPU");
  const bench::arena whole(bench::arena_bytes(std::int64_t{1} << largest_exponent));
  fill<<<2048, 256>>>(reinterpret_cast<unsigned*>(whole.data()), whole.bytes() / 4);
  bench::check(cudaDeviceSynchronize(), "fill the inputs");
  void* out = nullptr;
  bench::check(cudaMalloc(&out, 64), "allocate the result");
  for (int exponent = smallest_exponent; exponent <= largest_exponent; ++exponent) {
    const auto us = time_all(columns, whole, std::int64_t{1} << exponent, out);
    for (std::size_t i = 0; i < us.size(); ++i) columns[i].us.push_back(us[i]);
  }
  std::printf("%s on %s, microseconds a pass in a graph; * within 1 %% of the best\n", type.c_str(), gpu.name);
  print_table(columns);
  std::printf("\n");
  print_rows(columns);
  (void)cudaFree(out);
}
