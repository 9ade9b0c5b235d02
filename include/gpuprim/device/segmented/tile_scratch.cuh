// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A warp's tile of consecutive values in shared memory, and the segmented scan over it.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/device/segmented/segment_loads.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// How much of the input a tile has.
template <class In, class Acc>
struct segment_tile_shape {
  using value_type = input_value<In>;
  using packet = typename segment_load<In>::packet;
  static constexpr int load_items = segment_load<In>::items, line_items = segment_load<In>::line_items;
  /// Loads of a lane in a tile, a power of two: they bring at most as many values as a word has bits, and a tile has at
  /// most `tile_bytes` of accumulators.
  static constexpr int count_loads() {
    int loads = segmented_policy::long_loads;
    while (loads > 1 && (loads * load_items > warp_size ||
                         loads * load_items * warp_size * int(sizeof(Acc)) > segmented_policy::tile_bytes)) {
      loads /= 2;
    }
    return loads;
  }
  static constexpr int loads = count_loads();
  static constexpr int lane_items = load_items * loads;
  static constexpr int values = warp_size * lane_items;
  static constexpr int unit_loads = segmented_policy::long_loads, unit_values = warp_size * load_items * unit_loads;
  /// Rows of 32 segment ends that a tile looks at: as many as there are in a tile of segments of one load each.
  static constexpr int rows = segmented_policy::long_loads;
};

/// A warp's shared memory. What one load brings to a tile is a slot. Lane l loads slots l, l + 32, and so on, and scans
/// the slots from l * loads on.
template <class In, class Acc>
struct segment_scratch {
  using shape = segment_tile_shape<In, Acc>;
  static constexpr int slot_bytes = shape::loads * int(sizeof(Acc));  ///< of the slots that a lane scans
  static constexpr bool scans_packed = slot_bytes % load_bytes == 0 && load_bytes % sizeof(Acc) == 0;
  using lane_slots = uninitialized_array<Acc, shape::loads>;

  alignas(16) shared_array<Acc, warp_size * shape::loads> kept;
  static constexpr int run_bytes = shape::load_items == 1 ? 0 : shape::values * int(sizeof(Acc));
  static constexpr int offset_bytes = warp_size * shape::rows * 8;
  /// Offsets as they come from memory; later the running totals over the values of each slot.
  alignas(16) unsigned char bytes[run_bytes > offset_bytes ? run_bytes : offset_bytes];
  /// Bit k of a lane's word: a segment begins with value k of the slots that the lane scans. One word more takes the
  /// beginnings behind the tile.
  unsigned heads[warp_size + 1];
  /// Where the tile begins, and then the ends of segments, counted from its base; 0xffff stands for there or later.
  std::uint16_t bounds[warp_size * shape::rows + 1];

  /// Where a slot lies. 16-byte parts are exchanged, so that lanes which read theirs at once have no bank conflict.
  static __device__ unsigned place(unsigned slot) {
    if constexpr (scans_packed) {
      constexpr unsigned part = load_bytes / sizeof(Acc), parts = slot_bytes / load_bytes;
      return slot ^ (slot / part / 8 % parts * part);
    }
    return slot;
  }
  __device__ Acc& run(int i) { return reinterpret_cast<Acc*>(bytes)[i]; }
  template <class Offset>
  __device__ Offset& offset(int i) {
    return reinterpret_cast<Offset*>(bytes)[i];
  }
  __device__ Acc& slot(unsigned i) { return kept[int(place(i))]; }
  __device__ uint4& slots_part(unsigned lane, int i) {
    return reinterpret_cast<uint4&>(slot(lane * shape::loads + unsigned(i * int(load_bytes / sizeof(Acc)))));
  }
  /// The slots that a lane scans.
  __device__ lane_slots load_slots(unsigned lane) {
    lane_slots to;
    if constexpr (scans_packed) {
      constexpr int parts = slot_bytes / load_bytes;
      uint4 packed[parts];
#pragma unroll
      for (int i = 0; i < parts; ++i) packed[i] = slots_part(lane, i);
      std::memcpy(static_cast<void*>(detail::pointer_to(to)), packed, sizeof to);
    } else {
#pragma unroll
      for (int i = 0; i < shape::loads; ++i) to[i] = slot(lane * shape::loads + i);
    }
    return to;
  }
  __device__ void store_slots(unsigned lane, const lane_slots& from) {
    if constexpr (scans_packed) {
      constexpr int parts = slot_bytes / load_bytes;
      uint4 packed[parts];
      std::memcpy(packed, detail::pointer_to(from), sizeof from);
#pragma unroll
      for (int i = 0; i < parts; ++i) slots_part(lane, i) = packed[i];
    } else {
#pragma unroll
      for (int i = 0; i < shape::loads; ++i) slot(lane * shape::loads + i) = from[i];
    }
  }
  __device__ void mark(int position) {
    const unsigned at = unsigned(position);
    atomicOr(&heads[at / shape::lane_items], 1u << at % shape::lane_items);
  }
};

/// Writes the running totals over the values of each load to shared memory; each starts anew where a segment begins. If
/// no segment begins or ends within a load, the total of the whole load is enough.
template <class Acc, class In, class Op>
__device__ __forceinline__ void run_over_slots(
    const typename segment_tile_shape<In, Acc>::packet (&loads)[segment_tile_shape<In, Acc>::loads], bool whole,
    const Op& op, segment_scratch<In, Acc>& scratch) {
  using shape = segment_tile_shape<In, Acc>;
  using T = typename shape::value_type;
  constexpr int items = shape::load_items;
  const unsigned lane = ptx::lane() % warp_size;
  if constexpr (items > 1) {
    if (!whole) {
      // All heads are read before a total is written, so that no load waits for the one before it.
      unsigned heads[shape::loads];
#pragma unroll
      for (int row = 0; row < shape::loads; ++row) {
        heads[row] = scratch.heads[row * (warp_size / shape::loads) + lane / shape::loads];
      }
      const unsigned shift = lane % shape::loads * items;
#pragma unroll
      for (int row = 0; row < shape::loads; ++row) {
        uninitialized_array<T, items> values;
        std::memcpy(static_cast<void*>(detail::pointer_to(values)), detail::pointer_to(loads[row]), sizeof values);
        uninitialized_array<Acc, items> run;
        run[0] = detail::convert<Acc>(values[0]);
#pragma unroll
        for (int k = 1; k < items; ++k) {
          const Acc value = detail::convert<Acc>(values[k]);
          run[k] = heads[row] >> shift >> k & 1 ? value : op(run[k - 1], value);
        }
        Acc* to = detail::pointer_to(scratch.run((row * warp_size + int(lane)) * items));
        if constexpr (sizeof run % load_bytes == 0) {
          uint4 packed[sizeof run / load_bytes];
          std::memcpy(packed, detail::pointer_to(run), sizeof run);
#pragma unroll
          for (int i = 0; i < int(sizeof run) / load_bytes; ++i) reinterpret_cast<uint4*>(to)[i] = packed[i];
        } else {
#pragma unroll
          for (int k = 0; k < items; ++k) to[k] = run[k];
        }
        scratch.slot(row * warp_size + lane) = run[items - 1];
      }
      return;
    }
  }
#pragma unroll
  for (int row = 0; row < shape::loads; ++row) {
    scratch.slot(row * warp_size + lane) = detail::fold_load<Acc, T>(loads[row], op);
  }
}

/// Joins to the last running total of each slot those of the slots before it, back to where a segment begins.
template <class Acc, class In, class Op>
__device__ __forceinline__ void scan_slots(const Op& op, segment_scratch<In, Acc>& scratch) {
  using shape = segment_tile_shape<In, Acc>;
  constexpr int items = shape::load_items;
  constexpr unsigned one_slot = items == 32 ? ~0u : (1u << items) - 1;
  const int lane = int(ptx::lane());
  const unsigned heads = scratch.heads[lane];
  auto joined = scratch.load_slots(unsigned(lane));
#pragma unroll
  for (int i = 1; i < shape::loads; ++i) {
    if (!(heads & one_slot << i * items)) joined[i] = op(joined[i - 1], joined[i]);
  }
  // What a lane leaves to the next: its last slot, with those of the lanes before it back to one that has a head.
  const int reach = lanes_since(__ballot_sync(0xffffffffu, heads != 0));
  const Acc open = join_lanes_before(joined[shape::loads - 1], reach, op);
  const Acc before = detail::shuffle_up(open, 1);
  const unsigned cuts = lane == 0 ? ~0u : heads;
#pragma unroll
  for (int i = 0; i < shape::loads; ++i) {
    if (!(cuts & ((2u << ((i + 1) * items - 1)) - 1))) joined[i] = op(before, joined[i]);
  }
  scratch.store_slots(unsigned(lane), joined);
}

}  // namespace gpuprim::detail
