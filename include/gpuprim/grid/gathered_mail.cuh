// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/detail/block_layouts.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/grid/mailbox.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

#include <bit>

namespace gpuprim::inline v0_2_0::detail {

/// Long values of other blocks, gathered in shared memory by the block that joins them. Neighbouring threads load
/// neighbouring words, which is coalesced; threads that loaded whole values would each touch cache lines of their own.
/// One warp then joins the values, because most warps would shuffle all words of no value.
template <class T>
struct gathered_mail {
  using box = mailbox<T>;
  using columns = block_columns<T, 1>;
  // Shared memory that columns leave, less what the kernel itself has.
  static constexpr int room_bytes = most_static_shared_bytes - most_columns_bytes - 128;
  static constexpr int room = room_bytes / columns::stride, most = room < 1 ? 1 : room < 160 ? room : 160;
  static constexpr unsigned padded_words = std::bit_ceil(unsigned(box::words));

  block_columns<T, most> values;

  /// Takes what `count` blocks have mailed, but for the one of number `own`. All threads of a block call it, which has
  /// a barrier before it reads the values. All senders must be running or done.
  template <int BlockSize>
  __device__ __forceinline__ void receive(box* boxes, unsigned count, unsigned own, unsigned rank) {
    // A power of two that divides the block, so that no word is taken twice.
    constexpr unsigned divisor = BlockSize & -BlockSize, lanes = padded_words < divisor ? padded_words : divisor;
    constexpr unsigned step = BlockSize / lanes;
    constexpr int batch = 8;  // that are on their way at once
    for (unsigned word = rank % lanes; __any_sync(0xffffffffu, word < box::words); word += lanes) {
      for (unsigned at = rank / lanes; __any_sync(0xffffffffu, at < count); at += batch * step) {
        typename box::word_box got[batch] = {};
        bool is_wanted[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
          const unsigned i = at + k * step;
          is_wanted[k] = word < box::words && i < count && i != own;
        }
        const auto box_at = [&](int k) -> auto& { return boxes[at + k * step].of_word(word); };
        box::word_box::look_at_all(got, box_at, [&](int k) { return is_wanted[k]; });
#pragma unroll
        for (int k = 0; k < batch; ++k) {
          if (!is_wanted[k]) continue;
          const std::uint32_t own_word = got[k].value();
          std::memcpy(values.bytes + (at + k * step) * columns::stride + 4 * word, &own_word, 4);
          box_at(k).empty();
        }
      }
    }
  }

  /// Joins the first `count` values in their order. All lanes of a warp call it; lane 0 gets the result.
  template <class Op>
  __device__ __forceinline__ T join(unsigned lane, unsigned count, const Op& op) {
    const unsigned run = (count + warp_size - 1) / warp_size, begin = lane * run;
    T total = values[begin < count ? begin : 0];
    for (unsigned i = begin + 1; i < begin + run; ++i) {
      if (i < count) total = op(total, values[i]);
    }
    return warp_reduce_first<warp_size>(warp_tile<warp_size>{}, total, op, int((count + run - 1) / run));
  }
};

}  // namespace gpuprim::detail
