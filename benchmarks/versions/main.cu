// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One version of the library: `versions results.csv` times a call of each family, in a graph and on the host. A second
// program, compiled from another commit's include/, makes the other half: scripts/compare_versions.py runs both in
// turns and joins them.
#include "../support/check.hpp"
#include "../support/results.hpp"
#include "../support/samples.hpp"
#include "calls.hpp"
#include "workspace.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>

namespace bench {

std::vector<version_call>& version_calls() {
  static std::vector<version_call> all;
  return all;
}

gpuprim::workspace& shared_workspace() {
  static gpuprim::workspace workspace;
  return workspace;
}

}  // namespace bench

namespace {

using bench::check;

constexpr std::int64_t largest = std::int64_t{1} << 26;
constexpr std::int64_t sizes[] = {1 << 12, 1 << 17, 5'000'011, largest};
constexpr std::int64_t workspace_bytes = std::int64_t{1} << 31;

template <class T>
const T* upload(const std::vector<T>& values) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, values.size() * sizeof(T)), "allocate the inputs");
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy the inputs");
  return memory;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "allocate the outputs");
  return memory;
}

bench::version_memory make_memory() {
  std::mt19937 random(1);
  const auto n = static_cast<std::size_t>(largest);
  std::vector<unsigned> keys(n), values(n), sorted(n), other_sorted(n);
  std::vector<int> runs(n);
  // Floats are read from the same bits: with the exponent's first bit zero, none is NaN or infinite.
  for (unsigned& key : keys) key = unsigned(random()) & ~(1u << 30);
  std::iota(values.begin(), values.end(), 0u);
  for (std::vector<unsigned>* some : {&sorted, &other_sorted}) {
    unsigned last = 0;
    for (unsigned& value : *some) value = last += unsigned(random()) % 8;
  }
  int run = 0;
  for (int& key : runs) key = run += random() % 8 == 0;
  std::vector<std::int64_t> offsets{0};
  while (offsets.back() < largest) offsets.push_back(std::min<std::int64_t>(largest, offsets.back() + random() % 400));
  bench::version_memory memory{upload(keys), upload(values),  upload(sorted), upload(other_sorted),
                               upload(runs), upload(offsets), offsets};
  for (void** out : {&memory.out, &memory.second_out, &memory.third_out}) *out = allocate(2 * n * sizeof(std::int64_t));
  return memory;
}

/// Nanoseconds of the host for a call, of which so few are made that the stream can hold them.
double host_ns(const bench::enqueue_pass& pass, cudaStream_t stream) {
  constexpr int calls = 64;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) check(pass(i, stream), "call a pass");
  const double us = bench::us_since(begin);
  check(cudaStreamSynchronize(stream), "synchronise");
  return us * 1e3 / calls;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: versions RESULTS.csv\n");
    return 2;
  }
  std::FILE* const file = bench::open_to_write(argv[1]);
  const bench::version_memory memory = make_memory();
  gpuprim::workspace_size enough;
  enough.zeroed_bytes = enough.scratch_bytes = workspace_bytes;
  check(bench::shared_workspace().reserve(enough), "reserve the workspace");
  const bench::stream stream;
  std::fprintf(file, "call,n,graph_us,host_ns\n");
  for (const bench::version_call& call : bench::version_calls()) {
    for (const std::int64_t n : sizes) {
      const bench::enqueue_pass pass = call.make(n, memory);
      const double first_us = bench::graph_timer(2, pass).us_per_pass();
      bench::graph_timer timer(std::clamp<std::int64_t>(std::int64_t(1000 / first_us), 2, 100), pass);
      bench::samples graph_us, call_ns;
      for (int round = 0; round < 11; ++round) graph_us.add(timer.us_per_pass());
      for (int round = 0; n == sizes[0] && round < 11; ++round) call_ns.add(host_ns(pass, stream));
      std::fprintf(file, "\"%s\",%lld,%.3f,%.0f\n", call.name.c_str(), static_cast<long long>(n), graph_us.median(),
                   call_ns.median());
    }
  }
  return std::fclose(file) == 0 ? 0 : 1;
}
