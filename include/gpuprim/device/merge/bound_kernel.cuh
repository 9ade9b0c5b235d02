// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Searches of a sorted array for values that are sorted too: a merge that keeps where each value comes to lie.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/merge/merge_kernel.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Of what is equal: values come before elements for lower bounds, and elements before values for upper ones.
enum class come_first { values, elements };

/// `In`: values and elements, those that come first before the others.
template <class Shape, come_first First, class In, class Out, class Less>
struct sorted_bound_pass : merge_pass<Shape, In, Out, Less> {
  static constexpr bool values_first = First == come_first::values;
};

/// What a block has in shared memory: a tile, and how many elements of the tile lie before each of its values.
template <class Shape, class Item>
struct sorted_bound_shared {
  part_stage<Item, Shape::tile_items> stage;
  std::uint16_t before[Shape::tile_items];
  ptx::copy_round round;
};

/// Each block merges a tile of values and elements.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) sorted_bound_kernel(Pass pass) {
  using shape = typename Pass::shape;
  using item_type = typename decltype(pass.in)::item_type;
  constexpr int size = shape::block_size, items = shape::items, all = shape::tile_items;
  using shared_type = sorted_bound_shared<shape, item_type>;
  static_assert(all <= 65536);
  static_assert(sizeof(shared_type) <= most_static_shared_bytes,
                "gpuprim::lower_bound_of_sorted, upper_bound_of_sorted: the elements are too long");
  GPUPRIM_SHARED(shared, shared_type);
  const int rank = int(this_block::thread_rank());
  if (rank == 0) ptx::begin_copy_rounds(&shared.round);
  ptx::begin_kernel();
  const tile_parts parts = detail::find_noted_parts<Pass::shape::tile_items>(pass.in, pass.begins);
  const exchange_tile<item_type, size, 1> tile{shared.stage.bytes};
  const part_places places = detail::bring_parts<size, items>(pass.in, parts, tile, &shared.round, 0);
  const int a_count = parts.a_count, b_count = parts.count - a_count, diagonal = rank * items;
  if (parts.count > diagonal) {
    using range = tile_range<item_type, decltype(tile)>;
    const range of_first{tile, places.a}, of_second{tile, places.b};
    int a = gpuprim::merge_path(of_first, a_count, of_second, b_count, diagonal, pass.less), b = diagonal - a;
    item_type of_a = of_first[a], of_b = of_second[b];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const bool takes_b = b < b_count && (a >= a_count || pass.less(of_b, of_a));
      if constexpr (Pass::values_first) {
        if (!takes_b && a < a_count) shared.before[a] = std::uint16_t(b);
      } else {
        if (takes_b) shared.before[b] = std::uint16_t(a);
      }
      if (i == items - 1) break;
      if (takes_b) of_b = of_second[++b];
      else of_a = of_first[++a];
    }
  }
  this_block::sync();
  const std::int64_t to = Pass::values_first ? parts.a : parts.b, elements = Pass::values_first ? parts.b : parts.a;
  const int values = Pass::values_first ? a_count : b_count;
  for (int i = rank; i < values; i += size) {
    const std::int64_t found = elements + shared.before[i];
    if constexpr (std::is_pointer_v<decltype(pass.out)>) {
      pass.out[to + i] = detail::convert<std::remove_pointer_t<decltype(pass.out)>>(found);
    } else {
      detail::assign(pass.out[to + i], found);
    }
  }
}

}  // namespace gpuprim::detail
