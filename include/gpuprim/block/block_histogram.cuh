// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/detail/range_finder.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Integers are bins.
struct item_is_bin {
  template <class T>
  __device__ auto operator()(const T& item) const {
    static_assert(std::is_integral_v<T>,
                  "gpuprim::block_histogram: items that are not integers need a function that finds their bin");
    return item;
  }
};

/// What is in no bin is counted too, so that lanes do not diverge; nobody reads it.
struct outside_count {
  unsigned count;
};

/// Adds items to counters. A block that knows its memory has the counter of what is in no bin there.
template <class Block, class T, int Items, class Find>
__device__ __forceinline__ void add_to_bins(const Block& block, const T (&items)[Items], unsigned* counts, int bins,
                                            const Find& find, [[maybe_unused]] call_site here) {
  expects(__isShared(counts), "gpuprim::block_histogram: the counters must be in shared memory", here);
  expects(bins >= 0, "gpuprim::block_histogram: the number of bins must not be negative: it is %lld", here, bins);
  const ptx::shared_address counters = ptx::find_shared_address(counts);
  const ptx::shared_address nowhere = ptx::find_shared_address(&detail::storage_of<outside_count>(block).count);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const auto bin = find(items[i]);
    using word = std::conditional_t<sizeof(bin) <= 4, unsigned, unsigned long long>;
    const bool is_inside = static_cast<word>(bin) < word(unsigned(bins));
    ptx::count_one(is_inside ? counters + unsigned(bin) * 4 : nowhere);
  }
}

template <int BlockSize, class Block, class T, int Items, class Find>
__device__ __forceinline__ void count_in_bins(const Block& block, const T (&items)[Items], unsigned* counts, int bins,
                                              const Find& find, call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_histogram: the group must be a thread block");
  static_assert(BlockSize >= 0 && BlockSize <= max_block_size,
                "gpuprim::block_histogram: a block has 1 to 1024 threads");
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_histogram", here);
  detail::expects_whole_block(here);
  detail::expects_memory<int(sizeof(outside_count))>(block, here);
  const int rank = int(block.thread_rank()), threads = detail::block_threads<BlockSize>(block);
  block.sync();
  for (int first = 0; first < bins; first += threads) {
    if (first + rank < bins) counts[first + rank] = 0;
  }
  block.sync();
  detail::add_to_bins(block, items, counts, bins, find, here);
  block.sync();
}

/// Whether an argument is what finds bins, and not a number of bins.
template <class Find>
concept finds_bins = !std::is_integral_v<Find>;

}  // namespace detail

/// The bytes of a block_with_memory that block_histogram needs, beside the counters.
inline constexpr int block_histogram_bytes = int(sizeof(detail::outside_count));

/// What finds the bin of a sample in a kernel, as `histogram` does: for `even_bins{...}`, or for `bin_ranges{...}`,
/// whose levels it searches where they are, in global or in shared memory. A sample outside of all bins, and a NaN, has
/// the number `bins.count`; so has every sample where the bounds of even bins are not in order. Levels must be.
template <class Sample, class Bins>
__device__ __forceinline__ auto bin_finder(const Bins& bins) {
  typename detail::finder_choice<Sample, Bins>::type find;
  (void)decltype(find)::make(bins, find);  // with bounds that are not in order it finds every sample outside
  find.begin(0);
  return find;
}

/// Adds the items of the calling thread to counters in shared memory, one for each of `Bins` bins. A block that counts
/// in several steps calls `block_histogram` first and then this.
///
/// @pre   `counts` is in shared memory. `find(item)` is the bin of an item; without it the items are bins, integers of
///        any type. What is not from 0 to Bins - 1 is not counted, -1 for instance.
/// @sync  none: the block must meet before the counters are read, and after anything else was written there.
/// @order does not matter.
/// @cost  one atomic addition in shared memory an item, which is one for all lanes of a warp that count in one bin;
///        4 bytes of static shared memory where items may be outside.
/// @source Podlozhnyuk, "Histogram calculation in CUDA", 2007; cub::BlockHistogram.
/// @example examples/library/48_in_kernel.cu
template <class T, int Items, int Bins, detail::finds_bins Find = detail::item_is_bin>
__device__ __forceinline__ void block_histogram_add(const T (&items)[Items], unsigned (&counts)[Bins],
                                                    const Find& find = {},
                                                    detail::call_site here = detail::call_site::current()) {
  detail::add_to_bins(this_block{}, items, counts, Bins, find, here);
}

/// Adds the items of the calling thread to the `bins` counters from `counts` on: their number is known at run time.
/// @pre as above, and 0 <= bins.
template <class T, int Items, class Find = detail::item_is_bin>
__device__ __forceinline__ void block_histogram_add(const T (&items)[Items], unsigned* counts, int bins,
                                                    const Find& find = {},
                                                    detail::call_site here = detail::call_site::current()) {
  detail::add_to_bins(this_block{}, items, counts, bins, find, here);
}

/// Counts how many of the items of a block's threads lie in each of `Bins` bins: `counts[i]` becomes the number of
/// those in bin i, for every thread to read.
///
/// @pre   All threads of the block call it; as block_histogram_add. The counters of a block_with_memory lie elsewhere.
/// @sync  three block barriers: the counters may be read at once, and the next call may follow at once. Accesses to
///        shared memory before and after it are ordered.
/// @order does not matter; the result is the same in every run.
/// @cost  block_histogram_add, and Bins stores. A block_with_memory has `block_histogram_bytes`, and no barrier is owed
///        behind it.
/// @source as block_histogram_add.
/// @example examples/library/48_in_kernel.cu
template <int BlockSize = runtime_block_size, class Block, class T, int Items, int Bins,
          detail::finds_bins Find = detail::item_is_bin>
__device__ __forceinline__ void block_histogram(const Block& block, const T (&items)[Items], unsigned (&counts)[Bins],
                                                const Find& find = {},
                                                detail::call_site here = detail::call_site::current()) {
  detail::count_in_bins<BlockSize>(block, items, counts, Bins, find, here);
}

/// Counts how many of the items of a block's threads lie in each of `bins` bins, whose number is known at run time.
/// `counts` points to as many counters in shared memory, such as `dynamic_shared<unsigned>()`.
/// @pre as above, and 0 <= bins.
template <int BlockSize = runtime_block_size, class Block, class T, int Items, class Find = detail::item_is_bin>
__device__ __forceinline__ void block_histogram(const Block& block, const T (&items)[Items], unsigned* counts, int bins,
                                                const Find& find = {},
                                                detail::call_site here = detail::call_site::current()) {
  detail::count_in_bins<BlockSize>(block, items, counts, bins, find, here);
}

}  // namespace gpuprim
