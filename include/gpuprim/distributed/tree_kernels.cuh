// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A tree over the positions of elements that lie on several ranks.
//
// Its leaves are units of neighbouring elements, and each node of a level above joins 32 neighbours of the level below.
// Where the elements are parted does not matter: a rank evaluates all nodes whose elements it has, and hands over those
// that no node above holds, with the elements of its broken units. These are joined in their order, and neighbours
// that make a half, a quarter and so on of a node first.
#include <gpuprim/core/convert.cuh>
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

__device__ inline std::int64_t sum_counts(const std::int64_t* counts, int ranks) {
  std::int64_t sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += counts[rank];
  return sum;
}

/// Evaluates the units of a rank's elements and the nodes above these; a warp takes all units of a node. `nodes` gets
/// those of level 1.
template <int BlockSize, class Acc, class In, class Op, class Record>
__global__ void __launch_bounds__(BlockSize, 1)
    tree_units_kernel(In in, std::int64_t n, const std::int64_t* counts, int rank, Op op, Record* record, Acc* nodes) {
  using T = input_value<In>;
  constexpr int unit_items = Record::unit_items;
  if (n == 0) return;  // the input may be null
  const std::int64_t begin = detail::sum_counts(counts, rank), first_unit = begin / unit_items;
  const int lead = int(begin % unit_items);
  const tree_split units = tree_split::of(begin, n, unit_items);
  if (blockIdx.x == 0) {
    for (int i = int(threadIdx.x); i < units.head; i += BlockSize) record->head[i] = in[i];
    for (int i = int(threadIdx.x); i < units.tail; i += BlockSize) record->tail[i] = in[n - units.tail + i];
  }
  const auto go = [&]<class Array>(const Array& array) {
    const unit_reader<Acc, Array, Op> reader{array, lead, lead + n, op};
    const std::int64_t end = units.first_inner + units.inner;
    const std::int64_t step = std::int64_t(gridDim.x) * (BlockSize / warp_size);
    std::int64_t group = units.first_inner / tree_radix + std::int64_t(blockIdx.x) * (BlockSize / warp_size);
    group += threadIdx.x / warp_size;
#pragma unroll 1
    for (; group * tree_radix < end; group += step) {
      uninitialized_array<Acc, 1> own;
#pragma unroll 1
      for (int k = 0; k < tree_radix; ++k) {
        const std::int64_t unit = group * tree_radix + k;
        if (unit < units.first_inner || unit >= end) continue;
        const Acc value = detail::shuffle(warp_tile<warp_size>{}, reader.read(unit - first_unit), 0);
        if (int(ptx::lane()) == k) own[0] = value;
      }
      detail::rise(own[0], group, units.first_inner, units.inner, 0, op, *record, nodes);
    }
  };
  if constexpr (std::is_pointer_v<In> && elements_per_load<T> > 1) {
    const T* const led = in - lead;
    if (reinterpret_cast<std::uintptr_t>(led) % load_bytes == 0) go(led);
    else go(shifted_array<T>(led));
  } else {
    go(led_input<In>(in, lead));
  }
}

/// Evaluates all levels above, by one block. `nodes` has those of level 1, and `others` has room for those of level 2.
template <int BlockSize, class Acc, class Op, class Record>
__global__ void __launch_bounds__(BlockSize, 1) tree_levels_kernel(std::int64_t n, const std::int64_t* counts, int rank,
                                                                   Op op, Record* record, Acc* nodes, Acc* others) {
  const std::int64_t begin = detail::sum_counts(counts, rank);
  const tree_split units = tree_split::of(begin, n, Record::unit_items);
  tree_split here = tree_split::of(units.first_inner, units.inner, tree_radix);
  Acc *from = nodes, *to = others;
  const this_block block;
#pragma unroll 1
  for (int level = 1; here.inner > 0; ++level) {
    const std::int64_t first = here.first_inner, end = first + here.inner;
#pragma unroll 1
    for (std::int64_t group = first / tree_radix + threadIdx.x / warp_size; group * tree_radix < end;
         group += BlockSize / warp_size) {
      const std::int64_t number = group * tree_radix + ptx::lane();
      uninitialized_array<Acc, 1> own;
      if (number >= first && number < end) own[0] = from[number - first];
      detail::rise(own[0], group, first, here.inner, level, op, *record, to);
    }
    block.sync();
    here = tree_split::of(first, here.inner, tree_radix);
    Acc* const last = from;
    from = to;
    to = last;
  }
}

/// Nodes in the order of their positions, of which neighbours are joined as soon as they make a node of a binary tree.
template <class Acc>
struct node_stack {
  static constexpr int most = 64;
  uninitialized_array<Acc, most> values;
  std::int64_t numbers[most];
  int heights[most];
  int count;

  template <class Op>
  __device__ void push(Acc value, int height, std::int64_t number, const Op& op) {
    for (; count > 0 && heights[count - 1] == height && number % 2 != 0 && numbers[count - 1] == number - 1; ++height) {
      value = op(values[--count], value);
      number /= 2;
    }
    values[count] = value;
    heights[count] = height;
    numbers[count++] = number;
  }
  /// Joins what is left. There is one node at least.
  template <class Op>
  __device__ Acc join(const Op& op) const {
    Acc all = values[count - 1];
    for (int i = count - 2; i >= 0; --i) all = op(values[i], all);
    return all;
  }
};

/// Joins what the ranks have handed over, by one warp.
template <class T, class Acc, class Op, class Record, class Out>
__global__ void __launch_bounds__(warp_size) tree_fold_kernel(const Record* records, const std::int64_t* counts,
                                                              int ranks, Op op, kernel_value<Acc> first, Out out) {
  const Acc& init = first;
  constexpr int unit_items = Record::unit_items;
  using ends = shared_array<Acc, Record::most_ends>;
  using broken_unit = shared_array<T, unit_items>;
  using stack_type = shared_array<node_stack<Acc>, 1>;
  GPUPRIM_SHARED(staged, ends);
  GPUPRIM_SHARED(unit, broken_unit);
  GPUPRIM_SHARED(stack, stack_type);
  GPUPRIM_SHARED(splits, tree_split[tree_levels]);
  const int lane = ptx::lane();
  node_stack<Acc>& nodes = stack[0];
  if (lane == 0) nodes.count = 0;
  int filled = 0;
  std::int64_t begin = 0;
  const auto push_unit = [&] {  // what there is of it
    const monoid<Acc, Op> join{op};
    const reproducible_input<const T*> input{&unit[0], filled, 0, 0, 0};
    const auto value = detail::join_unit_rows<Op, Acc>(detail::load_edge_leaf_unit<Acc>(input, 0, join), join);
    if (lane == 0) nodes.push(join.unwrap(value), 0, (begin - 1) / unit_items, op);
    filled = 0;
    __syncwarp();
  };
  const auto append = [&](const auto& elements, int count) {
    for (int i = lane; i < count; i += warp_size) unit[filled + i] = elements[i];
    __syncwarp();
    filled += count;
    begin += count;
    if (filled == unit_items) push_unit();
  };
  const auto push_ends = [&](const auto& from, int count, int level, std::int64_t first) {
    if (lane < count) staged[lane] = from[lane];
    __syncwarp();
    if (lane == 0) {
      for (int i = 0; i < count; ++i) nodes.push(staged[i], level * halves_of_level, first + i, op);
    }
    __syncwarp();
  };
#pragma unroll 1
  for (int rank = 0; rank < ranks; ++rank) {
    const Record& record = records[rank];
    const tree_split units = tree_split::of(begin, counts[rank], unit_items);
    append(record.head, units.head);
    std::int64_t first = units.first_inner, count = units.inner;
    int level = 0;
    for (; count > 0; ++level) {
      const tree_split split = tree_split::of(first, count, tree_radix);
      push_ends(record.heads[level], split.head, level, first);
      if (lane == 0) splits[level] = {first + count - split.tail, 0, 0, split.tail};
      first = split.first_inner;
      count = split.inner;
    }
    __syncwarp();
    while (--level >= 0) push_ends(record.tails[level], splits[level].tail, level, splits[level].first_inner);
    begin += units.inner * unit_items;
    append(record.tail, units.tail);
  }
  if (filled > 0) push_unit();
  if (lane == 0) detail::assign(*out, begin == 0 ? init : op(init, nodes.join(op)));
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
