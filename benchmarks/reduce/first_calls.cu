// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of floats as a value on the host in the first calls of a process, one library a process:
// first_calls gpuprim|thrust. Prints one line of JSON.
#include "../support/check.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"

#include <gpuprim/reduce.cuh>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  const std::string library = argc == 2 ? argv[1] : "";
  if (library != "gpuprim" && library != "thrust") {
    std::fprintf(stderr, "usage: first_calls gpuprim|thrust\n");
    return 2;
  }
  constexpr std::int64_t n = 1 << 16;
  constexpr int calls = 100;
  float* in = nullptr;
  bench::check(cudaMalloc(&in, n * sizeof(float)), "allocate the input");
  bench::check(cudaMemset(in, 0, n * sizeof(float)), "clear the input");
  bench::check(cudaDeviceSynchronize(), "wait");
  bench::stream s;
  bench::samples us;
  float sum = 0;
  for (int call = 0; call < calls; ++call) {
    const auto begin = std::chrono::steady_clock::now();
    if (library == "gpuprim") sum += gpuprim::reduce_value(in, n, gpuprim::plus{}, 0.0f, {.stream = s});
    else sum += thrust::reduce(thrust::cuda::par.on(s), in, in + n);
    us.add(bench::us_since(begin));
  }
  std::printf("{\"library\": \"%s\", \"n\": %lld, \"calls\": %d, \"median_us\": %.1f, \"quartiles_us\": [%.1f, %.1f]}\n",
              library.c_str(), static_cast<long long>(n), calls, us.median(), us.quantile(0.25), us.quantile(0.75));
  (void)cudaFree(in);
  return sum == 0 ? 0 : 1;
}
