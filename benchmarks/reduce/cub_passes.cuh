// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CUB's side. A file that includes this adds its types and operators.
#include "../support/check.hpp"
#include "operators.cuh"
#include "passes.hpp"

#include <cub/device/device_reduce.cuh>

#include <cuda/std/functional>

namespace {

/// CUB's calls. They carry the version as a template argument, because all of this is compiled once for each.
template <int Version>
struct cub_calls {
  /// The result's type is the accumulator's.
  struct sum {
    static constexpr const char* name = "DeviceReduce::Sum";
    template <class T, class Result>
    static cudaError_t run(void* storage, std::size_t& bytes, const T* in, Result* out, std::int64_t n,
                           cudaStream_t s) {
      return cub::DeviceReduce::Sum(storage, bytes, in, out, n, s);
    }
  };

  /// Sum does not compile with a float result for 16-bit floating elements: this is how a user adds them in
  /// float.
  struct sum_in_float {
    static constexpr const char* name = "DeviceReduce::Reduce with plus<float>";
    template <class T>
    static cudaError_t run(void* storage, std::size_t& bytes, const T* in, float* out, std::int64_t n, cudaStream_t s) {
      return cub::DeviceReduce::Reduce(storage, bytes, in, out, n, cuda::std::plus<float>{}, 0.0f, s);
    }
  };

  struct minimum {
    static constexpr const char* name = "DeviceReduce::Min";
    template <class T>
    static cudaError_t run(void* storage, std::size_t& bytes, const T* in, T* out, std::int64_t n, cudaStream_t s) {
      return cub::DeviceReduce::Min(storage, bytes, in, out, n, s);
    }
  };

  template <class Op>
  struct reduce {
    static constexpr const char* name = "DeviceReduce::Reduce";
    template <class T>
    static cudaError_t run(void* storage, std::size_t& bytes, const T* in, T* out, std::int64_t n, cudaStream_t s) {
      return cub::DeviceReduce::Reduce(storage, bytes, in, out, n, Op{}, T{}, s);
    }
  };
};
using calls = cub_calls<CUB_VERSION>;

template <class Call, class T, class Result>
class cub_pass final : public bench::pass {
 public:
  explicit cub_pass(std::int64_t n) {
    bench::check(call(nullptr, n, nullptr, nullptr), "size of CUB's storage");
    bench::check(cudaMalloc(&storage_, bytes_), "allocate CUB's storage");
  }
  ~cub_pass() override { (void)cudaFree(storage_); }
  cudaError_t run(const void* in, std::int64_t n, void* out, cudaStream_t s) override { return call(in, n, out, s); }

 private:
  cudaError_t call(const void* in, std::int64_t n, void* out, cudaStream_t s) {
    return Call::run(storage_, bytes_, static_cast<const T*>(in), static_cast<Result*>(out), n, s);
  }
  void* storage_ = nullptr;
  std::size_t bytes_ = 0;
};

template <class Call, class T, class Result = T>
bool add_cub(const char* type, const char* op) {
  bench::cub_entries().push_back(
      {CUB_VERSION, type, op, Call::name,
       [](std::int64_t n) -> std::unique_ptr<bench::pass> { return std::make_unique<cub_pass<Call, T, Result>>(n); }});
  return true;
}

}  // namespace
