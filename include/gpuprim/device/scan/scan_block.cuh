// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a block does with a tile of a scan.
#include <gpuprim/core/arrays.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/scan/array_source.cuh>
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_scan.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The value type of an output where it is known; else results are kept as they are computed.
template <class Out, class Result>
struct output_value {
  using type = Result;
};
template <class T, class Result>
struct output_value<T*, Result> {
  using type = T;
};

/// What a scan joins of an element, and what it writes of what has been joined.
template <class Acc, class Transform>
struct scan_steps {
  using result = Acc;
  Transform transform;

  template <class Op, class T>
  __device__ Acc first(const Op&, const T& element) const {
    return detail::convert<Acc>(transform(element));
  }
  template <class Op, class T>
  __device__ Acc add(const Op& op, const Acc& sum, const T& element) const {
    return op(sum, first(op, element));
  }
  template <class T> __device__ static const Acc& finish(const Acc& sum, const T&) { return sum; }
};

/// What lies in device memory of a value of the monoid that a scan starts from.
template <class T>
struct stored_start {
  using type = T;
  static __device__ const T& make(const T& value) { return value; }
};
/// What a scan starts from: a value of the monoid, or one that lies in device memory when the kernel runs.
template <class T>
struct scan_start {
  T value;
  const typename stored_start<T>::type* at = nullptr;

  __device__ T read() const { return at == nullptr ? value : stored_start<T>::make(*at); }
};

/// The arguments of a scan. The first `head` elements lie before the first tile, which begins with a line of memory
/// where it can. With tiles apart no value goes from one to the next.
template <scan_kind Kind, class Source, class Out, class Total, class Acc, class Op, class Steps>
struct scan_pass {
  using element = typename Source::element;
  using value = Acc;
  using op_type = Op;
  using join = monoid<Acc, Op>;
  using result = typename output_value<Out, typename Steps::result>::type;
  static constexpr scan_kind kind = Kind;
  static constexpr bool may_be_apart = Source::may_be_apart;

  Source source;
  element_count n;
  int head;
  int apart_stride;  ///< elements from one tile to the next, if tiles are apart
  int apart;         ///< tiles, if they are apart, which no block need find by a division; else 0
  Out out;
  Total total;
  Op op;
  Steps steps;
  scan_start<typename join::value_type> start;

  /// Elements from one tile to the next.
  template <class Shape>
  GPUPRIM_HOST_DEVICE int stride() const {
    return may_be_apart && apart > 0 ? apart_stride : Shape::tile_items;
  }
  /// Tiles that a given number of elements makes. The host refuses more than an int counts.
  template <class Shape>
  GPUPRIM_HOST_DEVICE int count_tiles(std::int64_t count) const {
    if (may_be_apart && apart > 0) return apart;
    return count <= head ? 0 : int((count - head + Shape::tile_items - 1) / Shape::tile_items);
  }
};

/// The steps of a thread in a block that scans tiles.
template <class Shape, class Pass>
struct scan_worker {
  using element = typename Pass::element;
  using value = typename Pass::value;
  using result = typename Pass::result;
  using join = typename Pass::join;
  using prefix = typename join::value_type;
  using stage = typename decltype(Pass::source)::template place<Shape, result>;
  using warp_values = shared_array<value, Shape::warps>;
  static constexpr int block_size = Shape::block_size, items = Shape::items, tile_items = Shape::tile_items;
  static constexpr bool is_exclusive = Pass::kind == scan_kind::exclusive;
  static constexpr bool writes_all = decltype(Pass::source)::writes_all;
  /// Whether one thread may copy the results of a tile for all.
  static constexpr bool may_leave_in_rows =
      ptx::has_bulk_copies && std::is_pointer_v<decltype(Pass::out)> && tile_items * sizeof(result) % 16 == 0;

  const Pass& pass;
  const std::int64_t n = pass.n.read();
  const int tiles = pass.template count_tiles<Shape>(n), rank = int(this_block::thread_rank()), warp = rank / warp_size;
  const int last_count = tiles > 0 ? int(n - first_of(tiles - 1)) : 0;  ///< elements of the last tile
  std::int64_t begin = 0, end = 0;  ///< of the elements whose results are written, if these are not all

  /// To be called before results are written, and after the wait for earlier kernels.
  __device__ __forceinline__ void find_written() {
    if constexpr (!writes_all) {
      begin = pass.source.begin(n);
      end = pass.source.end(n);
    }
  }

  __device__ int stride() const { return pass.template stride<Shape>(); }
  __device__ std::int64_t first_of(int tile) const { return pass.head + std::int64_t(tile) * stride(); }
  __device__ int count_of(int tile) const { return tile == tiles - 1 ? last_count : stride(); }
  __device__ result finished(const value& sum, const element& own) const {
    return detail::convert<result>(pass.steps.finish(sum, own));
  }
  __device__ prefix joined(const prefix& a, const prefix& b) const { return join{pass.op}(a, b); }

  /// Scans the elements before the first tile, and stores what all tiles come behind. The first warp calls it. Where
  /// there is no tile, that is the total.
  __device__ __forceinline__ void scan_head(shared_array<prefix, 1>& start) const {
    const int count = n < pass.head ? int(n) : pass.head;
    const prefix from = pass.start.read();
    prefix all = from;
    if (count > 0) {
      auto own = pass.source.before_tiles(rank, count);
      uninitialized_array<value, 1> first;
      std::memset(static_cast<void*>(detail::pointer_to(first)), 0, sizeof first);
      if (rank < count) first[0] = pass.steps.first(pass.op, own[0]);
      const value sum = detail::scan_lanes(warp_tile<warp_size>{}, first[0], pass.op, count);
      const auto earlier = detail::shuffle_up(warp_tile<warp_size>{}, sum, 1u);
      if (rank < count) {
        all = joined(from, sum);
        const prefix before = earlier.is_there ? joined(from, earlier.value) : from;
        if (writes_all || (rank >= begin && rank < end)) {
          pass.out[rank] = finished(join::unwrap(is_exclusive ? before : all), own[0]);
        }
      }
    }
    if (rank != (count > 0 ? count - 1 : 0)) return;
    start[0] = all;
    if constexpr (!std::is_same_v<decltype(Pass::total), nothing>) {
      if (tiles > 0) return;
      if constexpr (std::is_same_v<prefix, value>) detail::assign(*pass.total, all);
      else if (all.present) detail::assign(*pass.total, all.value);
    }
  }

  /// Joins a thread's elements, and the threads of each warp. Returns what the warp has before the thread; the last
  /// lane stores what the warp has in all.
  __device__ __forceinline__ prefix fold(stage& from, warp_values& sums) const {
    const auto own = pass.source.template read<Shape>(from, rank);
    value sum = pass.steps.first(pass.op, own[0]);
#pragma unroll
    for (int k = 1; k < items; ++k) sum = pass.steps.add(pass.op, sum, own[k]);
    sum = detail::scan_lanes(warp_tile<warp_size>{}, sum, pass.op, all_values);
    if (rank % warp_size == warp_size - 1) sums[warp] = sum;
    const auto earlier = detail::shuffle_up(warp_tile<warp_size>{}, sum, 1u);
    return earlier.is_there ? prefix(earlier.value) : join::empty();
  }
  /// Joins the first values of one array, and behind them those of another. A whole warp calls it.
  __device__ __forceinline__ prefix join_values(warp_values& a, int a_count, warp_values& b, int b_count) const {
    if constexpr (Shape::warps <= 8) {  // so few are read one after the other in less time than lanes trade them
      prefix all = join::empty();
#pragma unroll
      for (int i = 0; i < Shape::warps; ++i) {
        if (i < a_count) all = joined(all, a[i]);
      }
#pragma unroll
      for (int i = 0; i < Shape::warps; ++i) {
        if (i < b_count) all = joined(all, b[i]);
      }
      return all;
    }
    static_assert(2 * Shape::warps <= warp_size);
    const int lane = int(ptx::lane()), at = lane - Shape::warps;
    prefix own = join::empty();
    if (lane < a_count) own = a[lane];
    if (at >= 0 && at < b_count) own = b[at];
    const warp_tile<warp_size> all;
    if constexpr (std::is_same_v<prefix, value>) return gpuprim::warp_all_reduce(all, own, pass.op);
    else return gpuprim::warp_all_reduce(all, own, join{pass.op});
  }
  __device__ __forceinline__ prefix join_warps(warp_values& sums, int count) const {
    return join_values(sums, 0, sums, count);
  }

  /// Replaces a thread's elements by results. A barrier follows before results of other threads are read.
  __device__ __forceinline__ void scan(int tile, stage& at, const prefix& before) const {
    const auto own = pass.source.template read<Shape>(at, rank);
    uninitialized_array<result, items> results;
    const int left = tile == tiles - 1 ? count_of(tile) - rank * items : 0;  // so many are the thread's or behind them
    value sum = join::unwrap(joined(before, pass.steps.first(pass.op, own[0])));
    results[0] = finished(is_exclusive ? join::unwrap(before) : sum, own[0]);
    put_total(sum, left == 1);
#pragma unroll
    for (int k = 1; k < items; ++k) {
      const value next = pass.steps.add(pass.op, sum, own[k]);
      results[k] = finished(is_exclusive ? sum : next, own[k]);
      sum = next;
      put_total(sum, left == k + 1);
    }
    // Where places differ, others have read what is overwritten.
    if constexpr (decltype(Pass::source)::replaced_bytes != int(sizeof(result))) this_block::sync();
    detail::write_items(results, at.results(), rank);
  }

  /// Writes results to memory. All threads call it behind a barrier; another one follows before the stage is used
  /// again.
  __device__ __forceinline__ void store(int tile, stage& from) const {
    const std::int64_t first = first_of(tile);
    int least = 0, count = count_of(tile);
    if constexpr (!writes_all) {
      const std::int64_t before = begin - first, behind = end - first;
      if (before > 0) least = before < tile_items ? int(before) : tile_items;
      if (behind < count) count = behind > 0 ? int(behind) : 0;
    }
    if constexpr (may_leave_in_rows) {
      if (count == tile_items && least == 0 && detail::has_rows<tile_items>(pass.out + first)) {
        if (rank == 0) ptx::copy_bulk_out(pass.out + first, from.results(), tile_items * unsigned(sizeof(result)));
        return;
      }
    }
    int i = rank;
    if constexpr (std::is_pointer_v<decltype(pass.out)>) {  // a warp's stores fill whole lines
      i -= int(reinterpret_cast<std::uintptr_t>(pass.out + first) / sizeof(result) % warp_size);
    }
#pragma unroll 4
    for (; i < count; i += block_size) {
      if (i >= least) pass.out[first + i] = from.results()[i];
    }
  }

 private:
  __device__ __forceinline__ void put_total([[maybe_unused]] const value& sum, [[maybe_unused]] bool is_all) const {
    if constexpr (!std::is_same_v<decltype(Pass::total), nothing>) {
      if (is_all) detail::assign(*pass.total, sum);
    }
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
