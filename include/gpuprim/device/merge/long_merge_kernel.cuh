// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merges of many tiles, where a kernel before has found where each begins.
#include <gpuprim/block/merge_tile.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Writes the items of a tile, of which each thread has some that follow each other, to the beginning of `out`. A warp
/// exchanges its own in the tile's memory, which nobody else uses.
template <class Shape, class Item, class Out>
__device__ __forceinline__ void write_items_of_warp(const Out& out, int count, unsigned char* memory,
                                                    Item (&items)[Shape::items]) {
  const int rank = int(this_block::thread_rank()), lane = rank % warp_size, first = (rank - lane) * Shape::items;
  const exchange_tile<Item, warp_size, Shape::items> own{memory + first * int(sizeof(Item))};
  own.store_blocked(unsigned(lane), items);
  __syncwarp();
  own.load_striped(unsigned(lane), items);
  const auto to = out.from(first + lane);
  const int left = count == Shape::tile_items ? warp_size * Shape::items : count - first - lane;
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) {
    if (i * warp_size < left) to.write(i * warp_size, items[i]);
  }
}

/// Merges the keys of a tile to the beginning of `out`. `note`: as for merge_long_runs. All threads call it; two
/// barriers.
template <class Shape, class A, class B, class Out, class Less, class Note = no_note>
__device__ __forceinline__ part_places merge_keys_of_tile(const merge_inputs<A, B>& in, const tile_parts& parts,
                                                          const Out& out, unsigned char* memory, ptx::copy_round* round,
                                                          const Less& less, const Note& note = {}) {
  using key = typename merge_inputs<A, B>::item_type;
  const block_tile<Shape::block_size, key, Shape::items> tile{memory};
  const part_places places = detail::bring_parts<Shape::block_size, Shape::items>(in, parts, tile, round, 0);
  uninitialized_array<key, Shape::items> keys;
  const tile_runs runs{places.a, places.a + parts.a_count, places.b, places.b + parts.count - parts.a_count};
  const int rank = int(this_block::thread_rank());
  detail::merge_long_runs(tile, runs, rank * Shape::items, less, keys.items, note);
  this_block::sync();
  detail::write_items_of_warp<Shape>(out, parts.count, memory, keys.items);
  return places;
}

template <class Shape, class Keys, class B, class KeysOut, class Less>
__device__ __forceinline__ void merge_long_tile(const merge_inputs<key_array<Keys>, B>& in, const tile_parts& parts,
                                                const key_array<KeysOut>& out, const Less& less) {
  using stage_type = part_stage<input_value<Keys>, Shape::tile_items>;
  GPUPRIM_SHARED(stage, stage_type);
  GPUPRIM_SHARED(round, ptx::copy_round);
  if (this_block::thread_rank() == 0) ptx::begin_copy_rounds(&round);
  ptx::let_next_grid_start();
  detail::merge_keys_of_tile<Shape>(in, parts, out, stage.bytes, &round, less);
}

/// Merges keys, and then moves their values from where each key was.
template <class Shape, class Keys, class Values, class BKeys, class BValues, class KeysOut, class ValuesOut, class Less>
__device__ __forceinline__ void merge_long_tile(
    const merge_inputs<pair_array<Keys, Values>, pair_array<BKeys, BValues>>& in, const tile_parts& parts,
    const pair_array<KeysOut, ValuesOut>& out, const Less& less) {
  using key = input_value<Keys>;
  using value = input_value<Values>;
  union stages {
    part_stage<key, Shape::tile_items> keys;
    part_stage<value, Shape::tile_items> values;
  };
  GPUPRIM_SHARED(stage, stages);
  GPUPRIM_SHARED(round, ptx::copy_round);
  if (this_block::thread_rank() == 0) ptx::begin_copy_rounds(&round);
  ptx::let_next_grid_start();
  const merge_inputs keys_in{key_array<Keys>{in.a.keys}, key_array<BKeys>{in.b.keys}, in.a_count, in.b_count};
  const merge_inputs values_in{key_array<Values>{in.a.values}, key_array<BValues>{in.b.values}, in.a_count, in.b_count};
  int at[Shape::items];
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) at[i] = 0;
  const part_places keys_at =
      detail::merge_keys_of_tile<Shape>(keys_in, parts, key_array<KeysOut>{out.keys}, stage.keys.bytes, &round, less,
                                        [&](int i, int place) { at[i] = place; });
  this_block::sync();
  constexpr bool again = may_copy_parts<key_array<Keys>, key_array<BKeys>>;
  const block_tile<Shape::block_size, value, Shape::items> tile{stage.values.bytes};
  const part_places values_at =
      detail::bring_parts<Shape::block_size, Shape::items>(values_in, parts, tile, &round, again ? 1 : 0);
  uninitialized_array<value, Shape::items> values;
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) {
    const int place = at[i] >= keys_at.b ? at[i] - keys_at.b + values_at.b : at[i] - keys_at.a + values_at.a;
    tile.load_at(unsigned(place), values[i]);
  }
  this_block::sync();
  detail::write_items_of_warp<Shape>(key_array<ValuesOut>{out.values}, parts.count, stage.values.bytes, values.items);
}

/// Each block merges a tile.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) long_merge_kernel(Pass pass) {
  using shape = typename Pass::shape;
  ptx::wait_for_previous_grid();
  if constexpr (requires { pass.cut(); }) {
    pass.cut();
    if (std::int64_t(blockIdx.x) * shape::tile_items >= pass.n) return;
  }
  const auto out = pass.out.from(std::int64_t(blockIdx.x) * shape::tile_items);
  detail::merge_long_tile<shape>(pass.in, detail::find_noted_parts<Pass::shape::tile_items>(pass.in, pass.begins), out,
                                 pass.less);
}

}  // namespace gpuprim::detail
