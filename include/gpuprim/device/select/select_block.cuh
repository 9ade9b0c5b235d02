// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a block does with a tile of a select.
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/select/select_parts.cuh>
#include <gpuprim/grid/tile_counts.cuh>
#include <gpuprim/warp/warp_scan.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Where the elements of the last part go, which is not counted: nowhere, to an output of its own, to the end of the
/// first part's output in reverse order, or behind the first part, whose size the host has had counted.
enum class rest_place { none, own_output, reversed, behind };

/// The arguments of a select. The first `head` elements, if there are any, are a tile of their own, so that the others
/// begin with a line of memory. `counts`: an output for each part that is counted.
template <class Source, rest_place Rest, class Counts, class... Writes>
struct select_pass {
  using source_type = Source;
  using element = input_value<decltype(Source::in)>;
  static constexpr int counted = Source::parts, written = int(sizeof...(Writes));
  static constexpr rest_place rest = Rest;
  static_assert(written == counted + (Rest == rest_place::none ? 0 : 1));

  Source source;
  element_count n;
  int head;
  publish_order order;  ///< after all if the output is the input itself
  Counts counts;
  tuple<Writes...> writes;

  template <class Shape>
  GPUPRIM_HOST_DEVICE int count_tiles(std::int64_t count) const {
    const std::int64_t behind = count - head;
    if (behind <= 0) return count > 0 ? 1 : 0;
    return int((behind + Shape::tile_items - 1) / Shape::tile_items) + (head > 0 ? 1 : 0);
  }
};

/// A block's shared memory.
template <class Shape, class Pass>
struct select_shared {
  tile_buffer<typename Pass::element, Shape::tile_items> stages[Shape::stages];
  std::uint16_t places[Shape::tile_items];  ///< in the tile: of the elements of the first part, then of the next
  shared_array<part_counts<Pass::counted>, Shape::warps> counts;
  std::uint64_t before[Pass::counted][Shape::warps];
  ptx::copy_round rounds[Shape::stages];
  int drawn;
};

/// What a thread has found of a tile: bits of its elements, and how many others of the tile lie before them. A tile
/// that has no elements counts as none.
template <int Items, int Parts>
struct found_items {
  using packed = part_counts<Parts>;
  item_bits<Items> chosen[Parts], valid;
  packed before, all;  ///< before the thread, and in the tile
};

/// The steps of a thread in a block.
template <class Shape, class Pass>
struct select_worker {
  using element = typename Pass::element;
  using packed = part_counts<Pass::counted>;
  using found = found_items<Shape::items, Pass::counted>;
  using bits = item_bits<Shape::items>;
  static constexpr int block_size = Shape::block_size, items = Shape::items, tile_items = Shape::tile_items;
  static constexpr int counted = Pass::counted;
  /// Whether one thread may copy a tile for all.
  static constexpr bool has_rounds =
      ptx::has_bulk_copies && Shape::stages > 1 && may_have_rows<tile_items, decltype(Pass::source.in)>;

  const Pass& pass;
  select_shared<Shape, Pass>& shared;
  const std::int64_t n;
  const int tiles, rank = int(this_block::thread_rank()), warp = rank / warp_size;

  __device__ select_worker(const Pass& p, select_shared<Shape, Pass>& s)
      : pass(p), shared(s), n(p.n.read()), tiles(p.template count_tiles<Shape>(n)) {}

  __device__ std::int64_t first_of(int tile) const {
    const std::int64_t first = pass.head + std::int64_t(tile - (pass.head > 0 ? 1 : 0)) * tile_items;
    return first > 0 ? first : 0;
  }
  __device__ int count_of(int tile) const {
    if (tile == 0 && pass.head > 0) return n > pass.head ? pass.head : int(n);
    const std::int64_t left = n - first_of(tile);
    return left < tile_items ? int(left) : tile_items;
  }
  /// Whether one thread copies the tile for all.
  __device__ bool comes_in_round(int tile) const {
    if (!has_rounds || count_of(tile) < tile_items) return false;
    return detail::has_rows_at<tile_items>(pass.source.in, first_of(tile));
  }

  /// Asks for a tile that the grid has, whichever block takes it.
  __device__ __forceinline__ void prefetch_first() const {
    if (rank == 0) detail::prefetch_tile(pass.source.in, first_of(int(blockIdx.x)), n, tile_items);
  }
  /// Where the last part begins, if that is behind the first one. To be called after the wait for earlier kernels.
  __device__ std::int64_t read_behind() const {
    if constexpr (Pass::rest == rest_place::behind) return std::int64_t(*pass.counts);
    else return 0;
  }

  /// Starts to copy a tile, if it exists. All threads call it, behind a barrier since the stage was used.
  __device__ __forceinline__ void load(int tile, int stage) const {
    if (tile < tiles) {
      const std::int64_t first = first_of(tile);
      element* const to = shared.stages[stage].data();
      if constexpr (Pass::source_type::looks_before) {
        if (rank == 0) detail::copy_one(pass.source.in, first > 0 ? first - 1 : 0, to - 1);
      }
      const bool in_round = comes_in_round(tile);
      if (tile == 0 && pass.head > 0) copy_head(to);
      else if (!in_round) detail::copy_tile<block_size, items>(pass.source.in, first, first + count_of(tile), to);
      if (has_rounds && rank == 0) {  // a round of nothing keeps the parity of rounds
        if (in_round) {
          ptx::order_before_bulk_copies();
          detail::copy_row<tile_items>(pass.source.in, first, to, &shared.rounds[stage]);
        }
        ptx::end_copy_round(&shared.rounds[stage]);
      }
    }
    ptx::end_copy_group();
  }
  __device__ __forceinline__ void wait(int tile, int stage, unsigned parity) const {
    if (comes_in_round(tile)) ptx::wait_for_copy_round(&shared.rounds[stage], parity);
  }

  /// Finds what is chosen of a thread's elements, and counts that for its warp.
  __device__ __forceinline__ found find(int tile, int stage) const {
    found at{};
    pass.source.template find<items>(shared.stages[stage].data(), rank, at.chosen);
    if constexpr (Pass::source_type::looks_before) {
      if (tile == 0 && rank == 0) at.chosen[0] |= 1;
    }
    at.valid = detail::first_bits<items>(count_of(tile) - rank * items);
    packed own = 0;
#pragma unroll
    for (int p = 0; p < counted; ++p) {
      at.chosen[p] &= at.valid;
      own += detail::pack_count<counted>(p, detail::count_bits(at.chosen[p]));
    }
    const packed sum = detail::scan_lanes(warp_tile<warp_size>{}, own, plus<packed>{}, all_values);
    if (rank % warp_size == warp_size - 1) shared.counts[warp] = sum;
    at.before = sum - own;
    return at;
  }
  /// Completes what `find` has returned, behind a barrier.
  __device__ __forceinline__ void join_warps(found& at) const {
#pragma unroll
    for (int i = 0; i < Shape::warps; ++i) {
      const packed count = shared.counts[i];
      if (i < warp) at.before += count;
      at.all += count;
    }
  }

  /// Asks for what is read besides a tile's elements, if most lines of memory that hold it are needed. One thread calls
  /// it.
  __device__ __forceinline__ void prefetch_values(int tile, const found& at) const {
    constexpr int few = 8;  // of so many elements less than one
    const int count = count_of(tile);
    if (Pass::rest == rest_place::none && int(detail::unpack_count(at.all, 0)) * few < count) return;
    gpuprim::get<0>(pass.writes).prefetch(first_of(tile), n, count);
  }

  /// Lists the places of a tile's elements, part after part, for threads to read after a barrier.
  __device__ __forceinline__ void list(int tile, const found& at) const {
    const int first = rank * items;
    int list_begin = 0, before_all = 0;
    bits rest = at.valid;
#pragma unroll
    for (int p = 0; p < counted; ++p) {
      const int before = int(detail::unpack_count(at.before, p));
      detail::list_places<items>(at.chosen[p], first, shared.places + list_begin + before);
      list_begin += int(detail::unpack_count(at.all, p));
      before_all += before;
      rest &= ~at.chosen[p];
    }
    if constexpr (Pass::rest != rest_place::none) {
      const int valid_before = first < count_of(tile) ? first : count_of(tile);
      detail::list_places<items>(rest, first, shared.places + list_begin + valid_before - before_all);
    }
  }

  /// Writes a tile's elements whose places are listed. `before`: those of each counted part in earlier tiles. `behind`:
  /// where the rest begins, if it is behind the first part.
  __device__ __forceinline__ void put(int tile, int stage, const found& at, const std::int64_t (&before)[counted],
                                      std::int64_t behind) const {
    const std::int64_t first = first_of(tile);
    int list_begin = 0;
    std::int64_t rest_before = first;
    [&]<std::size_t... Part>(std::index_sequence<Part...>) {
      const auto put_one = [&]<std::size_t P>(std::integral_constant<std::size_t, P>) {
        const int count = int(detail::unpack_count(at.all, int(P)));
        put_part<int(P)>(stage, first, list_begin, count, [&](int j) { return before[P] + j; }, before[P]);
        list_begin += count;
        rest_before -= before[P];
      };
      (put_one(std::integral_constant<std::size_t, Part>{}), ...);
    }(std::make_index_sequence<std::size_t(counted)>{});
    if constexpr (Pass::rest != rest_place::none) {
      const std::int64_t from = Pass::rest == rest_place::behind ? behind + rest_before : rest_before;
      put_part<counted>(
          stage, first, list_begin, count_of(tile) - list_begin,
          [&](int j) { return Pass::rest == rest_place::reversed ? n - 1 - (from + j) : from + j; }, from);
    }
  }
  /// Writes how many there are of each part, if the tile is the last one.
  __device__ __forceinline__ void put_counts(int tile, const found& at, const std::int64_t (&before)[counted]) const {
    if constexpr (Pass::rest == rest_place::behind) return;  // it was written before
    if (tile != tiles - 1 || rank != 0) return;
#pragma unroll
    for (int p = 0; p < counted; ++p) put_count(p, before[p] + detail::unpack_count(at.all, p));
  }
  /// Writes that there are none.
  __device__ void put_no_counts() const {
    if constexpr (Pass::rest == rest_place::behind) return;
    if (rank != 0) return;
#pragma unroll
    for (int p = 0; p < counted; ++p) put_count(p, 0);
  }

 private:
  /// The output of one count may be one that takes nothing else.
  __device__ __forceinline__ void put_count(int part, std::int64_t count) const {
    if constexpr (counted == 1) *pass.counts = count;
    else pass.counts[part] = count;
  }
  /// Copies the elements before the first line, which are fewer than a warp. Places behind get one of them again.
  __device__ __forceinline__ void copy_head(element* to) const {
    const int last = count_of(0) - 1;
    uninitialized_array<element, 1> own;
    own[0] = pass.source.in[rank < last ? rank : last];
#pragma unroll
    for (int k = 0; k < items; ++k) to[k * block_size + rank] = own[0];
  }
  template <int Part, class PlaceOf>
  __device__ __forceinline__ void put_part(int stage, std::int64_t first, int list_begin, int count,
                                           const PlaceOf& place_of, std::int64_t before) const {
    constexpr int batch = 4;  // values that are on their way at once
    const auto write = get<std::size_t(Part)>(pass.writes);
    const std::uint16_t* const list = shared.places + list_begin;
    const element* const tile = shared.stages[stage].data();
    uninitialized_array<decltype(write.fetch(tile[0], first)), batch> values;
    // A warp's stores fill whole lines of an output that begins with one.
    const int begin = rank - int(before % warp_size);
#pragma unroll 1
    for (int j = begin; j < count; j += batch * block_size) {
      std::int64_t from[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const int i = j + k * block_size;
        if (i < 0 || i >= count) continue;
        const int at = list[i];
        from[k] = first + at;
        values[k] = write.fetch(tile[at], from[k]);
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const int i = j + k * block_size;
        if (i < 0 || i >= count) continue;
        const std::int64_t place = place_of(i);
        if constexpr (Pass::source_type::looks_before) {
          // In place, the block of the next tile may still read an element that stays where it is.
          if (pass.order == publish_order::after_all && place == from[k]) continue;
        }
        write.put(place, values[k]);
      }
    }
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
