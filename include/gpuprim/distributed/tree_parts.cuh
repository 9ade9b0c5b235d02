// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A tree over the positions of elements that lie on several ranks.
//
// Its leaves are units of neighbouring elements, and each node of a level above joins 32 neighbours of the level below.
// Where the elements are parted does not matter: a rank evaluates all nodes whose elements it has, and hands over those
// that no node above holds, with the elements of its broken units. These are joined in their order, and neighbours
// that make a half, a quarter and so on of a node first.
#include <gpuprim/device/reduce/reproducible_kernel.cuh>
#include <gpuprim/distributed/records.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Nodes that one of the level above joins, and levels: enough for all 64-bit counts.
inline constexpr int tree_radix = 32, tree_levels = 11;
/// Levels of a binary tree that one level is.
inline constexpr int halves_of_level = 5;
static_assert(1 << halves_of_level == tree_radix);

/// Neighbours of which some make nodes of the level above: first `head` that do not, then those of `inner` nodes from
/// number `first_inner` on, then `tail` that do not.
struct tree_split {
  std::int64_t first_inner, inner;
  int head, tail;

  GPUPRIM_HOST_DEVICE static tree_split of(std::int64_t first, std::int64_t count, int radix) {
    const int before = int(first % radix), missing = before == 0 ? 0 : radix - before;
    const int head = int(count < missing ? count : missing);
    return {first / radix + (before > 0), (count - head) / radix, head, int((count - head) % radix)};
  }
};

/// What a rank hands over: of each level the nodes at both ends, and the elements of its broken units.
template <class T, class Acc, int UnitItems>
struct tree_record {
  static constexpr int unit_items = UnitItems, most_ends = tree_radix - 1;
  uninitialized_array<Acc, most_ends> heads[tree_levels], tails[tree_levels];
  uninitialized_array<T, UnitItems> head, tail;
};

/// Elements that begin inside of a unit: number `at` is counted from that unit's begin.
template <class In>
struct led_input : input_iterator_types<input_value<In>> {
  In in;
  int lead;

  __device__ led_input(const In& i, int l) : in(i), lead(l) {}
  __device__ input_value<In> operator[](std::int64_t at) const { return in[at - lead]; }
};

/// The value of a unit, in the first lane. Rows: those of a whole unit, or what there is of one.
template <class Op, class Acc, class Rows, class Join>
__device__ __forceinline__ auto join_unit_rows(const Rows& rows, const Join& join) {
  if constexpr (is_commutative<Op, Acc>) {
    return gpuprim::warp_reduce(warp_tile<warp_size>{}, gpuprim::thread_reduce(rows, join), join);
  } else {
    return gpuprim::warp_all_reduce_rows(rows, join);
  }
}

/// The units of a rank's elements.
template <class Acc, class In, class Op>
struct unit_reader {
  using input = reproducible_input<In>;
  In in;
  int lead;          ///< elements of the first unit that are on other ranks
  std::int64_t end;  ///< of the rank's elements
  const Op& op;

  /// Number `unit`, of which all elements are there.
  __device__ __forceinline__ Acc read(std::int64_t unit) const {
    constexpr int margin = input::margin_items;
    const input units{in, end, 0, 0, 0};
    const std::int64_t first = unit * input::unit_items;
    if (first >= lead + margin && first + input::unit_items + margin <= end) {
      return detail::join_unit_rows<Op, Acc>(detail::load_leaf_unit<Acc>(units, unit, op), op);
    }
    const monoid<Acc, Op> join{op};
    return join.unwrap(detail::join_unit_rows<Op, Acc>(detail::load_edge_leaf_unit<Acc>(units, unit, join), join));
  }
};

/// What a warp does with the nodes of a level: lane i has number `group * 32 + i`, where that is among `count` from
/// `first` on. Whole groups make a node of the next level, and the others are handed over.
template <class Record, class Acc, class Op>
__device__ __forceinline__ void rise(const Acc& own, std::int64_t group, std::int64_t first, std::int64_t count,
                                     int level, const Op& op, Record& record, Acc* next) {
  const tree_split split = tree_split::of(first, count, tree_radix);
  const std::int64_t inner = group - split.first_inner;
  if (inner >= 0 && inner < split.inner) {
    const Acc all = gpuprim::warp_reduce(warp_tile<warp_size>{}, own, op);
    if (ptx::lane() == 0) next[inner] = all;
    return;
  }
  const std::int64_t at = group * tree_radix + ptx::lane() - first;
  if (at < 0 || at >= count) return;
  if (at < split.head) record.heads[level][int(at)] = own;
  else record.tails[level][int(at - (count - split.tail))] = own;
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
