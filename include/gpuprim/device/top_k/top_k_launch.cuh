// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Results that are listed, because a block does not hold all of a row: what they are sorted by, and how they are
// written when they are.
#include <gpuprim/core/radix_digits.hpp>
#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/device/top_k/top_k_row.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Words, and of equal words the places, from the least up.
template <class Word>
struct top_k_entry_digits {
  using stored = top_k_entry<Word>;
  static constexpr int word_bits = 8 * int(sizeof(Word)), bits = word_bits + 64;

  int place_bits;  ///< that are compared, a multiple of those of a digit

  GPUPRIM_HOST_DEVICE const stored& store(const stored& entry) const { return entry; }
  GPUPRIM_HOST_DEVICE const stored& load(const stored& entry) const { return entry; }
  GPUPRIM_HOST_DEVICE unsigned digit(const stored& entry, int first, unsigned mask) const {
    const auto place = std::uint64_t(entry.place);
    return unsigned(first < place_bits ? place >> first : std::uint64_t(entry.word) >> (first - place_bits)) & mask;
  }
};

/// How the results of a pass are sorted that are listed.
template <class Pass>
struct top_k_listing {
  using word = typename Pass::word;
  static constexpr bool keeps_places = Pass::places == top_k_places::kept;
  using digits =
      std::conditional_t<keeps_places, top_k_entry_digits<word>, number_digits<word, sort_direction::ascending>>;
  static constexpr int word_bits = 8 * int(sizeof(word)), digit_bits = 8;

  static digits digits_of(int place_bits) {
    if constexpr (keeps_places) return {place_bits};
    else return {};
  }
  /// The bits of places in a row of so many keys.
  static int count_place_bits(std::int64_t keys) {
    int bits = 0;
    while (keeps_places && bits < 64 && (keys - 1) >> bits != 0) bits += digit_bits;
    return bits;
  }
};

/// Writes results that are listed in order.
template <class Pass>
__global__ void __launch_bounds__(Pass::block_size) top_k_put_kernel(Pass pass) {
  using word = typename Pass::word;
  ptx::begin_kernel();
  const std::int64_t results = pass.rows.count * pass.list_length, step = std::int64_t(gridDim.x) * Pass::block_size;
  std::int64_t at = std::int64_t(blockIdx.x) * Pass::block_size + this_block::thread_rank();
  for (; at < results; at += step) {
    const std::int64_t row = at / pass.list_length, i = at - row * pass.list_length, begin = pass.rows.begin(row);
    if (i >= pass.rows.end(row) - begin || i >= pass.k_of(row)) continue;
    const auto& result = pass.list[at];
    if constexpr (Pass::places == top_k_places::kept) {
      pass.put(row * pass.k + i, begin, word(~result.word), result.place);
    } else {
      pass.put(row * pass.k + i, begin, word(~result), 0);
    }
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail

namespace gpuprim::inline v0_2_0::detail {
/// Launches a top-k. Where a block cannot sort the results of a row, they are listed, and `Sorter<Digits, Listed>`
/// sorts the rows of the list.
template <template <class Digits, class Listed> class Sorter>
struct top_k_launcher {
  const options& how;

  static constexpr std::int64_t count_results(std::int64_t most, std::int64_t k) { return k < most ? k : most; }
  /// What both a top-k and a sort of its results need, and where their scratch memory ends.
  static constexpr workspace_size join(const workspace_size& a, const workspace_size& b) {
    const std::int64_t scratch = b.scratch_bytes > a.scratch_bytes ? b.scratch_bytes : a.scratch_bytes;
    return {b.zeroed_bytes > a.zeroed_bytes ? b.zeroed_bytes : a.zeroed_bytes, detail::align_up(scratch)};
  }

  /// What is enough for every GPU. `Word`: that of the keys.
  template <class Launch, class Word, top_k_form Form, class Rows>
  static constexpr workspace_size find_workspace(const Rows& rows, std::int64_t k) {
    using entry = top_k_entry<Word>;
    workspace_size size = Launch::template find_workspace<Word, Form>(rows, k);
    const std::int64_t length = count_results(rows.most(), k);
    if (Form == top_k_form::unsorted || rows.count <= 0 || length <= most_block_sorted) return size;
    const std::int64_t results = rows.count * length;
    size = join(size, Sorter<top_k_entry_digits<Word>, entry>::find_rows_size(results, rows.count));
    size.scratch_bytes += results * std::int64_t(sizeof(entry));
    return size;
  }

  template <class Launch, class Pass>
  outcome operator()(Launch, const Pass& pass, const found_shape& found) const {
    if constexpr (Pass::is_sorted && Launch::lists_results) {
      const std::int64_t length = count_results(pass.rows.most(), pass.k);
      if (length > most_block_sorted) return run_listed<Launch>(pass, length, found);
    }
    return Launch::run(pass, found, how);
  }

 private:
  /// Lists the results behind the memory that the top-k and the sort use one after the other.
  template <class Launch, class Pass>
  outcome run_listed(Pass pass, std::int64_t length, const found_shape& found) const {
    using listing = top_k_listing<Pass>;
    using listed = typename Pass::listed;
    using listed_sorter = Sorter<typename listing::digits, listed>;
    if (length > listed_sorter::most_row_items) return {cudaErrorInvalidValue, "2^32 results or more are not sorted"};
    const fixed_segments rows{length, pass.rows.count};
    const std::int64_t results = rows.length * rows.count;
    workspace_size size;
    if (detail::shares_workspace(how)) {
      const auto own = Launch::template find_workspace<typename Pass::word, Pass::form>(pass.rows, pass.k);
      size = join(own, listed_sorter::find_rows_size(results, rows.count));
    }
    memory_lease lease({size.zeroed_bytes, size.scratch_bytes + results * std::int64_t(sizeof(listed))}, how);
    if (lease.error()) return lease.refusal();
    pass.list = reinterpret_cast<listed*>(lease.scratch() + size.scratch_bytes);
    pass.list_length = length;
    const int place_bits = listing::count_place_bits(pass.rows.most());
    const listed_sorter sort{listing::digits_of(place_bits), 0, place_bits + listing::word_bits};
    const auto go = [&]() -> outcome {
      if constexpr (!Pass::rows_type::are_even) {  // what rows of fewer results leave is sorted behind these
        const auto bytes = std::size_t(results) * sizeof(listed);
        if (is_dry_run(how)) return {};
        if (const cudaError_t e = cudaMemsetAsync(pass.list, 0xff, bytes, how.stream)) return {e};
      }
      if (const outcome taken = Launch::run(pass, found, how); taken.failed()) return taken;
      if (const outcome sorted = sort.sort_rows(rows, pass.list, how); sorted.failed()) return sorted;
      constexpr auto kernel = &top_k_put_kernel<Pass>;
      const auto put = detail::find_shape<kernel>((results - 1) / Pass::block_size + 1, Pass::block_size);
      if (put.error != cudaSuccess) return {put.error};
      return {gpuprim::launch(put.when, kernel, put.grid, how, pass)};
    };
    return lease.finish(go());
  }
};

}  // namespace gpuprim::detail
