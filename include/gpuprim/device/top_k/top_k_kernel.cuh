// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/top_k/top_k_finish.cuh>
#include <gpuprim/device/top_k/top_k_worker.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// A block works on a row: by itself, or, where there is a team, in rounds of as many parts as there are blocks. One
/// block of a team ends a small rest by itself.
template <class Pass>
__device__ __forceinline__ void run_row(const top_k_worker<Pass>& self, typename Pass::team* team) {
  auto& shared = self.shared;
  const this_block block;
  const bool is_alone = team == nullptr, draws = !is_alone && self.rank() == 0;
  const unsigned parts = unsigned(self.pass.parts);
  unsigned next = 0;  // the ticket of the next part
  bool finishes = false;
  if (draws) {
    next = ptx::count_one_relaxed(&team->next);
    shared.round = 0;
  }
  self.start();
#pragma unroll 1
  for (;;) {
    if (draws) {
      shared.ticket = next;
      if (next / parts != shared.round) {
        shared.round = next / parts;
        team->wait_for(shared.round);
        shared.now = *self.memory().progress;
      }
    }
    block.sync();
    const unsigned ticket = is_alone ? 0 : shared.ticket;
    const top_k_step step = shared.now.step;
    if (step == top_k_step::finish || step == top_k_step::none) {
      finishes = step == top_k_step::finish && ticket == 0;
      break;
    }
    if (draws) next = ptx::count_one_relaxed(&team->next);  // it is there when the part is done
    const bool is_write = step == top_k_step::write;
    top_k_part mine{0, 1};
    top_k_counter counter{is_write ? &shared.written : &shared.found, nullptr};
    if (!is_alone) {
      mine = {int(ticket % parts), int(parts)};
      counter = {nullptr, is_write ? &team->written : &team->found};
    }
    self.work(step, mine, counter);
    block.sync();
    if (!is_alone) {
      if (step != top_k_step::filter && step != top_k_step::write) {
        team->add(shared.counters);
        block.sync();
      }
      if (!block.any(draws && team->arrive(parts))) continue;
    }
    const std::int64_t found = is_alone ? std::int64_t(shared.found) : std::int64_t(team->found);
    self.conclude(step, found, [&](int bin) {
      return is_alone ? std::int64_t(shared.counters.of[bin]) : team->take_count(bin);
    });
    block.sync();
    if (is_alone) continue;
    finishes = shared.now.step == top_k_step::finish;
    if (draws) {
      *self.memory().progress = shared.now;
      if (finishes) self.memory().progress->step = top_k_step::none;  // for the other blocks
      ptx::store_release(&team->published, ++shared.round);
    }
    if (finishes) break;
  }
  if (finishes) detail::finish_row(self);
  block.sync();
  if (draws) team->leave(parts);
}

/// Finds the k largest of each row. Where there are many rows, a block takes one after the other, and else several
/// blocks work on one. The threads of a block share dynamic memory, because nvcc -G adds to the static memory of a
/// kernel what others have.
template <class Pass>
__global__ void __launch_bounds__(Pass::block_size, Pass::policy.blocks_per_multiprocessor)
    top_k_kernel(Pass pass) {
  auto& shared = *dynamic_shared<top_k_shared<Pass>>();
  ptx::begin_kernel();
  const bool are_shared = pass.parts > 1;
  const int team = int(blockIdx.x) / pass.parts;
#pragma unroll 1
  for (std::int64_t row = team; row < pass.rows.count; row += int(gridDim.x) / pass.parts) {
    detail::run_row(top_k_worker<Pass>(pass, shared, team, row), are_shared ? pass.teams + team : nullptr);
  }
}

}  // namespace gpuprim::detail
