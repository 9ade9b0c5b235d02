// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/orders.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/thread/bins.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

template <class T>
inline constexpr bool is_word = std::is_integral_v<T> && sizeof(T) == 4;

template <class Sample, class Level>
constexpr auto choose_level_type() {
  using common = bin_type<Sample, Level>;
  constexpr bool are_integers = std::is_integral_v<Sample> && std::is_integral_v<Level>;
  constexpr bool have_one_sign = std::is_signed_v<Sample> == std::is_signed_v<Level>;
  if constexpr (are_integers && !have_one_sign && std::is_unsigned_v<common>) {
    return std::type_identity<std::int64_t>{};
  } else if constexpr (std::is_same_v<common, float> && (is_word<Sample> || is_word<Level>)) {
    return std::type_identity<double>{};
  } else {
    return std::type_identity<common>{};
  }
}

/// The type that samples are compared with levels in, which holds both: of 32-bit integers with and without sign, 64
/// bits; of such and floats, double.
template <class Sample, class Level>
using level_type = typename decltype(detail::choose_level_type<Sample, Level>())::type;

/// The bin of a sample between levels. With the levels staged in shared memory, cells of one width divide the whole
/// range. Each holds the number of levels before it and the first of its own. A cell with one level takes one
/// comparison, and only a cell with more takes a search. Where shared memory has no room, all levels are searched in
/// global memory.
template <class Sample, class Level>
struct range_finder {
  using common = level_type<Sample, Level>;
  static_assert(!(std::is_signed_v<common> && sizeof(common) == 8 && std::is_unsigned_v<bin_type<Sample, Level>> &&
                  sizeof(bin_type<Sample, Level>) == 8),
                "gpuprim::histogram: 64-bit samples and levels must both be signed or both unsigned");
  using scalar = std::conditional_t<sizeof(common) == 8, double, float>;
  struct cell {
    common level;     ///< the first of its own, or one that is above all samples of the cell
    unsigned before;  ///< levels before the cell, and in the upper half before the next
  };
  /// Cells for each bin: more of them take shared memory from the bins, fewer leave more cells with several levels.
  static constexpr int cells_per_bin = 2;
  static constexpr int most_staged_bins = 0xfffe;  ///< that a cell has bits for

  const Level* levels;
  int count;
  bool is_staged;
  common first, last;
  scalar cells_per_unit;
  const common* staged_levels;
  const cell* cells;

  GPUPRIM_HOST_DEVICE static bool make(const bin_ranges<Level>& bins, range_finder& made) {
    made = {};
    made.levels = bins.levels;
    made.count = bins.count;
    return bins.levels != nullptr && !detail::is_host_memory(bins.levels);
  }
  void restrict_to(int first_bin, int how_many) {
    levels += first_bin;
    count = how_many;
  }
  static constexpr bool counts_from_first = true;

  /// Bytes of shared memory for the cells of so many bins, and then their levels.
  static std::int64_t staged_bytes(std::int64_t bins) {
    return bins * cells_per_bin * std::int64_t(sizeof(cell)) + (bins + 1) * std::int64_t(sizeof(common)) / 16 * 16 + 16;
  }

  /// All threads of the block call it before the first search, and meet before it.
  __device__ void begin(int shared_offset) {
    if constexpr (checks_promises) {
      for (int i = blockIdx.x == 0 ? int(threadIdx.x) : count; i < count; i += int(blockDim.x)) {
        expects(!less_than{}(levels[i + 1], levels[i]),
                "gpuprim::histogram: the levels must not decrease: number %lld is above the next", {}, i);
      }
    }
    first = detail::convert<common>(levels[0]);
    last = detail::convert<common>(levels[count]);
    if (!is_staged) return;
    const int cell_count = count * cells_per_bin, rank = int(threadIdx.x), threads = int(blockDim.x);
    auto* to_cells = reinterpret_cast<cell*>(dynamic_shared<char>() + shared_offset);
    auto* to = reinterpret_cast<common*>(to_cells + cell_count);
    cells_per_unit = scalar(cell_count) / distance(last);
    for (int i = rank; i <= count; i += threads) to[i] = detail::convert<common>(levels[i]);
    __syncthreads();
    make_cells(to_cells, to, cell_count);
    staged_levels = to;
    cells = to_cells;
  }

  __device__ __forceinline__ int operator()(const Sample& sample) const {
    const auto s = detail::convert<common>(sample);
    if (!(s >= first && s < last)) return count;
    if (!is_staged) return search_global(levels, s, 0, count + 1) - 1;
    const cell mine = cells[cell_of(s)];
    const bool reaches = mine.level <= s;
    int before = int(mine.before & 0xffffu) + reaches;
    const int most = int(mine.before >> 16);
    if (reaches && before < most) before = search(staged_levels, s, before, most);
    return before - 1;
  }

 private:
  /// Level i writes the cells behind that of the level before it, up to its own: they have i levels before them. The
  /// lanes of a warp share what is left of a gap that is longer than a warp.
  __device__ void make_cells(cell* to_cells, const common* of, int cell_count) const {
    const warp_tile<warp_size> warp;
    const int lane = int(ptx::lane());
    for (int row = 0; row < count + 2; row += int(blockDim.x)) {
      const int i = row + int(threadIdx.x);  // count is the last level; count + 1 writes what is behind it
      const int own = i <= count ? cell_of(of[i]) : cell_count;
      int next = i == 0 ? 0 : i < count + 2 ? cell_of(of[i - 1]) + 1 : cell_count;
      const common level = of[i < count ? i : count];
      if (next <= own && own < cell_count) {
        int behind = i + 1, high = behind;  // the first level that is in a later cell, sought in steps that grow
        for (int step = 1; high <= count && cell_of(of[high]) <= own; step *= 2) {
          behind = high + 1;
          high += step;
        }
        if (high > count) high = count + 1;
        while (behind < high) {
          const int middle = (behind + high) / 2;
          if (cell_of(of[middle]) <= own) behind = middle + 1;
          else high = middle;
        }
        to_cells[own] = {level, unsigned(i) | unsigned(behind) << 16};
      }
      const unsigned before = unsigned(i) | unsigned(i) << 16;
      for (int k = 0; k < warp_size && next < own; ++k) to_cells[next++] = {level, before};
      for (unsigned left = __ballot_sync(0xffffffffu, next < own); left != 0; left &= left - 1) {
        const int from = __ffs(int(left)) - 1, end = detail::shuffle(warp, own, from);
        const cell empty{detail::shuffle(warp, level, from), detail::shuffle(warp, before, from)};
        for (int at = detail::shuffle(warp, next, from) + lane; at < end; at += warp_size) to_cells[at] = empty;
      }
    }
  }
  __device__ scalar distance(common s) const {
    if constexpr (std::is_integral_v<common>) {
      using bits = std::make_unsigned_t<common>;
      return scalar(bits(bits(s) - bits(first)));
    } else {
      return scalar(s - first);
    }
  }
  /// Never less for a greater sample, whatever the levels: that is all that the search relies on.
  __device__ int cell_of(common s) const {
    const scalar at = distance(s) * cells_per_unit, most = scalar(count * cells_per_bin - 1);
    return at > 0 ? int(at < most ? at : most) : 0;
  }
  /// How many levels are not above the sample: at least `low`, at most `high`.
  template <class T>
  static __device__ __forceinline__ int search(const T* in, common s, int low, int high) {
    while (low < high) {
      const int middle = (low + high) / 2;
      if (detail::convert<common>(in[middle]) <= s) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  /// Searches levels in global memory, where each load has a long latency: by quarters, whose three bounds are in
  /// flight at once.
  static __device__ __forceinline__ int search_global(const Level* in, common s, int low, int high) {
    while (high - low >= 4) {
      const int step = (high - low) / 4;
      const auto is_reached = [&](const Level& level) { return int(detail::convert<common>(level) <= s); };
      const Level bounds[]{in[low + step], in[low + 2 * step], in[low + 3 * step]};
      const int quarters = is_reached(bounds[0]) + is_reached(bounds[1]) + is_reached(bounds[2]);
      if (quarters < 3) high = low + (quarters + 1) * step;
      if (quarters > 0) low += quarters * step + 1;
    }
    return search(in, s, low, high);
  }
};

template <class Sample, class Bins>
struct finder_choice {
  static_assert(!sizeof(Bins), "gpuprim::histogram: the bins must be even_bins or bin_ranges");
};
template <class Sample, class Level>
struct finder_choice<Sample, even_bins<Level>> {
  static_assert(is_number<Level>, "gpuprim::histogram: the levels must be numbers");
  using type = even_finder<Sample, bin_type<Sample, Level>>;
};
template <class Sample, class Level>
struct finder_choice<Sample, bin_ranges<Level>> {
  static_assert(is_number<Level>, "gpuprim::histogram: the levels must be numbers");
  using type = range_finder<Sample, Level>;
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
