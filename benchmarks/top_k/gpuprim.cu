// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/top_k.cuh>

namespace {

/// The first call of a count reserves the workspace: it is outside of a capture.
cudaError_t enqueue(const bench::top_k_problem& problem, const bench::key_pass& p, cudaStream_t s) {
  static gpuprim::workspace workspace;
  return bench::with_key_type(problem, [&]<class T>() {
    const std::int64_t rows = problem.rows, k = problem.k;
    const gpuprim::fixed_length where{problem.length};
    constexpr auto sorted = gpuprim::largest.sorted();
    const auto size = rows == 0 ? gpuprim::top_k_workspace_size<T>(p.n, k, sorted)
                                : gpuprim::segmented_top_k_workspace_size<T>(where, rows, k, sorted);
    if (cudaError_t e = workspace.reserve(size)) return e;
    const gpuprim::options how{.stream = s, .workspace = &workspace};
    const auto* const in = static_cast<const T*>(p.keys);
    auto* const out = static_cast<T*>(p.keys_out);
    auto* const positions = static_cast<int*>(p.values_out);
    if (rows > 0) {
      return gpuprim::segmented_top_k_positions(in, where, rows, k, out, positions, sorted, how);
    }
    if (problem.has_positions) {
      return gpuprim::top_k_positions(in, p.n, k, out, positions, sorted, how);
    }
    return gpuprim::top_k(in, p.n, k, out, how);
  });
}

const bench::enter_top_k_contender entered({"gpuprim", enqueue});

}  // namespace
