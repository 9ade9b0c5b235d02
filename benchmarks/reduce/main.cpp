// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide reduce beside CUB and Thrust in one process. `bench_reduce --benchmark_out=reduce.json`;
// scripts/bench_table.py turns the file into tables and the committed results.
#include "session.hpp"

#include <set>

namespace {

/// The largest power of two up to 4 GiB whose slices fit into this GPU's free memory.
std::int64_t most_input_bytes() {
  std::size_t free = 0, total = 0;
  bench::check(cudaMemGetInfo(&free, &total), "free memory");
  std::int64_t bytes = 4 * bench::GiB;
  while (bytes > bench::MiB && bench::arena_bytes(bytes) > std::int64_t(free / 10 * 9)) bytes /= 2;
  return bytes;
}

std::string other_cubs() {
  std::set<int> versions;
  for (const bench::cub_entry& cub : bench::cub_entries()) versions.insert(cub.cub_version);
  versions.erase(bench::toolkit_cub_version());
  std::string text;
  for (int version : versions) {
    if (!text.empty()) text += ' ';
    text += std::to_string(version);
  }
  return text.empty() ? "none" : text;
}

void describe_run(const bench::device_limits& limits) {
  cudaDeviceProp gpu;
  bench::check(cudaGetDeviceProperties(&gpu, 0), "find a GPU");
  int driver = 0, runtime = 0;
  bench::check(cudaDriverGetVersion(&driver), "driver version");
  bench::check(cudaRuntimeGetVersion(&runtime), "runtime version");
  using std::to_string;
  const std::pair<const char*, std::string> context[] = {
      {"gpu", gpu.name},
      {"multiprocessors", to_string(gpu.multiProcessorCount)},
      {"l2_bytes", to_string(gpu.l2CacheSize)},
      {"cuda_driver", to_string(driver)},
      {"cuda_runtime", to_string(runtime)},
      {"cub", to_string(bench::toolkit_cub_version())},
      {"other_cubs", other_cubs()},
      {"thrust", to_string(bench::toolkit_thrust_version())},
      {"read_limit_gb_per_s", to_string(limits.read_gb_per_s)},
      {"read_limit_bytes", to_string(limits.read_limit_bytes)},
      {"empty_in_graph_us", to_string(limits.empty_in_graph_us)},
      {"empty_full_grid_us", to_string(limits.empty_full_grid_us)},
      {"launch_and_sync_us", to_string(limits.launch_and_sync_us)},
  };
  for (const auto& [key, value] : context) benchmark::AddCustomContext(key, value);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  bench::arena inputs(bench::arena_bytes(most_input_bytes()));
  bench::read_floor floor(inputs);
  describe_run(floor.limits());
  bench::session all(inputs, floor);
  bench::add_in_graph_rows(all);
  bench::add_call_rows(all);
  bench::add_value_rows(all);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
