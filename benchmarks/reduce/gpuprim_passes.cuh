// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/check.hpp"
#include "passes.hpp"

#include <gpuprim/reduce.cuh>

#include <cmath>

namespace bench {

template <class Op, class T>
using result_of = gpuprim::default_accumulator<Op, T>;

/// The value to start from: the identity where the operator has one, else zeros.
template <class Op, class T>
result_of<Op, T> initial_value() {
  using Acc = result_of<Op, T>;
  if constexpr (gpuprim::has_identity<Op, Acc>) return gpuprim::identity_element<Op, Acc>::value();
  else return Acc{};
}

template <class Op, class T>
class gpuprim_pass final : public pass {
 public:
  explicit gpuprim_pass(std::int64_t n) : workspace_(gpuprim::reduce_workspace_bytes<result_of<Op, T>>(n)) {}
  cudaError_t run(const void* in, std::int64_t n, void* out, cudaStream_t s) override {
    return gpuprim::reduce(static_cast<const T*>(in), n, static_cast<result_of<Op, T>*>(out), Op{},
                           initial_value<Op, T>(), {.stream = s, .workspace = &workspace_});
  }

 private:
  gpuprim::workspace workspace_;
};

template <class Number>
__global__ void fill_kernel(Number* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = Number(float((std::uint64_t(i) * 2654435761u >> 7) % 5 + 1));
  }
}

template <class Number>
void fill(void* data, std::int64_t bytes) {
  fill_kernel<<<2048, 256>>>(static_cast<Number*>(data), bytes / std::int64_t(sizeof(Number)));
  check(cudaGetLastError(), "fill the inputs");
  check(cudaDeviceSynchronize(), "fill the inputs");
}

/// Results differ by rounding, because each library adds in its own order.
template <class Part, class Result>
bool agree(const void* one, const void* other) {
  for (std::size_t i = 0; i < sizeof(Result) / sizeof(Part); ++i) {
    const double a = double(static_cast<const Part*>(one)[i]), b = double(static_cast<const Part*>(other)[i]);
    if (!(std::abs(a - b) <= 1e-4 * std::abs(a))) return false;
  }
  return true;
}

/// Enters a type and an operator. `Number` is what the type is made of.
template <class Op, class T, class Number = T>
bool add_problem(const char* type, const char* op, const char* number) {
  using Result = result_of<Op, T>;
  // Where the result is of another type than the elements, it is a number itself.
  using Part = std::conditional_t<std::is_same_v<Result, T>, Number, Result>;
  const make_pass make = [](std::int64_t n) -> std::unique_ptr<pass> {
    return std::make_unique<gpuprim_pass<Op, T>>(n);
  };
  problems().push_back(
      {type, op, int(sizeof(T)), int(sizeof(Result)), make, &fill<Number>, number, &agree<Part, Result>});
  return true;
}

}  // namespace bench
