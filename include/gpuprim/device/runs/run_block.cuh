// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a block does with a tile of a pass over runs. A boundary is a place where a run begins.
#include <gpuprim/block/tile_places.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/runs/run_contents.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Finds a thread's boundaries in a tile of which `valid` keys exist: bit k says that a run begins with its key k.
/// Every place behind the end counts as a run, so that nothing there is joined.
template <int Items, class Key, class Equal>
__device__ __forceinline__ unsigned find_heads(const Key* keys, int rank, int valid, const Equal& equal) {
  const auto own = detail::read_items<Items>(keys, rank);
  unsigned heads = equal(keys[rank * Items - 1], own[0]) ? 0 : 1;
#pragma unroll
  for (int k = 1; k < Items; ++k) {
    if (!equal(own[k - 1], own[k])) heads |= 1u << k;
  }
  const int existing = valid - rank * Items;
  if (existing < Items) heads |= (0xffffffffu >> (warp_size - Items)) & (0xffffffffu << (existing > 0 ? existing : 0));
  return heads;
}

/// A block's shared memory.
template <class Shape, class Key, class Contents>
struct run_shared {
  tile_buffer<Key, Shape::tile_items> keys[Shape::stages];
  typename Contents::template tile<Shape::block_size, Shape::items, Shape::stages>::storage contents;
  std::uint16_t positions[Shape::tile_items];  ///< of boundaries
  int counts[Shape::warps];
  ptx::copy_round rounds[Shape::stages];
  int drawn;
  std::uint64_t runs_before[Shape::warps];  ///< a sum of each warp
};

/// The arguments of a pass.
template <class Keys, class Contents, class UniqueOut, class RunsOut, class Equal>
struct run_pass {
  using key = input_value<Keys>;
  using contents_type = Contents;

  Keys keys;
  Contents contents;
  std::int64_t n;
  UniqueOut unique_out;
  RunsOut runs_out;
  Equal equal;
};
template <class Keys, class Contents, class UniqueOut, class RunsOut, class Equal>
run_pass(Keys, Contents, std::int64_t, UniqueOut, RunsOut, Equal)
    -> run_pass<Keys, Contents, UniqueOut, RunsOut, Equal>;
/// A pass over as many keys as a number in device memory says.
template <class Pass>
struct counted_run_pass : Pass {
  element_count count;
  __device__ __forceinline__ void cut() {
    ptx::wait_for_previous_grid();
    this->n = count.read();
  }
};
template <class Pass>
Pass with_count(const Pass& pass, std::int64_t) {
  return pass;
}
template <class Pass>
counted_run_pass<Pass> with_count(const Pass& pass, const element_count& count) {
  return {pass, count};
}

/// Some of a thread's results of a tile whose boundaries are listed: keys of runs that begin in the tile, and contents
/// of runs that end in it. Number k of them belongs to boundary `first` + k * block size + rank of the tile.
template <class Worker, int Count>
struct kept_runs {
  uninitialized_array<typename Worker::key, Count> keys;
  uninitialized_array<typename Worker::part, Count> parts;

  __device__ void keep(const Worker& by, int stage, int first, int begun, int ended) {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int i = first + k * Worker::block_size + by.rank;
      if (i < begun) keys[k] = by.shared.keys[stage].data()[by.shared.positions[i]];
      if (i < ended && i > 0) parts[k] = by.contents_at(stage).ended(by.shared.positions, i);
    }
  }
};

/// Who copies a tile to shared memory.
enum class copy_by { one_thread, all_threads };

/// The steps of a thread in a block that works on tiles.
template <class Shape, class Pass>
struct run_worker {
  static_assert(Shape::items >= 1 && Shape::items <= warp_size, "a thread's boundaries fit in a word");
  static_assert(Shape::tile_items <= 65536, "positions in a tile have 16 bits");
  using key = typename Pass::key;
  using contents = typename Pass::contents_type;
  using part = typename contents::part;
  using shared_type = run_shared<Shape, key, contents>;
  using carry = typename contents::carry;
  using tile_contents = typename contents::template tile<Shape::block_size, Shape::items, Shape::stages>;
  static constexpr int block_size = Shape::block_size, items = Shape::items, warps = Shape::warps;
  /// Whether one thread may copy a tile for all. That takes few instructions but arrives later, which matters only to a
  /// block that waits for its one tile.
  static constexpr bool has_rounds = ptx::has_bulk_copies && Shape::stages > 1;

  const Pass& pass;
  shared_type& shared;
  int tiles, rank, lane, warp;

  __device__ run_worker(const Pass& p, shared_type& s)
      : pass(p),
        shared(s),
        tiles(int(p.n / Shape::tile_items + 1)),  // a boundary behind the keys ends the last run
        rank(int(this_block::thread_rank())),
        lane(int(ptx::lane())),
        warp(rank / warp_size) {}

  /// The prologue of the kernel. False if there are no keys, and so nothing else to do.
  __device__ __forceinline__ bool begin() const {
    ptx::begin_kernel();
    if (pass.n == 0 && rank == 0) *pass.runs_out = 0;
    return pass.n > 0;
  }

  __device__ tile_contents contents_at(int stage) const { return {pass.contents, shared.contents, stage}; }

  /// Asks for a tile, which may become another block's, to be brought to the L2 cache.
  __device__ void prefetch(int tile) const {
    const std::int64_t base = std::int64_t(tile) * Shape::tile_items;
    if (rank == 0) prefetch_tile(pass.keys, base, pass.n, Shape::tile_items);
    if (rank == block_size - 1) pass.contents.prefetch(base, pass.n, Shape::tile_items);
  }

  /// Starts to copy a tile to its place in shared memory, by one thread only where that is possible.
  __device__ void load(int tile, int stage, copy_by who) const {
    const std::int64_t base = std::int64_t(tile) * Shape::tile_items;
    key* const to = shared.keys[stage].data();
    const auto values = contents_at(stage);
    if constexpr (has_rounds) {
      ptx::copy_round* const round = &shared.rounds[stage];
      const bool is_inner = tile > 0 && tile < tiles - 1;  // it is full and has a key before it
      const bool by_one =
          who == copy_by::one_thread && is_inner && has_rows<Shape::tile_items>(pass.keys) && values.has_rows();
      if (rank == 0) {
        if (by_one) {
          ptx::order_before_bulk_copies();
          constexpr int before = sizeof(key) < 16 ? 16 / int(sizeof(key)) : 1;  // 16 bytes that end with the key before
          copy_row<Shape::tile_items>(pass.keys, base, to, round);
          // No copy of whole words ends with a key whose size neither divides 16 bytes nor is a multiple of them.
          if constexpr (may_have_rows<before, decltype(Pass::keys)>) {
            copy_row<before>(pass.keys, base - before, to - before, round);
          } else {
            copy_one(pass.keys, base - 1, to - 1);
          }
          values.copy_row(base, round);
        }
        ptx::end_copy_round(round);
      }
      if (by_one) return;
    }
    copy_tile<block_size, items>(pass.keys, base, pass.n, to);
    values.copy(base, pass.n);
    if (rank == 0) copy_one(pass.keys, base > 0 ? base - 1 : 0, to - 1);
  }

  /// Finds the boundaries of a tile in shared memory. One barrier.
  __device__ run_place find(int tile, int stage) const {
    const std::int64_t left = pass.n - std::int64_t(tile) * Shape::tile_items;
    const int valid = left < Shape::tile_items ? int(left) : Shape::tile_items;
    run_place at{rank, lane, warp, detail::find_heads<items>(shared.keys[stage].data(), rank, valid, pass.equal)};
    if (tile == 0 && rank == 0) at.heads |= 1;
    at.lane_heads = __ballot_sync(0xffffffffu, at.heads != 0);
    const int count = __popc(at.heads), lanes_before = sum_before_lane<items>(count);
    if (lane == warp_size - 1) shared.counts[warp] = lanes_before + count;
    this_block::sync();
    const int warp_count = lane < warps ? shared.counts[lane] : 0;
    at.warp_heads = __ballot_sync(0xffffffffu, warp_count > 0);
    const warp_tile<warp_size> all_lanes;
    const int boundaries = gpuprim::warp_all_reduce(all_lanes, warp_count, plus<int>{});
    at.slot = gpuprim::warp_all_reduce(all_lanes, lane < warp ? warp_count : 0, plus<int>{}) + lanes_before;
    at.begun = boundaries - (Shape::tile_items - valid);
    at.ended = at.begun + (valid < Shape::tile_items);
    return at;
  }

  /// Lists the positions of boundaries, for threads to read after a barrier.
  __device__ void list(const run_place& at) const {
    detail::list_places<items>(at.heads, rank * items, shared.positions + at.slot);
  }

  /// What the run that ends with the tile's first boundary has of this tile; it may begin in a tile before.
  __device__ maybe<part> find_first(int ended, int stage) const {
    if (ended == 0 || shared.positions[0] == 0) return {};
    return maybe<part>(contents_at(stage).ended(shared.positions, 0));
  }
  /// Writes what that run comes to, with what it has of tiles before.
  __device__ void put_first(std::int64_t run, const maybe<part>& of_tile, const carry& before) const {
    pass.contents.out[run] = of_tile.present ? pass.contents.op(before, carry(of_tile.value)) : before;
  }

  /// Writes these results, so far as the tile has that many.
  template <int Count>
  __device__ void put(const kept_runs<run_worker, Count>& results, int first, int begun, int ended,
                      std::int64_t runs_before) const {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int i = first + k * block_size + rank;
      if (i < begun) detail::assign(pass.unique_out[runs_before + i], results.keys[k]);
      if (i < ended && i > 0) detail::assign(pass.contents.out[runs_before - 1 + i], results.parts[k]);
    }
  }
  /// Writes all results of a tile whose boundaries are listed.
  __device__ void put_listed(int stage, int begun, int ended, std::int64_t runs_before) const {
    constexpr int count = items < 4 ? items : 4;
#pragma unroll 1
    for (int first = 0; first < ended; first += count * block_size) {
      kept_runs<run_worker, count> results;
      ptx::leave_unspecified(results);
      results.keep(*this, stage, first, begun, ended);
      put(results, first, begun, ended, runs_before);
    }
  }
  /// Writes the number of runs, if the tile is the last one.
  __device__ void put_count(int tile, int begun, std::int64_t runs_before) const {
    if (tile == tiles - 1 && rank == 0) *pass.runs_out = runs_before + begun;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
