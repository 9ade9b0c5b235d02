// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/device/top_k/top_k_listed.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/scratch_lease.cuh>

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
    return {b.zeroed_bytes > a.zeroed_bytes ? b.zeroed_bytes : a.zeroed_bytes, (scratch + 255) / 256 * 256};
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
    const spans_of_length rows{length, pass.rows.count};
    const std::int64_t results = rows.length * rows.count;
    std::int64_t before = 0;
    if (how.workspace != nullptr) {
      const auto own = Launch::template find_workspace<typename Pass::word, Pass::form>(pass.rows, pass.k);
      before = join(own, listed_sorter::find_rows_size(results, rows.count)).scratch_bytes;
    }
    scratch_lease lease(before + results * std::int64_t(sizeof(listed)), how);
    if (lease.error()) return lease.refusal();
    pass.list = reinterpret_cast<listed*>(static_cast<char*>(lease.data()) + before);
    pass.list_length = length;
    const int place_bits = listing::count_place_bits(pass.rows.most());
    const listed_sorter sort{listing::digits_of(place_bits), 0, place_bits + listing::word_bits};
    const auto go = [&]() -> outcome {
      if constexpr (!Pass::rows_type::are_even) {  // what rows of fewer results leave is sorted behind these
        const auto bytes = std::size_t(results) * sizeof(listed);
        if (const cudaError_t e = cudaMemsetAsync(pass.list, 0xff, bytes, how.stream)) return {e};
      }
      if (const outcome taken = Launch::run(pass, found, how); taken.failed()) return taken;
      if (const outcome sorted = sort.sort_rows(rows, pass.list, how); sorted.failed()) return sorted;
      constexpr auto kernel = &top_k_put_kernel<Pass>;
      const auto put = detail::find_shape<kernel>((results - 1) / Pass::block_size + 1, Pass::block_size);
      if (put.error != cudaSuccess) return {put.error};
      return {gpuprim::launch(put.when, kernel, put.grid, how.stream, pass)};
    };
    const outcome done = go(), freed = lease.finish(done.code);
    return done.failed() ? done : freed;
  }
};

}  // namespace gpuprim::detail
