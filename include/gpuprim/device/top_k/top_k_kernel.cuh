// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/top_k/top_k_worker.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// A block works on a row: by itself, or, where there is a team, in rounds of as many parts as there are blocks. One
/// block of a team ends a small rest by itself.
template <class Pass>
__device__ __forceinline__ void run_row(const top_k_worker<Pass>& self, typename Pass::team* team) {
  auto& shared = self.shared;
  const this_block block;
  const int rank = self.rank();
  const unsigned parts = unsigned(self.pass.parts);
  bool is_alone = team == nullptr;
  self.start();
  block.sync();
  const unsigned lead = shared.now.step == top_k_step::sample ? 1 : 0;  // rounds of one part: one block samples
  const auto round_of = [&](unsigned ticket) { return ticket < lead ? 0 : (ticket - lead) / parts + lead; };
  block.sync();
#pragma unroll 1
  for (;;) {
    unsigned ticket = 0;
    if (!is_alone) {
      if (rank == 0) {
        shared.ticket = ticket = ptx::count_one_relaxed(&team->next);
        if (round_of(ticket) > 0) {
          team->wait_for(round_of(ticket));
          shared.now = *self.memory.progress;
        }
      }
      block.sync();
      ticket = shared.ticket;
    }
    const top_k_step step = shared.now.step;
    if (step == top_k_step::none) break;
    if (step == top_k_step::sample) {
      self.sample();
    } else {
      const top_k_part mine = is_alone ? top_k_part{0, 1} : top_k_part{int((ticket - lead) % parts), int(parts)};
      self.work(step, mine, is_alone ? &shared.found : &team->found, is_alone ? &shared.written : &team->written);
      block.sync();
      if (!is_alone) {
        if (step == top_k_step::count_words || step == top_k_step::count_places) {
          team->add(shared.counters);
          block.sync();
        }
        if (!block.any(rank == 0 && team->arrive(parts))) continue;
      }
      const unsigned long long found = is_alone ? shared.found : team->found;
      self.conclude(step, std::int64_t(found), [&](int bin) {
        return is_alone ? std::int64_t(shared.counters.of[bin]) : team->take_count(bin);
      });
    }
    block.sync();
    if (is_alone) continue;
    is_alone = step == top_k_step::filter && self.has_small_rest();
    if (rank == 0) {
      *self.memory.progress = shared.now;
      if (is_alone) self.memory.progress->step = top_k_step::none;  // for the other blocks
      ptx::store_release(&team->published, round_of(ticket) + 1);
    }
    block.sync();
  }
  block.sync();
  if (team != nullptr && rank == 0) team->leave(parts);
}

/// Finds the k largest of each row. Where there are many rows, a block takes one after the other, and else several
/// blocks work on one.
template <class Pass>
__global__ void __launch_bounds__(Pass::block_size, Pass::policy.blocks_per_multiprocessor)
    top_k_kernel(Pass pass) {
  GPUPRIM_SHARED(shared, top_k_shared<Pass>);
  ptx::begin_kernel();
  const bool are_shared = pass.parts > 1;
  const std::int64_t team = int(blockIdx.x) / pass.parts;
#pragma unroll 1
  for (std::int64_t row = team; row < pass.rows.count; row += int(gridDim.x) / pass.parts) {
    detail::run_row(top_k_worker<Pass>(pass, shared, team, row), are_shared ? pass.teams + team : nullptr);
  }
}

}  // namespace gpuprim::detail
