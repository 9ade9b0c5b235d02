// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/grid/mailbox.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// The first warps of a block join the values of some mailboxes, in their order. Rank 0 gets the result.
template <int Threads, int Batch, class Acc, class Join>
__device__ __forceinline__ typename Join::value_type join_mail(mailbox<Acc>* boxes, int count, const Join& join) {
  constexpr int batch = sizeof(Acc) <= 8 ? Batch : 1;  // that are on their way at once
  const int rank = int(this_block::thread_rank()), run = (count + Threads - 1) / Threads;
  auto all = join.empty();
  for (int k = 0; k < run; k += batch) {
    const int left = count - rank * run - k, in_run = run - k < batch ? run - k : batch;
    const int expected = left < 0 ? 0 : left < in_run ? left : in_run;
    const auto box_at = [&](int i) -> mailbox<Acc>& { return boxes[rank * run + k + i]; };
    const auto mail = mailbox<Acc>::template receive<batch>(box_at, expected);
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (i < expected) all = join(all, mail[i]);
    }
  }
  if constexpr (Threads == warp_size) return gpuprim::warp_reduce(warp_tile<warp_size>{}, all, join);
  else return gpuprim::block_reduce<Threads>(this_block{}, all, join);
}

}  // namespace gpuprim::detail
