// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/top_k/top_k_worker.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Does all that is left of a row by one block, which has met: each thread holds the words of a few elements.
template <class Pass>
__device__ __forceinline__ void finish_row(const top_k_row<Pass>& row) {
  using word = typename Pass::word;
  constexpr int block_size = Pass::block_size, items = most_alone<Pass::policy, word> / block_size;
  constexpr bool keeps_places = Pass::places == top_k_places::kept;
  auto& shared = row.shared;
  const bool is_input = shared.now.source == top_k_source::input, is_sorted = row.pass.is_sorted_in_block();
  const int count = int(shared.now.count), rank = row.rank();
  const auto list = row.memory().candidates;
  const auto word_of = [&](int at) { return is_input ? row.pass.ranks.rank(row.keys()[at]) : list.words[at]; };
  const auto place_of = [&](int at) { return keeps_places && !is_input ? list.place(at) : std::int64_t(at); };
  uninitialized_array<word, items> words;
  word highest = 0;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank < count) words[i] = word_of(i * block_size + rank);
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank < count && highest < words[i]) highest = words[i];
  }
  highest = detail::join_block<block_size>(highest, maximum<word>{});
  const top_k_scale<word> scale{is_input ? word(0) : shared.now.limit.word, highest};
#pragma unroll
  for (int i = 0; i < items; ++i) words[i] = scale.scale(words[i]);
  const auto found = detail::block_radix_select<block_size>(
      shared.counters, radix_search<word>::begin(scale.bits(), row.k, count), Pass::spare, [&](const auto& take) {
#pragma unroll
        for (int i = 0; i < items; ++i) {
          if (i * block_size + rank < count) take(words[i]);
        }
      });
  if constexpr (Pass::gives_last) {
    if (rank == 0) row.pass.values.put(row.number, scale.unscale(found.prefix), found.wanted);
    return;
  }
  unsigned taken = 0, equal = 0;  // a bit for each
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const bool is_there = i * block_size + rank < count;
    taken |= unsigned(is_there && words[i] > found.prefix) << i;
    equal |= unsigned(is_there && words[i] == found.prefix) << i;
  }
  const auto visit_equal = [&](const auto& take) {
#pragma unroll 1
    for (unsigned left = equal; left != 0; left &= left - 1) {
      const int i = __ffs(int(left)) - 1;
      take(place_of(i * block_size + rank), i);
    }
  };
  const auto limit = detail::block_find_places<block_size>(
      shared.counters, found, 0, keeps_places ? row.n : count,
      [&](const auto& take) { visit_equal([&](std::int64_t place, int) { take(place); }); });
  if (limit.place == every_place) taken |= equal;
  else visit_equal([&](std::int64_t place, int i) { taken |= unsigned(place <= limit.place) << i; });
  int to = gpuprim::block_exclusive_scan<block_size>(this_block{}, __popc(taken), plus<int>{});
#pragma unroll 1
  for (; taken != 0; taken &= taken - 1) {
    const int at = (__ffs(int(taken)) - 1) * block_size + rank;
    if (is_sorted) shared.sorted.put(to++, {word_of(at), place_of(at)});
    else row.put_out(to++, word_of(at), place_of(at));
  }
  if constexpr (Pass::is_sorted) {
    if (is_sorted) row.sort();
  }
}

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
    self.conclude(step, found,
                  [&](int bin) { return is_alone ? std::int64_t(shared.counters.of[bin]) : team->take_count(bin); });
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
__global__ void __launch_bounds__(Pass::block_size, Pass::policy.blocks_per_multiprocessor) top_k_kernel(Pass pass) {
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
