// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of floats as a value on the host, one library a process, because what else a process holds tells in the time of
// a library that allocates in each call: a process whose allocations are all large maps and unmaps 2 MiB for each small
// one. value_alone gpuprim|thrust. Prints lines of JSON.
#include "../support/check.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"

#include <gpuprim/reduce.cuh>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstdio>
#include <string>

namespace {

constexpr int largest_exponent = 22, warm_up_calls = 20, calls = 201;

float sum(const std::string& library, const float* in, std::int64_t n, cudaStream_t s) {
  if (library == "gpuprim") return gpuprim::reduce_value(in, n, gpuprim::plus{}, 0.0f, {.stream = s});
  return thrust::reduce(thrust::cuda::par.on(s), in, in + n);
}

bool time_sums(const std::string& library, const char* held, const float* in, cudaStream_t s) {
  for (int exponent = 8; exponent <= largest_exponent; exponent += 2) {
    const std::int64_t bytes = std::int64_t(1) << exponent, n = bytes / std::int64_t(sizeof(float));
    bench::samples us;
    for (int call = -warm_up_calls; call < calls; ++call) {
      const auto begin = std::chrono::steady_clock::now();
      const float got = sum(library, in, n, s);
      if (call >= 0) us.add(bench::us_since(begin));
      if (got != 0) return false;
    }
    std::printf(
        "{\"library\": \"%s\", \"held\": \"%s\", \"bytes\": %lld, \"calls\": %d, \"median_us\": %.1f, "
        "\"quartiles_us\": [%.1f, %.1f]}\n",
        library.c_str(), held, static_cast<long long>(bytes), calls, us.median(), us.quantile(0.25), us.quantile(0.75));
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string library = argc == 2 ? argv[1] : "";
  if (library != "gpuprim" && library != "thrust") {
    std::fprintf(stderr, "usage: value_alone gpuprim|thrust\n");
    return 2;
  }
  constexpr std::size_t input_bytes = std::size_t(64) << 20;
  float* in = nullptr;
  void* small = nullptr;
  bench::check(cudaMalloc(&in, input_bytes), "allocate the input");
  bench::check(cudaMemset(in, 0, input_bytes), "clear the input");
  bench::check(cudaDeviceSynchronize(), "wait");
  bench::stream s;
  bool agree = time_sums(library, "64 MiB", in, s);
  bench::check(cudaMalloc(&small, 256), "allocate 256 bytes");
  agree = time_sums(library, "64 MiB and 256 B", in, s) && agree;
  (void)cudaFree(small);
  (void)cudaFree(in);
  if (!agree) std::fprintf(stderr, "the sum of zeros is not zero\n");
  return agree ? 0 : 1;
}
