// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/device/top_k/top_k_cluster.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <cstdint>
#include <limits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The blocks of a cluster prefetch what they will hold of a row to the L2 cache.
template <class Pass>
__device__ __forceinline__ void prefetch_row(const Pass& pass, std::int64_t row) {
  if (this_block::thread_rank() != 0) return;
  const std::int64_t begin = pass.rows.begin(row), n = pass.rows.end(row) - begin, part = n / ptx::cluster_size() + 1;
  const int items = int(part < top_k_cluster_keys<Pass>::block_keys ? part : top_k_cluster_keys<Pass>::block_keys);
  detail::prefetch_tile(detail::skip_items(pass.in, begin), std::int64_t{items} * ptx::cluster_rank(), n, items);
}

/// Finds the k largest of each row, by a cluster at a time. Where there are no clusters it is not launched.
template <class Pass>
__global__ void __launch_bounds__(Pass::policy.cluster_block_size, Pass::policy.cluster_blocks_per_multiprocessor)
    top_k_cluster_kernel(Pass pass) {
  if constexpr (ptx::has_clusters) {
    auto& shared = *dynamic_shared<top_k_cluster_shared<Pass>>();
    const int block_bits = __ffs(int(ptx::cluster_size())) - 1, first = int(blockIdx.x) >> block_bits;
    ptx::let_next_grid_start();
    if constexpr (Pass::rows_type::are_even) detail::prefetch_row(pass, first);
    ptx::wait_for_previous_grid();
#pragma unroll 1
    for (std::int64_t row = first; row < pass.rows.count;) {
      const std::int64_t begin = pass.rows.begin(row), n = pass.rows.end(row) - begin, k = pass.k_of(row);
      top_k_cluster<Pass> cluster(pass, shared, {row, begin, unsigned(n), unsigned(n > k ? k : n)});
      if (n > 0 && k > 0) cluster.run(unsigned(n), unsigned(n > k ? k : n));
      this_block::sync();
      row = shared.row.number + (gridDim.x >> block_bits);
      ptx::sync_cluster_shared();  // nobody needs the shared memory of the row any more
    }
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail

namespace gpuprim::inline v0_2_0::detail {

/// The launch of a top-k in which each row has a cluster. It needs no memory.
template <top_k_policy Policy>
struct top_k_cluster_launch {
  static constexpr int thread_bytes = Policy.cluster_loads * load_bytes, block_size = Policy.cluster_block_size;
  static constexpr bool lists_results = false;
  /// Clusters of a launch, at most; each takes one row after the other.
  static constexpr std::int64_t most_clusters = 1 << 10;

  template <class Pass>
  static constexpr auto find_kernel() {
    return &top_k_cluster_kernel<Pass>;
  }

  /// Whether a cluster can find the k largest of a row: an entry has the word of a key and its place in 64 bits.
  template <class Pass>
  static constexpr bool serves = Policy.cluster_blocks > 0 && 4 >= sizeof(typename Pass::word) && !Pass::gives_last;

  /// Sets the groups of a row. It does not fit where rows are so short that a block is enough, or so long that the
  /// whole GPU should work on one, or where one block cannot rank the results that have an order.
  template <class Pass>
  static found_shape find_shape(Pass& pass) {
    const std::int64_t keys = pass.rows.average();
    // Where k is so large that groups are not compared, all keys are looked at again for each digit.
    const int rounds = 2 * pass.k > most_top_k_groups ? Policy.cluster_rounds / 2 : Policy.cluster_rounds;
    const std::int64_t most_keys = std::int64_t{Policy.cluster_blocks} * rounds * top_k_cluster_keys<Pass>::block_keys;
    const bool is_unranked = pass.k > most_block_sorted && pass.rows.most() > most_block_sorted;
    const bool has_places = pass.rows.most() <= (std::numeric_limits<std::uint32_t>::max)();  // as an entry has them
    found_shape found;
    found.error = does_not_fit;
    if (keys >= Policy.least_clustered && most_keys >= keys && has_places && !(Pass::is_sorted && is_unranked)) {
      // A GPU that has no cluster of two blocks has none.
      found = detail::find_cluster_shape<find_kernel<Pass>(), shared_bytes<Pass>, 2>(block_size);
      if (found.error == cudaSuccess) find_cluster<Policy.cluster_blocks>(pass, keys, found);
    }
    return found;
  }

  template <class Pass>
  static outcome run(const Pass& pass, const found_shape& found, const options& how) {
    return detail::launch_main(found, find_kernel<Pass>(), thread_bytes, how, pass);
  }

 private:
  template <class Pass>
  static constexpr int shared_bytes = int(sizeof(top_k_cluster_shared<Pass>));

  /// With so many blocks, or fewer if these have nothing to load, or if not all rows are worked on at once.
  template <int Blocks, class Pass>
  static void find_cluster(Pass& pass, std::int64_t keys, found_shape& found) {
    using held = top_k_cluster_keys<Pass>;
    const std::int64_t rows = pass.rows.count;
    found = detail::find_cluster_shape<find_kernel<Pass>(), shared_bytes<Pass>, Blocks>(block_size);
    if constexpr (Blocks > 1) {
      constexpr int fewer = Blocks / 2;
      constexpr std::int64_t of_one_load = std::int64_t{fewer} * held::block_keys / Policy.cluster_loads;
      const bool is_short = found.error == cudaSuccess && rows > found.grid.grid_size / Blocks;
      if (found.error == does_not_fit || is_short || of_one_load >= keys) {
        return find_cluster<fewer>(pass, keys, found);
      }
    }
    if (found.error == cudaSuccess && keys > std::int64_t{Blocks} * held::most_rounds * held::block_keys) {
      found.error = does_not_fit;
    }
    if (found.error != cudaSuccess) return;
    found.grid.grid_size = int(most_clusters > rows ? rows : most_clusters) * Blocks;
    // Fewer groups of a block would spread what it has of neighbouring keys too little.
    constexpr int least = 2 * warp_size, most = top_k_greatest<typename Pass::word>::parts * block_size;
    pass.groups = Blocks * least;
    while (Blocks * most > pass.groups && most_top_k_groups > pass.groups && 4 * pass.k > pass.groups) pass.groups *= 2;
  }
};

}  // namespace gpuprim::detail
