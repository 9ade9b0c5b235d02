// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_load_store.cuh>
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// The first pass of a merge sort: each block sorts as many elements as `Tiles` tiles have.
template <class Shape, int Tiles, class In, class Out, class Less>
struct tile_sort_pass {
  static constexpr int size = Tiles * Shape::block_size, items = Shape::items, all = size * items;
  static constexpr int blocks = Shape::blocks > Tiles ? Shape::blocks / Tiles : 1;
  In in;
  Out out;
  std::int64_t n;
  Less less;
};

/// Every other pass merges pairs of neighbouring runs of `run_tiles` tiles, a power of two. One kernel finds where the
/// tiles begin in the first of their runs, and the next one makes them. `in` and `second_in` are one array: a kernel
/// that knows that computes all addresses from it, each by itself.
template <class Shape, class Array, class Less>
struct run_merge_pass {
  using shape = Shape;
  Array in, second_in, out;
  std::int64_t n;
  unsigned run_tiles;
  std::int64_t* begins;
  Less less;

  /// The first tile of the pair of runs to which a tile belongs.
  __device__ __forceinline__ unsigned find_first(unsigned tile) const { return tile & -(2 * run_tiles); }
  __device__ void note_begin(unsigned tile, std::int64_t begin) const { begins[tile] = begin; }
  /// A pair of runs.
  __device__ __forceinline__ auto find_runs(unsigned first_tile) const {
    const std::int64_t first = std::int64_t(first_tile) * Shape::tile_items;
    const std::int64_t run = std::int64_t(run_tiles) * Shape::tile_items, left = n - first;
    const std::int64_t a_count = left < run ? left : run, b_count = left - a_count < run ? left - a_count : run;
    return merge_inputs{in.from(first), second_in.from(first + a_count), a_count, b_count};
  }
};

/// Reads a tile from number `first` on, which has `count` elements.
template <int BlockSize, class In, class T, int Items>
__device__ __forceinline__ void read_tile(const In& in, std::int64_t first, int count, T (&values)[Items]) {
  const auto own = detail::shift(in, first + std::int64_t(this_block::thread_rank()));
  detail::for_striped<BlockSize, Items>(count, [&](int i) { values[i] = own[i * BlockSize]; });
  gpuprim::block_striped_to_blocked<BlockSize>(this_block{}, values);
}

template <class Pass, class Keys, class KeysOut, class Less>
__device__ __forceinline__ void sort_tile(const key_array<Keys>& in, const key_array<KeysOut>& out, std::int64_t first,
                                          int count, const Less& less) {
  constexpr int size = Pass::size;
  uninitialized_array<input_value<Keys>, Pass::items> keys;
  detail::read_tile<size>(in.keys, first, count, keys.items);
  ptx::let_next_grid_start();
  gpuprim::block_sort<size>(this_block{}, keys.items, less, count);
  gpuprim::block_store<size>(this_block{}, keys.items, out.keys + first, count);
}

template <class Pass, class Keys, class Values, class KeysOut, class ValuesOut, class Less>
__device__ __forceinline__ void sort_tile(const pair_array<Keys, Values>& in, const pair_array<KeysOut, ValuesOut>& out,
                                          std::int64_t first, int count, const Less& less) {
  constexpr int size = Pass::size;
  uninitialized_array<input_value<Keys>, Pass::items> keys;
  uninitialized_array<input_value<Values>, Pass::items> values;
  detail::read_tile<size>(in.keys, first, count, keys.items);
  detail::read_tile<size>(in.values, first, count, values.items);
  ptx::let_next_grid_start();
  gpuprim::block_sort<size>(this_block{}, keys.items, values.items, less, count);
  gpuprim::block_store<size>(this_block{}, keys.items, out.keys + first, count);
  gpuprim::block_store<size>(this_block{}, values.items, out.values + first, count);
}

template <class Pass>
__global__ void __launch_bounds__(Pass::size, Pass::blocks) tile_sort_kernel(Pass pass) {
  constexpr int all = Pass::all;
  ptx::wait_for_previous_grid();
  const std::int64_t first = std::int64_t(blockIdx.x) * all, left = pass.n - first;
  detail::sort_tile<Pass>(pass.in, pass.out, first, left < all ? int(left) : all, pass.less);
}

/// A block makes a tile.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) run_merge_kernel(Pass pass) {
  using shape = typename Pass::shape;
  constexpr int all = shape::tile_items;
  ptx::wait_for_previous_grid();
  const unsigned tile = blockIdx.x, first_tile = pass.find_first(tile);
  const auto runs = pass.find_runs(first_tile);
  const std::int64_t first = std::int64_t(tile - first_tile) * all, left = runs.a_count + runs.b_count - first;
  const std::int64_t a = pass.begins[tile], a_end = left > all ? pass.begins[tile + 1] : runs.a_count;
  const tile_parts parts = detail::make_parts(runs, first, first + (left < all ? left : all), a, a_end);
  detail::merge_tile<shape::block_size, shape::items>(runs, parts, pass.out.from(std::int64_t(tile) * all), pass.less);
}

}  // namespace gpuprim::detail
