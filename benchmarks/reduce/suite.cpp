// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.hpp"

#include <set>

namespace bench {

namespace {

/// The largest power of two up to 4 GiB whose slices fit into this GPU's free memory.
std::int64_t most_input_bytes() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "free memory");
  std::int64_t bytes = 4 * GiB;
  while (bytes > MiB && arena_bytes(bytes) > std::int64_t(free / 10 * 9)) bytes /= 2;
  return bytes;
}

std::string other_cubs() {
  std::set<int> versions;
  for (const cub_entry& cub : cub_entries()) versions.insert(cub.cub_version);
  versions.erase(toolkit_cub_version());
  std::string text;
  for (int version : versions) {
    if (!text.empty()) text += ' ';
    text += std::to_string(version);
  }
  return text.empty() ? "none" : text;
}

void describe_run(const device_limits& limits) {
  cudaDeviceProp gpu;
  check(cudaGetDeviceProperties(&gpu, 0), "find a GPU");
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "driver version");
  check(cudaRuntimeGetVersion(&runtime), "runtime version");
  using std::to_string;
  const std::pair<const char*, std::string> context[] = {
      {"gpu", gpu.name},
      {"multiprocessors", to_string(gpu.multiProcessorCount)},
      {"l2_bytes", to_string(gpu.l2CacheSize)},
      {"cuda_driver", to_string(driver)},
      {"cuda_runtime", to_string(runtime)},
      {"cub", to_string(toolkit_cub_version())},
      {"other_cubs", other_cubs()},
      {"thrust", to_string(toolkit_thrust_version())},
      {"read_limit_gb_per_s", to_string(limits.read_gb_per_s)},
      {"read_limit_bytes", to_string(limits.read_limit_bytes)},
      {"empty_in_graph_us", to_string(limits.empty_in_graph_us)},
      {"empty_full_grid_us", to_string(limits.empty_full_grid_us)},
      {"launch_and_sync_us", to_string(limits.launch_and_sync_us)},
  };
  for (const auto& [key, value] : context) benchmark::AddCustomContext(key, value);
}

}  // namespace

int run_suite(int argc, char** argv, std::initializer_list<void (*)(session&)> add_rows) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  arena inputs(arena_bytes(most_input_bytes()));
  read_floor floor(inputs);
  describe_run(floor.limits());
  session all(inputs, floor);
  for (const auto add : add_rows) add(all);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace bench
