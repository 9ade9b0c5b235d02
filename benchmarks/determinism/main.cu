// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the same bits cost: `determinism [results.json]` times sums of floats by gpuprim's two forms and by CUB's three
// modes, each many times in a CUDA graph, in turns. CUB has the modes from 3.1 on; an older one has no rows.
#include "../support/results.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"

#include <gpuprim/reduce.cuh>

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#if CUB_VERSION >= 300100
#include <cuda/execution>
#endif

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#if CUB_VERSION >= 300100
namespace bench {

/// One piece of memory, made before the first call: no call of CUB allocates while it is timed. CUB asks for a whole
/// resource, of which it uses two functions.
struct one_piece {
  void* memory;

  void* allocate(cuda::stream_ref, std::size_t, std::size_t) { return memory; }
  void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}
  void* allocate_sync(std::size_t, std::size_t) { return memory; }
  void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}
  friend bool operator==(const one_piece& a, const one_piece& b) { return a.memory == b.memory; }
  friend void get_property(const one_piece&, cuda::mr::device_accessible) noexcept {}
};

}  // namespace bench
#endif

namespace {

using bench::check;

struct contender {
  const char* name;
  bench::enqueue_pass pass;
};

template <class T>
std::vector<contender> contenders(const T* in, std::int64_t n, T* out, void* temporary) {
  static gpuprim::workspace workspace;
  check(workspace.reserve(gpuprim::workspace_size(std::int64_t{1} << 24)), "reserve the workspace");
  std::vector<contender> all{{"gpuprim reduce",
                              [=](std::int64_t, cudaStream_t s) {
                                return gpuprim::reduce(in, n, out, gpuprim::plus{},
                                                       {.stream = s, .workspace = &workspace});
                              }},
                             {"gpuprim reduce, reproducible", [=](std::int64_t, cudaStream_t s) {
                                return gpuprim::reduce(gpuprim::reproducible, in, n, out, gpuprim::plus{},
                                                       {.stream = s, .workspace = &workspace});
                              }}};
#if CUB_VERSION >= 300100
  const auto cub = [&](const char* name, auto mode) {
    all.push_back({name, [=](std::int64_t, cudaStream_t s) {
                     return cub::DeviceReduce::Sum(
                         in, out, n,
                         cuda::std::execution::env{
                             cuda::stream_ref{s},
                             cuda::std::execution::prop{cuda::mr::get_memory_resource, bench::one_piece{temporary}},
                             cuda::execution::require(mode)});
                   }});
  };
  cub("CUB not_guaranteed", cuda::execution::determinism::not_guaranteed);
  cub("CUB run_to_run", cuda::execution::determinism::run_to_run);
  cub("CUB gpu_to_gpu", cuda::execution::determinism::gpu_to_gpu);
#endif
  return all;
}

/// Positive numbers, so that a sum is right to a few roundings in any order.
template <class T>
void measure(const char* type, std::FILE* file, const char*& separator) {
  constexpr std::int64_t largest = std::int64_t{1} << 28;
  std::vector<T> host(static_cast<std::size_t>(largest));
  std::mt19937 random(1);
  for (T& x : host) x = T(random() % 1000 + 1) / T(1000);
  T *in = nullptr, *out = nullptr;
  void* temporary = nullptr;
  check(cudaMalloc(&in, host.size() * sizeof(T)), "allocate the input");
  check(cudaMalloc(&out, sizeof(T)), "allocate the output");
  check(cudaMalloc(&temporary, std::size_t{1} << 26), "allocate CUB's memory");
  check(cudaMemcpy(in, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copy the input");
  double wanted = 0;
  std::int64_t summed = 0;
  for (int log2 = 12; log2 <= 28; log2 += 4) {
    const std::int64_t n = std::int64_t{1} << log2;
    for (; summed < n; ++summed) wanted += double(host[std::size_t(summed)]);
    const std::vector<contender> all = contenders(in, n, out, temporary);
    std::vector<std::unique_ptr<bench::graph_timer>> timers;
    for (const contender& one : all) {
      timers.push_back(std::make_unique<bench::graph_timer>(n < (1 << 22) ? 128 : 8, one.pass));
      T sum{};
      check(cudaMemcpy(&sum, out, sizeof(T), cudaMemcpyDeviceToHost), "copy the sum");
      if (!(std::abs(double(sum) - wanted) <= 1e-4 * wanted)) {
        std::fprintf(stderr, "%s of %lld %s gave %g in place of %g\n", one.name, static_cast<long long>(n), type,
                     double(sum), wanted);
        std::exit(1);
      }
    }
    std::vector<bench::samples> us(all.size());
    for (int round = 0; round < 31; ++round) {
      bench::take_turns(round, int(all.size()),
                        [&](int i) { us[std::size_t(i)].add(timers[std::size_t(i)]->us_per_pass()); });
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::printf("%-4s 2^%-3d %-30s %10.2f us\n", type, log2, all[i].name, us[i].median());
      if (file) {
        std::fprintf(
            file,
            "%s  {\"type\": \"%s\", \"n\": %lld, \"contender\": \"%s\", \"us\": %.3f, \"quartiles\": [%.3f, %.3f]}",
            separator, type, static_cast<long long>(n), all[i].name, us[i].median(), us[i].quantile(0.25),
            us[i].quantile(0.75));
        separator = ",\n";
      }
    }
  }
  check(cudaFree(in), "free");
  check(cudaFree(out), "free");
  check(cudaFree(temporary), "free");
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* const file = argc > 1 ? bench::open_results(argv[1], CUB_VERSION) : nullptr;
  if (file) std::fprintf(file, ",\n \"rows\": [");
  const char* separator = "\n";
  measure<float>("f32", file, separator);
  measure<double>("f64", file, separator);
  if (!file) return 0;
  std::fprintf(file, "\n ]\n}\n");
  return std::fclose(file) == 0 ? 0 : 1;
}
