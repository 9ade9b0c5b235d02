// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/reduce_by_key.cuh>

#include <algorithm>

namespace {

using bench::run_pass;

template <class Key, class Value>
cudaError_t sum(const run_pass& p, const gpuprim::options& how) {
  return gpuprim::reduce_by_key(static_cast<const Key*>(p.keys), static_cast<const Value*>(p.values), p.n,
                                static_cast<Key*>(p.unique), static_cast<Value*>(p.results), p.runs, gpuprim::plus{},
                                how);
}

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(bench::run_problem problem, const run_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  const std::int64_t bytes = std::max({gpuprim::reduce_by_key_workspace_bytes<int, int>(p.n),
                                       gpuprim::reduce_by_key_workspace_bytes<int, float>(p.n),
                                       gpuprim::reduce_by_key_workspace_bytes<std::int64_t, int>(p.n),
                                       gpuprim::run_length_encode_workspace_bytes<int>(p.n)});
  if (cudaError_t e = workspace.reserve(bytes)) return e;
  const gpuprim::options how{.stream = s, .workspace = &workspace};
  switch (problem) {
    case bench::run_problem::sum_i32:
      return sum<int, int>(p, how);
    case bench::run_problem::sum_f32:
      return sum<int, float>(p, how);
    case bench::run_problem::sum_i64_i32:
      return sum<std::int64_t, int>(p, how);
    default:
      return gpuprim::run_length_encode(static_cast<const int*>(p.keys), p.n, static_cast<int*>(p.unique),
                                        static_cast<int*>(p.results), p.runs, how);
  }
}

const bench::enter_run_contender entered({"gpuprim", enqueue});

}  // namespace
