// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's passes over runs. Compiled once for each CUB; the version is a template argument, so that each has its own
// code.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include <cuda/std/functional>

namespace {

using bench::run_pass;

template <int Version>
struct cub_runs {
  template <class Key, class Value>
  static cudaError_t sum(const run_pass& p, cudaStream_t s) {
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::ReduceByKey(storage, bytes, static_cast<const Key*>(p.keys),
                                            static_cast<Key*>(p.unique), static_cast<const Value*>(p.values),
                                            static_cast<Value*>(p.results), p.runs, cuda::std::plus<>{}, int(p.n), s);
    });
  }

  static cudaError_t enqueue(bench::run_problem problem, const run_pass& p, cudaStream_t s) {
    switch (problem) {
      case bench::run_problem::sum_i32:
        return sum<int, int>(p, s);
      case bench::run_problem::sum_f32:
        return sum<int, float>(p, s);
      case bench::run_problem::sum_i64_i32:
        return sum<std::int64_t, int>(p, s);
      default:
        return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
          return cub::DeviceRunLengthEncode::Encode(storage, bytes, static_cast<const int*>(p.keys),
                                                    static_cast<int*>(p.unique), static_cast<int*>(p.results), p.runs,
                                                    int(p.n), s);
        });
    }
  }
};

const bench::enter_run_contender entered({"CUB " + std::to_string(CUB_VERSION), cub_runs<CUB_VERSION>::enqueue});

}  // namespace
