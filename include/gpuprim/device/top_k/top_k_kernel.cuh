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
#pragma unroll 1
  for (;;) {
    block.sync();
    unsigned ticket = 0;
    if (!is_alone) {
      if (rank == 0) {
        shared.ticket = ticket = ptx::count_one_relaxed(&team->next);
        if (ticket >= parts) {  // it is not of the first round
          team->wait_for(ticket / parts);
          shared.now = *self.memory.progress;
        }
      }
      block.sync();
      ticket = shared.ticket;
    }
    const top_k_step step = shared.now.step;
    if (step == top_k_step::none) break;
    const bool is_filter = step == top_k_step::filter;
    top_k_part mine{0, 1};
    top_k_counter counter{is_filter ? &shared.found : &shared.written, nullptr};
    if (!is_alone) {
      mine = {int(ticket % parts), int(parts)};
      counter = {nullptr, is_filter ? &team->found : &team->written};
    }
    self.work(step, mine, counter);
    block.sync();
    if (!is_alone) {
      if (step == top_k_step::count_words || step == top_k_step::count_places) {
        team->add(shared.counters);
        block.sync();
      }
      if (!block.any(rank == 0 && team->arrive(parts))) continue;
    }
    const std::int64_t found = is_alone ? std::int64_t(shared.found) : std::int64_t(team->found);
    self.conclude(step, found, [&](int bin) {
      return is_alone ? std::int64_t(shared.counters.of[bin]) : team->take_count(bin);
    });
    if (is_alone) continue;
    block.sync();
    is_alone = step == top_k_step::filter && self.has_small_rest();
    if (rank == 0) {
      *self.memory.progress = shared.now;
      if (is_alone) {
        self.memory.progress->step = top_k_step::none;  // for the other blocks
        shared.written = 0;
      }
      ptx::store_release(&team->published, ticket / parts + 1);
    }
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
