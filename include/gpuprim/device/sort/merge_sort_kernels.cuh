// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_load_store.cuh>
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// The first pass of a merge sort: each block sorts one tile.
template <class Shape, class In, class Out, class Less>
struct tile_sort_pass {
  using shape = Shape;
  In in;
  Out out;
  std::int64_t n;
  Less less;
};

/// Every other pass merges pairs of neighbouring runs of `run_tiles` tiles, a power of two: each block makes one tile.
template <class Shape, class Array, class Less>
struct run_merge_pass {
  using shape = Shape;
  Array in, out;
  std::int64_t n;
  unsigned run_tiles;
  Less less;
};

/// Reads a tile from number `first` on, which has `count` elements.
template <int BlockSize, class In, class T, int Items>
__device__ __forceinline__ void read_tile(const In& in, std::int64_t first, int count, T (&values)[Items]) {
  const int rank = int(this_block::thread_rank());
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int at = i * BlockSize + rank;
    if (at < count) values[i] = in[first + at];
  }
  gpuprim::block_striped_to_blocked<BlockSize>(this_block{}, values);
}

template <class Shape, class Keys, class KeysOut, class Less>
__device__ __forceinline__ void sort_tile(const key_array<Keys>& in, const key_array<KeysOut>& out, std::int64_t first,
                                          int count, const Less& less) {
  constexpr int size = Shape::block_size;
  uninitialized_array<input_value<Keys>, Shape::items> keys;
  detail::read_tile<size>(in.keys, first, count, keys.items);
  gpuprim::block_sort<size>(this_block{}, keys.items, less, count);
  gpuprim::block_store<size>(this_block{}, keys.items, out.keys + first, count);
}

template <class Shape, class Keys, class Values, class KeysOut, class ValuesOut, class Less>
__device__ __forceinline__ void sort_tile(const pair_array<Keys, Values>& in, const pair_array<KeysOut, ValuesOut>& out,
                                          std::int64_t first, int count, const Less& less) {
  constexpr int size = Shape::block_size;
  uninitialized_array<input_value<Keys>, Shape::items> keys;
  uninitialized_array<input_value<Values>, Shape::items> values;
  detail::read_tile<size>(in.keys, first, count, keys.items);
  detail::read_tile<size>(in.values, first, count, values.items);
  gpuprim::block_sort<size>(this_block{}, keys.items, values.items, less, count);
  gpuprim::block_store<size>(this_block{}, keys.items, out.keys + first, count);
  gpuprim::block_store<size>(this_block{}, values.items, out.values + first, count);
}

template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) tile_sort_kernel(Pass pass) {
  using shape = typename Pass::shape;
  ptx::begin_kernel();
  const std::int64_t first = std::int64_t(blockIdx.x) * shape::tile_items, left = pass.n - first;
  detail::sort_tile<shape>(pass.in, pass.out, first, left < shape::tile_items ? int(left) : shape::tile_items,
                           pass.less);
}

template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) run_merge_kernel(Pass pass) {
  using shape = typename Pass::shape;
  ptx::begin_kernel();
  const unsigned first_tile = blockIdx.x & -(2 * pass.run_tiles);
  const std::int64_t first = std::int64_t(first_tile) * shape::tile_items;
  const std::int64_t run = std::int64_t(pass.run_tiles) * shape::tile_items, left = pass.n - first;
  const std::int64_t a_count = left < run ? left : run, b_count = left - a_count < run ? left - a_count : run;
  const auto a = pass.in.from(first), b = pass.in.from(first + a_count);
  detail::merge_tile<shape::block_size, shape::items>(merge_inputs{a, b, a_count, b_count},
                                                      std::int64_t(blockIdx.x - first_tile) * shape::tile_items,
                                                      pass.out.from(std::int64_t(blockIdx.x) * shape::tile_items),
                                                      pass.less);
}

}  // namespace gpuprim::detail
