// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a pass over runs makes of each run. Both kinds have the same parts: what goes to shared memory and stays there, and
// what a thread keeps of a tile while it works on it.
#include <gpuprim/device/detail/run_tile.cuh>
#include <gpuprim/grid/tile_chain.cuh>

namespace gpuprim::detail {

/// Where a thread is in its tile, and the boundaries that it found: bit k of `heads` says that a run begins with item k.
struct run_place {
  int rank, lane, warp;
  unsigned heads, lane_heads, warp_heads;  ///< the latter two: of which lanes of the warp, warps of the block, have one
  int slot;                                ///< boundaries before the thread's in the tile
};

/// The joined values of each run.
template <class Acc, class Values, class Out, class Op>
struct run_values {
  using value_type = input_value<Values>;
  using mail = Acc;
  using carry = Acc;
  static constexpr int item_bytes = larger(int(sizeof(value_type)), int(sizeof(Acc)));

  Values in;
  Out out;
  Op op;

  template <int BlockSize, int Items>
  struct tile {
    static constexpr int warps = BlockSize / warp_size;
    struct storage {
      tile_buffer<value_type, Acc, BlockSize * Items> values;  ///< and then the joined values of the runs that end
      shared_array<Acc, warps> open;                           ///< by each warp
    };
    uninitialized_array<Acc, Items> run;  ///< each value with those before it in the run and the thread
    Acc before;                           ///< what the lanes before leave open

    __device__ static void copy(const run_values& all, std::int64_t base, std::int64_t n, storage& shared) {
      copy_tile<BlockSize, Items>(all.in, base, n, shared.values.in());
    }

    __device__ tile(const run_values& all, const run_place& at, storage& shared)
        : run(run_over(read_items<Items>(shared.values.in(), at.rank), at.heads, all.op)), before(run[Items - 1]) {
      const Acc open = join_up_to_lane(before, at.lane_heads, all.op);
      if (at.lane == warp_size - 1) shared.open[at.warp] = open;
      before = shuffle_up(open, 1);
    }

    /// What the tile leaves open. Completes `before` across warps.
    __device__ Acc join_warps(const run_values& all, const run_place& at, storage& shared) {
      const warp_tile<warp_size> warp;
      Acc open = shared.open[at.lane < warps ? at.lane : 0];
      open = join_up_to_lane<warps>(open, at.warp_heads, all.op);
      const Acc warps_before = shuffle(warp, open, at.warp > 0 ? at.warp - 1 : 0);
      if (at.lane == 0) before = warps_before;
      else if (at.warp > 0 && (at.lane_heads & ((1u << at.lane) - 1)) == 0) before = all.op(warps_before, before);
      return shuffle(warp, open, warps - 1);
    }

    /// The run that ends before item k goes to a slot.
    __device__ void stage(int k, int slot, storage& shared) const {
      if (k > 0) shared.values.out()[slot] = run.items[k - 1];
    }
    /// The thread's first run may have begun in another thread.
    __device__ void finish_stage(const run_values& all, const run_place& at, storage& shared) const {
      if (at.heads == 0 || at.rank == 0) return;
      Acc& first = shared.values.out()[at.slot];
      first = (at.heads & 1) != 0 ? before : all.op(before, first);
    }
    /// Of `ended` runs, the first with what comes from earlier tiles.
    __device__ static void put(const run_values& all, std::int64_t first_run, int ended, bool starts_with_head,
                               const maybe<Acc>& from_before, int rank, storage& shared) {
      const Acc* values = shared.values.out();
      if (rank == 0 && from_before.present && ended > 0) {
        all.out[first_run] = starts_with_head ? from_before.value : all.op(from_before.value, values[0]);
      }
#pragma unroll 4
      for (int i = rank == 0 ? BlockSize : rank; i < ended; i += BlockSize) all.out[first_run + i] = values[i];
    }

   private:
    __device__ static uninitialized_array<Acc, Items> run_over(const uninitialized_array<value_type, Items>& values,
                                                               unsigned heads, const Op& op) {
      uninitialized_array<Acc, Items> run;
      run[0] = static_cast<Acc>(values[0]);
#pragma unroll
      for (int k = 1; k < Items; ++k) {
        const Acc value = static_cast<Acc>(values[k]);
        run[k] = heads >> k & 1 ? value : op(run[k - 1], value);
      }
      return run;
    }
  };
};

/// The length of each run: the distance between boundaries, so that nothing is read and little computed.
template <class Out>
struct run_lengths {
  using mail = unsigned;
  using carry = std::int64_t;
  static constexpr int item_bytes = 1;
  struct add {
    __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
  };

  Out out;
  add op;

  template <int BlockSize, int Items>
  struct tile {
    static constexpr int warps = BlockSize / warp_size;
    static_assert(BlockSize * Items <= 65536, "positions have 16 bits");
    struct storage {
      std::uint16_t positions[BlockSize * Items];
      unsigned open[warps];
    };

    __device__ static void copy(const run_lengths&, std::int64_t, std::int64_t, storage&) {}

    __device__ tile(const run_lengths&, const run_place& at, storage& shared) {
      // The last lane with a boundary knows how far it is from the warp's end.
      const int last = at.lane_heads != 0 ? warp_size - 1 - __clz(int(at.lane_heads)) : 0;
      if (at.lane == last) {
        const int begin = at.heads != 0 ? last * Items + warp_size - 1 - __clz(int(at.heads)) : 0;
        shared.open[at.warp] = unsigned(warp_size * Items - begin);
      }
    }
    __device__ unsigned join_warps(const run_lengths&, const run_place& at, storage& shared) {
      const int last = at.warp_heads != 0 ? warp_size - 1 - __clz(int(at.warp_heads)) : 0;
      return shared.open[last] + unsigned((warps - 1 - last) * warp_size * Items);
    }
    __device__ void stage(int k, int slot, storage& shared) const {
      shared.positions[slot] = std::uint16_t(int(this_block::thread_rank()) * Items + k);
    }
    __device__ void finish_stage(const run_lengths&, const run_place&, storage&) const {}
    __device__ static void put(const run_lengths& all, std::int64_t first_run, int ended, bool,
                               const maybe<std::int64_t>& from_before, int rank, storage& shared) {
      if (rank == 0 && from_before.present && ended > 0) all.out[first_run] = from_before.value + shared.positions[0];
#pragma unroll 4
      for (int i = rank == 0 ? BlockSize : rank; i < ended; i += BlockSize) {
        all.out[first_run + i] = shared.positions[i] - shared.positions[i - 1];
      }
    }
  };
};

}  // namespace gpuprim::detail
