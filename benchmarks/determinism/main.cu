// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the same bits cost: `determinism [results.json]` times sums of floats, prefix sums and sums by key by gpuprim's
// two forms and by CUB, each many times in a CUDA graph, in turns. CUB has three modes of sums from 3.1 on; of an older
// one there are no rows of sums.
#include "../support/results.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"

#include <gpuprim/reduce.cuh>
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/scan.cuh>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
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

/// What calls read and write: values, keys of which each stands 64 times, and room for results of all.
template <class T>
struct arrays {
  const T* in;
  const int* keys;
  T* out;
  int *unique, *runs;
  void* temporary;
  std::size_t temporary_bytes;
};

struct contender {
  const char *call, *name;
  bench::enqueue_pass pass;
};

template <class T>
std::vector<contender> contenders(const arrays<T>& at, std::int64_t n) {
  using gpuprim::plus, gpuprim::reproducible;
  static gpuprim::workspace workspace;
  check(workspace.reserve(gpuprim::workspace_size(std::int64_t{1} << 26)), "reserve the workspace");
  std::vector<contender> all;
  const auto add = [&](const char* call, const char* name, const auto& run) {
    all.push_back({call, name, [=](std::int64_t, cudaStream_t s) {
                     return run(gpuprim::options{.stream = s, .workspace = &workspace});
                   }});
  };
  add("sum", "gpuprim", [=](const auto& how) { return gpuprim::reduce(at.in, n, at.out, plus{}, how); });
  add("sum", "gpuprim, reproducible",
      [=](const auto& how) { return gpuprim::reduce(reproducible, at.in, n, at.out, plus{}, how); });
#if CUB_VERSION >= 300100
  const auto add_cub = [&](const char* name, auto mode) {
    add("sum", name, [=](const auto& how) {
      return cub::DeviceReduce::Sum(
          at.in, at.out, n,
          cuda::std::execution::env{
              cuda::stream_ref{how.stream},
              cuda::std::execution::prop{cuda::mr::get_memory_resource, bench::one_piece{at.temporary}},
              cuda::execution::require(mode)});
    });
  };
  add_cub("CUB not_guaranteed", cuda::execution::determinism::not_guaranteed);
  add_cub("CUB run_to_run", cuda::execution::determinism::run_to_run);
  add_cub("CUB gpu_to_gpu", cuda::execution::determinism::gpu_to_gpu);
#endif
  add("prefix sums", "gpuprim",
      [=](const auto& how) { return gpuprim::inclusive_scan(at.in, n, at.out, plus{}, how); });
  add("prefix sums", "gpuprim, reproducible",
      [=](const auto& how) { return gpuprim::inclusive_scan(reproducible, at.in, n, at.out, plus{}, how); });
  add("prefix sums", "CUB", [=](const auto& how) {
    std::size_t bytes = at.temporary_bytes;
    return cub::DeviceScan::InclusiveSum(at.temporary, bytes, at.in, at.out, n, how.stream);
  });
  add("sums by key", "gpuprim", [=](const auto& how) {
    return gpuprim::reduce_by_key(at.keys, at.in, n, at.unique, at.out, at.runs, plus{}, how);
  });
  add("sums by key", "gpuprim, reproducible", [=](const auto& how) {
    return gpuprim::reduce_by_key(reproducible, at.keys, at.in, n, at.unique, at.out, at.runs, plus{}, how);
  });
  add("sums by key", "CUB", [=](const auto& how) {
    std::size_t bytes = at.temporary_bytes;
    return cub::DeviceReduce::ReduceByKey(at.temporary, bytes, at.keys, at.unique, at.in, at.out, at.runs,
                                          cuda::std::plus<>{}, n, how.stream);
  });
  return all;
}

template <class T>
T* allocate(std::int64_t count) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, std::size_t(count) * sizeof(T)), "allocate");
  return memory;
}

/// The result that comes last: of a sum the only one, of prefix sums that of all, and of sums by key that of the last.
template <class T>
double last_result(const contender& one, const arrays<T>& at, std::int64_t n) {
  const bool is_sum = one.call == std::string("sum"), is_prefix = one.call == std::string("prefix sums");
  T last{};
  check(cudaMemcpy(&last,
                   at.out + (is_sum      ? 0
                             : is_prefix ? n - 1
                                         : n / 64 - 1),
                   sizeof(T), cudaMemcpyDeviceToHost),
        "copy a result");
  return double(last);
}

/// Positive numbers, so that a sum is right to a few roundings in any order.
template <class T>
void measure(const char* type, std::FILE* file, const char*& separator) {
  constexpr std::int64_t largest = std::int64_t{1} << 28;
  std::vector<T> host(static_cast<std::size_t>(largest));
  std::vector<int> keys(static_cast<std::size_t>(largest));
  std::mt19937 random(1);
  for (T& x : host) x = T(random() % 1000 + 1) / T(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = int(i / 64);
  auto* const in = allocate<T>(largest);
  auto* const device_keys = allocate<int>(largest);
  constexpr std::size_t temporary_bytes = std::size_t{1} << 26;
  const arrays<T> at{in,
                     device_keys,
                     allocate<T>(largest),
                     allocate<int>(largest),
                     allocate<int>(1),
                     allocate<char>(temporary_bytes),
                     temporary_bytes};
  check(cudaMemcpy(in, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copy the input");
  check(cudaMemcpy(device_keys, keys.data(), keys.size() * sizeof(int), cudaMemcpyHostToDevice), "copy the keys");
  double sum = 0;
  std::int64_t summed = 0;
  for (int log2 = 12; log2 <= 28; log2 += 4) {
    const std::int64_t n = std::int64_t{1} << log2;
    double last_sum = 0;
    for (; summed < n; ++summed) sum += double(host[std::size_t(summed)]);
    for (std::int64_t i = n - 64; i < n; ++i) last_sum += double(host[std::size_t(i)]);
    const std::vector<contender> all = contenders(at, n);
    std::vector<std::unique_ptr<bench::graph_timer>> timers;
    for (const contender& one : all) {
      timers.push_back(std::make_unique<bench::graph_timer>(n < (1 << 22) ? 128 : 8, one.pass));
      const double got = last_result(one, at, n), wanted = one.call == std::string("sums by key") ? last_sum : sum;
      if (!(std::abs(got - wanted) <= 1e-4 * wanted)) {
        std::fprintf(stderr, "%s by %s of %lld %s gave %g in place of %g\n", one.call, one.name,
                     static_cast<long long>(n), type, got, wanted);
        std::exit(1);
      }
    }
    std::vector<bench::samples> us(all.size());
    for (int round = 0; round < 31; ++round) {
      bench::take_turns(round, int(all.size()),
                        [&](int i) { us[std::size_t(i)].add(timers[std::size_t(i)]->us_per_pass()); });
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::printf("%-12s %-4s 2^%-3d %-24s %10.2f us\n", all[i].call, type, log2, all[i].name, us[i].median());
      if (file) {
        std::fprintf(file,
                     "%s  {\"call\": \"%s\", \"type\": \"%s\", \"n\": %lld, \"contender\": \"%s\", \"us\": %.3f, "
                     "\"quartiles\": [%.3f, %.3f]}",
                     separator, all[i].call, type, static_cast<long long>(n), all[i].name, us[i].median(),
                     us[i].quantile(0.25), us[i].quantile(0.75));
        separator = ",\n";
      }
    }
  }
  check(cudaFree(in), "free");
  check(cudaFree(device_keys), "free");
  for (void* memory :
       {static_cast<void*>(at.out), static_cast<void*>(at.unique), static_cast<void*>(at.runs), at.temporary}) {
    check(cudaFree(memory), "free");
  }
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
