// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// What is done with the runs, and the types of keys and values.
enum class run_problem { sum_i32, sum_f32, sum_i64_i32, lengths_i32 };
inline constexpr run_problem run_problems[] = {run_problem::sum_i32, run_problem::sum_f32, run_problem::sum_i64_i32,
                                               run_problem::lengths_i32};

inline const char* name_of(run_problem p) {
  switch (p) {
    case run_problem::sum_i32:
      return "reduce_by_key i32, i32";
    case run_problem::sum_f32:
      return "reduce_by_key i32, f32";
    case run_problem::sum_i64_i32:
      return "reduce_by_key i64, i32";
    default:
      return "run_length_encode i32";
  }
}

struct run_pass {
  const void* keys;
  const void* values;
  std::int64_t n;
  void* unique;
  void* results;  ///< sums, or lengths of 32 bits
  int* runs;
};

struct run_contender {
  std::string name;
  cudaError_t (*enqueue)(run_problem, const run_pass&, cudaStream_t);
};

std::vector<run_contender>& run_contenders();

/// A file's contender enters itself before main begins.
struct enter_run_contender {
  explicit enter_run_contender(run_contender who) { run_contenders().push_back(who); }
};

}  // namespace bench
