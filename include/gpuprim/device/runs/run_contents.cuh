// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a pass over runs finds for each run: its joined values, or its length. Both kinds have a part in shared memory,
// and three steps for a tile, between which the block has a barrier: copy, join, ended.
#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/policy/run_policy.hpp>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_80.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/warp/join_lanes.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Where a thread is in its tile, and the boundaries found there. Bit k of `heads` says that a run begins with the
/// thread's item k.
struct run_place {
  int rank = 0, lane = 0, warp = 0;
  unsigned heads = 0;
  unsigned lane_heads = 0, warp_heads = 0;  ///< lanes of the warp, and warps of the block, with a boundary
  int slot = 0;                             ///< boundaries of the tile before the thread's
  int begun = 0, ended = 0;                 ///< runs that begin in the tile, and that end with one of its boundaries
};

/// The joined values of each run.
template <class Acc, class Values, class Out, class Op>
struct run_values {
  using value_type = input_value<Values>;
  using mail = Acc;
  using carry = Acc;
  using part = Acc;
  static constexpr int item_bytes = larger(int(sizeof(value_type)), int(sizeof(Acc)));

  Values in;
  Out out;
  Op op;

  __device__ void prefetch(std::int64_t base, std::int64_t n, int count) const { prefetch_tile(in, base, n, count); }

  template <int BlockSize, int Items, int Stages>
  struct tile {
    static constexpr int warps = BlockSize / warp_size;
    struct storage {
      /// The values, and then in the same place each one joined with those before it in its run.
      tile_buffer<std::conditional_t<(sizeof(Acc) > sizeof(value_type)), Acc, value_type>, BlockSize * Items>
          values[Stages];
      shared_array<Acc, warps> open;  ///< the last run of each warp
    };
    const run_values& all;
    storage& shared;
    int stage;

    __device__ value_type* in() const { return reinterpret_cast<value_type*>(shared.values[stage].data()); }
    __device__ Acc* results() const { return reinterpret_cast<Acc*>(shared.values[stage].data()); }

    __device__ void copy(std::int64_t base, std::int64_t n) const {
      copy_tile<BlockSize, Items>(all.in, base, n, in());
    }
    __device__ bool has_rows() const { return detail::has_rows<BlockSize * Items>(all.in); }
    __device__ void copy_row(std::int64_t base, ptx::copy_round* round) const {
      detail::copy_row<BlockSize * Items>(all.in, base, in(), round);
    }

    /// Joins the values of each thread, then of lanes, and after a barrier of warps. Returns the joined values of the
    /// tile's last run.
    __device__ Acc join(const run_place& at) const {
      Acc before = join_lanes(at);
      this_block::sync();
      const warp_tile<warp_size> warp;
      Acc open = shared.open[warps > at.lane ? at.lane : 0];
      open = join_up_to_lane<warps>(open, at.warp_heads, all.op);
      const Acc warps_before = detail::shuffle(warp, open, at.warp > 0 ? at.warp - 1 : 0);
      if (at.lane == 0) before = warps_before;
      else if (at.warp > 0 && (at.lane_heads & ((1u << at.lane) - 1)) == 0) before = all.op(warps_before, before);
      // The run that ends with the thread's first boundary may begin in another thread.
      if (at.heads != 0 && at.rank > 0) {
        Acc& ended = results()[at.rank * Items + __ffs(int(at.heads)) - 2];
        ended = (at.heads & 1) != 0 ? before : all.op(before, ended);
      }
      return detail::shuffle(warp, open, warps - 1);
    }

    /// What the run that ends with boundary i has of the tile; unspecified if it has no value there.
    __device__ Acc ended(const std::uint16_t* positions, int i) const {
      const int end = positions[i];
      return results()[end > 0 ? end - 1 : 0];
    }

   private:
    /// Returns the joined values of the last run in the lanes before.
    __device__ Acc join_lanes(const run_place& at) const {
      const auto values = detail::read_items<Items>(in(), at.rank);
      if constexpr (sizeof(Acc) != sizeof(value_type)) this_block::sync();  // results overwrite values of other threads
      if (at.lane_heads == 0) {  // no run ends in this warp: its sum is enough
        Acc sum = detail::convert<Acc>(values[0]);
#pragma unroll
        for (int k = 1; k < Items; ++k) sum = all.op(sum, detail::convert<Acc>(values[k]));
        sum = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, sum, all.op);
        if (at.lane == 0) shared.open[at.warp] = sum;
        return sum;
      }
      uninitialized_array<Acc, Items> joined;
      joined[0] = detail::convert<Acc>(values[0]);
#pragma unroll
      for (int k = 1; k < Items; ++k) {
        const Acc value = detail::convert<Acc>(values[k]);
        joined[k] = at.heads >> k & 1 ? value : all.op(joined[k - 1], value);
      }
      detail::write_items<Items>(joined, results(), at.rank);
      const Acc open = join_up_to_lane(joined[Items - 1], at.lane_heads, all.op);
      if (at.lane == warp_size - 1) shared.open[at.warp] = open;
      return detail::shuffle_up(open, 1);
    }
  };
};

/// The length of each run, which is the distance between boundaries: no values are read.
template <class Out>
struct run_lengths {
  using mail = unsigned;
  using carry = std::int64_t;
  using part = int;
  static constexpr int item_bytes = 0;
  struct add {
    __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
  };

  Out out;
  add op;

  __device__ void prefetch(std::int64_t, std::int64_t, int) const {}

  template <int BlockSize, int Items, int Stages>
  struct tile {
    static constexpr int warps = BlockSize / warp_size;
    struct storage {
      unsigned open[warps];
    };
    const run_lengths& all;
    storage& shared;
    int stage;

    __device__ void copy(std::int64_t, std::int64_t) const {}
    __device__ bool has_rows() const { return true; }
    __device__ void copy_row(std::int64_t, ptx::copy_round*) const {}

    __device__ unsigned join(const run_place& at) const {
      // The last lane with a boundary finds the distance from there to the warp's end.
      const int last_lane = at.lane_heads != 0 ? warp_size - 1 - __clz(int(at.lane_heads)) : 0;
      if (at.lane == last_lane) {
        const int begin = at.heads != 0 ? last_lane * Items + warp_size - 1 - __clz(int(at.heads)) : 0;
        shared.open[at.warp] = unsigned(warp_size * Items - begin);
      }
      this_block::sync();
      const int last = at.warp_heads != 0 ? warp_size - 1 - __clz(int(at.warp_heads)) : 0;
      return shared.open[last] + unsigned((warps - 1 - last) * warp_size * Items);
    }
    __device__ int ended(const std::uint16_t* positions, int i) const {
      return positions[i] - (i > 0 ? positions[i - 1] : 0);
    }
  };
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
