// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/top_k/top_k_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/scratch_lease.cuh>
#include <gpuprim/launch/workspace_lease.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// The launch of a top-k: how many blocks work on a row, and what memory they share.
template <top_k_policy Policy>
struct top_k_launch {
  using sampling = top_k_sampling<Policy>;
  static constexpr int block_size = Policy.block_size, thread_bytes = Policy.loads * load_bytes;
  /// Rows up to which several blocks work on each. Their digits are counted in memory.
  static constexpr std::int64_t most_shared_rows = 128;
  /// Rows that are worked on at once, each of which has scratch memory.
  static constexpr std::int64_t most_teams = 512;

  static constexpr std::int64_t lower(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  static constexpr bool is_small(std::int64_t most) { return most <= block_size * Policy.alone_items; }
  /// Room for the candidates of a row of at most so many keys, and for its sample.
  static constexpr std::int64_t candidates(std::int64_t most, std::int64_t k) {
    if (most < Policy.least_sampled || most < 2 * sampling::size || k >= most / 8) return 0;
    const std::int64_t count = lower(sampling::count_candidates(most, k), lower(most / 4, Policy.most_candidates));
    return count < sampling::size ? sampling::size : count;
  }
  template <class Word, top_k_places Places>
  static constexpr std::int64_t scratch_bytes(std::int64_t teams, int parts, std::int64_t candidates,
                                              std::int64_t results) {
    if (parts == 1 && candidates == 0 && results == 0) return 0;
    return teams * top_k_scratch<Word, Places>::bytes(candidates, results);
  }

  /// What is enough for every GPU. `Word`: that of the keys.
  template <class Word>
  static constexpr workspace_size find_workspace(std::int64_t most, std::int64_t rows, std::int64_t k) {
    if (most <= 0 || rows <= 0 || k <= 0) return {};
    const bool are_shared = rows <= most_shared_rows && !is_small(most);
    const std::int64_t zeroed = are_shared ? rows * std::int64_t(sizeof(top_k_team<block_size>)) : 0;
    const std::int64_t sorted = lower(lower(k, most), most_sorted_results);
    return {zeroed, scratch_bytes<Word, top_k_places::kept>(lower(rows, most_teams), 2, candidates(most, k), sorted)};
  }

  template <class Pass>
  static constexpr auto find_kernel() { return &top_k_kernel<Pass>; }

  /// Sets how many blocks work on a row, of which the longest has so many keys.
  template <class Pass>
  static found_shape find_shape(Pass& pass, std::int64_t most) {
    found_shape found = detail::find_shape<find_kernel<Pass>()>(max_grid_blocks, block_size);
    if (found.error != cudaSuccess) return found;
    const std::int64_t resident = found.grid.grid_size, rows = pass.rows.count;
    std::int64_t parts = 1;
    if (rows <= most_shared_rows && !is_small(most)) {
      parts = lower(resident / rows, (most - 1) / (block_size * Policy.alone_items) + 1);
    }
    pass.parts = parts > 1 ? int(parts) : 1;
    pass.candidates = candidates(most, pass.k);
    pass.sorted = pass.form == top_k_form::sorted ? lower(pass.k, most) : 0;
    found.grid.grid_size = int(pass.parts > 1 ? rows * parts : lower(rows, lower(resident, most_teams)));
    return found;
  }

  template <class Pass>
  static outcome run(Pass pass, const found_shape& found, const options& how) {
    const std::int64_t teams = found.grid.grid_size / pass.parts;
    workspace_lease zeroed(pass.parts > 1 ? teams * std::int64_t(sizeof(typename Pass::team)) : 0, how);
    if (zeroed.error()) return zeroed.refusal();
    scratch_lease scratch(
        scratch_bytes<typename Pass::word, Pass::places>(teams, pass.parts, pass.candidates, pass.sorted), how);
    if (scratch.error()) {
      (void)zeroed.finish(cudaSuccess);
      return scratch.refusal();
    }
    pass.teams = static_cast<typename Pass::team*>(zeroed.data());
    pass.scratch_memory = scratch.data();
    const cudaError_t launched = gpuprim::launch(found.when, find_kernel<Pass>(), found.grid, how.stream, pass);
    return zeroed.finish(scratch.finish(launched).code);
  }
};

}  // namespace gpuprim::detail
