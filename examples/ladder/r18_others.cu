// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// r18, beside the library: CUB's DeviceReduce::Sum, and thrust::reduce, which returns its result to the host and so
// waits for it; the table's time of it has that wait inside.
#include "rung.hpp"

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <cub/device/device_reduce.cuh>

#include <exception>

namespace ladder {

namespace {

template <class T>
rung<T> with_cub() {
  const auto run = [](const task<T>& t) {
    std::size_t bytes = 0;
    if (cudaError_t e = cub::DeviceReduce::Sum(nullptr, bytes, t.in, t.out, t.n, t.stream)) return e;
    if (cudaError_t e = t.workspace->reserve(std::int64_t(bytes))) return e;
    return cub::DeviceReduce::Sum(t.workspace->data(), bytes, t.in, t.out, t.n, t.stream);
  };
  return {.name = "r18 cub::DeviceReduce::Sum", .run = run};
}

template <class T>
rung<T> with_thrust() {
  const auto run = [](const task<T>& t) {
    try {
      *t.host_result = thrust::reduce(thrust::cuda::par.on(t.stream), t.in, t.in + t.n);
      return cudaSuccess;
    } catch (const std::exception&) {
      const cudaError_t e = cudaGetLastError();
      return e == cudaSuccess ? cudaErrorUnknown : e;
    }
  };
  return {.name = "r18 thrust::reduce, to the host", .run = run, .result_on_host = true};
}

}  // namespace

template <class T>
void add_other_libraries(table<T>& to) {
  to.push_back(with_cub<T>());
  to.push_back(with_thrust<T>());
}

template void add_other_libraries(table<float>&);
template void add_other_libraries(table<int>&);

}  // namespace ladder
