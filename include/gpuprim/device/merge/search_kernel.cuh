// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The search for where the tiles of merges begin, by a kernel of its own.
#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Threads of a block that searches.
inline constexpr int search_size = 256;

/// Keys from number `base` on.
template <class Keys>
struct later_keys {
  Keys keys;
  std::int64_t base;
  __device__ __forceinline__ decltype(auto) operator[](std::int64_t i) const {
    return detail::element_at(keys, base + i);
  }
};

/// Every `Step`-th element of an array.
template <int Step, class Keys>
struct sparse_keys {
  Keys keys;
  __device__ __forceinline__ decltype(auto) operator[](std::int64_t i) const {
    return detail::element_at(keys, i * Step);
  }
};

/// Where tile number `tile` of a pair of runs begins in the first run. If there are many places, a team of lanes first
/// looks at those where tiles of the runs begin, at which the searches for other tiles look as well, and then within
/// one tile.
template <int Lanes, int TileItems, class Runs, class Less>
__device__ __forceinline__ std::int64_t find_tile_begin(const Runs& runs, std::int64_t tile, const Less& less) {
  const warp_tile<Lanes> team;
  const auto a = runs.a.keys;
  const auto b = runs.b.keys;
  const std::int64_t diagonal = tile * TileItems;
  path_range<std::int64_t> left(runs.a_count, runs.b_count, diagonal);
  if (left.high - left.low > 2 * TileItems) {
    const std::int64_t a_tiles = (runs.a_count + TileItems - 1) / TileItems, b_tiles = runs.b_count / TileItems;
    const sparse_keys<TileItems, later_keys<decltype(runs.a.keys)>> first_of_a{{a, 0}};
    const sparse_keys<TileItems, later_keys<decltype(runs.b.keys)>> last_of_b{{b, TileItems - 1}};
    const std::int64_t found = gpuprim::warp_merge_path(team, first_of_a, a_tiles, last_of_b, b_tiles, tile, less);
    const std::int64_t last = found * TileItems;
    if (left.low <= last - TileItems) left.low = last - TileItems + 1;
    if (left.high > last) left.high = last;
  }
  const int length = int(left.high - left.low);
  return left.low + gpuprim::warp_merge_path(team, later_keys<decltype(runs.a.keys)>{a, left.low}, length,
                                             later_keys<decltype(runs.b.keys)>{b, diagonal - left.high}, length, length,
                                             less);
}

/// Each team of lanes searches for where a tile begins.
template <class Pass>
__global__ void __launch_bounds__(search_size) run_search_kernel(Pass pass) {
  constexpr int tile_items = Pass::shape::tile_items, lanes = Pass::shape::search_lanes;
  ptx::begin_kernel();
  if constexpr (requires { pass.cut(); }) pass.cut();
  const std::int64_t tile = (std::int64_t(blockIdx.x) * search_size + threadIdx.x) / lanes;
  if (tile * tile_items >= pass.n) return;
  const unsigned first_tile = pass.find_first(unsigned(tile));
  const auto runs = pass.find_runs(first_tile);
  const std::int64_t begin = detail::find_tile_begin<lanes, tile_items>(runs, tile - first_tile, pass.less);
  if (threadIdx.x % lanes == 0) pass.note_begin(unsigned(tile), begin);
}

/// Launches the search for where tiles begin, and the kernel that makes them, whose launch has been found.
template <auto Kernel, class Pass>
cudaError_t launch_behind_search(const found_shape& found, const Pass& pass, std::int64_t tiles, const options& how) {
  constexpr int searches = search_size / Pass::shape::search_lanes;
  constexpr auto search_kernel = &run_search_kernel<Pass>;
  const std::int64_t blocks = (tiles + searches - 1) / searches;
  const found_shape search = detail::find_shape<search_kernel>(1, search_size).with_blocks(blocks);
  if (search.error != cudaSuccess) return search.error;
  if (found.error != cudaSuccess) return found.error;
  const cudaError_t error = gpuprim::launch(search.when, search_kernel, search.grid, how, pass);
  return error != cudaSuccess ? error : gpuprim::launch(found.when, Kernel, found.grid, how, pass);
}

/// Launches both, with memory for where tiles begin: the kernel's grid has a block for each.
template <auto Kernel, class Pass>
outcome use_behind_search(const found_shape& found, Pass pass, const options& how) {
  if (found.error != cudaSuccess) return {found.error};
  const std::int64_t tiles = found.grid.grid_size;
  memory_lease lease({0, tiles * std::int64_t(sizeof *pass.begins)}, how);
  if (lease.error()) return lease.refusal();
  pass.begins = reinterpret_cast<std::int64_t*>(lease.scratch());
  return lease.finish(detail::launch_behind_search<Kernel>(found, pass, tiles, how));
}

}  // namespace gpuprim::detail
