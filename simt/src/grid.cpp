// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a grid runs from start to end: clusters are admitted a few at a time, and retire as a whole.
#include <algorithm>
#include <utility>

#include "builtins.hpp"
#include "decisions.hpp"
#include "diagnostics.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

uint3 unflatten(std::uint64_t i, const dim3& shape) {
  return {unsigned(i % shape.x), unsigned(i / shape.x % shape.y), unsigned(i / shape.x / shape.y)};
}

// No order of blocks is promised, so under the random schedule the next cluster is one of the next few.
std::uint64_t choose_cluster() {
  constexpr std::size_t window = 4;
  machine& m = the_machine();
  auto& waiting = m.waiting_clusters;
  std::size_t wanted = draws_at_random() ? window : 1;
  while (waiting.size() < wanted && m.next_cluster < m.clusters) waiting.push_back(m.next_cluster++);
  std::size_t pick = random_schedule() && waiting.size() > 1 ? schedule_below(unsigned(waiting.size())) : 0;
  const switch_point here = point_of_cluster();
  if (const decision* told = find_decision(here)) {
    const auto named = std::find(waiting.begin(), waiting.end(), told->block);
    if (named != waiting.end()) pick = std::size_t(named - waiting.begin());
    tell_cluster(waiting[pick], waiting.front());
  }
  std::uint64_t chosen = waiting[pick];
  if (random_schedule()) record_cluster(here, chosen);
  waiting.erase(waiting.begin() + std::ptrdiff_t(pick));
  return chosen;
}

bool clusters_left() {
  machine& m = the_machine();
  return m.next_cluster < m.clusters || !m.waiting_clusters.empty();
}

// The race detector identifies synchronisation by address, so each block gets addresses of its own: a block at
// another's addresses would seem to be ordered after it.
std::unique_ptr<block> take_block() {
  machine& m = the_machine();
  if (race::enabled || m.spare.empty()) return std::make_unique<block>();
  auto b = std::move(m.spare.back());
  m.spare.pop_back();
  return b;
}

void populate(block& b) {
  machine& m = the_machine();
  unsigned size = m.running.threads_per_block();
  b.threads.assign(size, {});
  b.warps.assign((size + 31) / 32, {});
  b.barrier = {};
  b.barrier.expected = b.live = size;
  b.exited = false;
  b.whole_block_calls = 0;
  weak::begin_block(b);
  const dim3& shape = m.running.block_shape;
  uint3 index{0, 0, 0};
  for (unsigned i = 0; i < size; ++i) {
    thread& t = b.threads[i];
    t.home = &b;
    t.linear = i;
    t.index = index;
    if (++index.x == shape.x) {
      index.x = 0;
      if (++index.y == shape.y) {
        index.y = 0;
        ++index.z;
      }
    }
    t.group = &b.warps[i / 32];
    t.group->live |= 1u << (i % 32);
    t.group->threads[i % 32] = &t;
    t.race_fiber = take_race_fiber();
  }
  make_shared_memory(b);
}

void admit_cluster() {
  race::quiet quiet;
  machine& m = the_machine();
  const grid& g = m.running;
  // Clusters tile the grid in three dimensions.
  dim3 clusters(g.shape.x / g.cluster_shape.x, g.shape.y / g.cluster_shape.y, g.shape.z / g.cluster_shape.z);
  uint3 corner = unflatten(choose_cluster(), clusters);
  auto home = std::make_shared<cluster>();
  home->live_blocks = g.blocks_per_cluster();
  home->barrier.expected = std::uint64_t(home->live_blocks) * g.threads_per_block();
  for (unsigned rank = 0; rank < g.blocks_per_cluster(); ++rank) {
    uint3 within = unflatten(rank, g.cluster_shape);
    auto b = take_block();
    b->index = {corner.x * g.cluster_shape.x + within.x, corner.y * g.cluster_shape.y + within.y,
                corner.z * g.cluster_shape.z + within.z};
    b->rank = rank;
    b->home = home;
    populate(*b);
    home->blocks.push_back(b.get());
    m.resident.push_back(std::move(b));
  }
  for (block* b : home->blocks) {
    for (thread& t : b->threads) make_ready(t);
    m.counters.threads += b->threads.size();
  }
}

void retire(block& b) {
  machine& m = the_machine();
  release_shared_memory(b);
  forget_copies(b);
  for (thread& t : b.threads) {
    give_back_race_fiber(t.race_fiber);
  }
  b.home.reset();
  auto here = std::find_if(m.resident.begin(), m.resident.end(), [&](auto& other) { return other.get() == &b; });
  // The last thread of the block is still running on its own account, so the block is kept, not freed.
  m.spare.push_back(std::move(*here));
  *here = std::move(m.resident.back());
  m.resident.pop_back();
  constexpr std::size_t kept_for_race_detection = 64;
  if (race::enabled && m.spare.size() > kept_for_race_detection) m.spare.erase(m.spare.begin());
}

// After a trap: every thread is dropped where it stands.
void clear_machine() {
  machine& m = the_machine();
  void* host = race::current();
  m.ready.clear();
  while (!m.resident.empty()) {
    block& b = *m.resident.back();
    for (thread& t : b.threads) {
      if (!t.stack) continue;
      abandon(*t.stack);
      t.stack = nullptr;
      // The host sees what the thread did. Its call history can no longer be unwound, so its fiber is not
      // used again.
      race::switch_to(t.race_fiber);
      race::release(&m.ended);
      race::switch_to(host);
      race::destroy(t.race_fiber);
      t.race_fiber = nullptr;
    }
    if (!b.exited) destroy_shared_memory(b);
    retire(b);
  }
  race::acquire(&m.ended);
  m.waiting_clusters.clear();
  m.next_cluster = m.clusters;
}

}  // namespace

void finish_thread(thread& t) {
  machine& m = the_machine();
  block& b = *t.home;
  weak::end_view_of(t);
  race::release(&b.exit_order);
  if (b.live == 1) {
    race::acquire(&b.exit_order);
    announce_end_of_shared_memory(b);
  }
  race::quiet quiet;
  t.doing = activity::finished;
  m.polls = 0;
  leave_warp(t);
  leave_barriers(t);
  if (--b.live > 0) return;
  m.busy_polls = 0;
  destroy_shared_memory(b);
  b.exited = true;
  auto home = b.home;
  if (--home->live_blocks > 0) return;
  for (block* each : home->blocks) retire(*each);
  if (clusters_left()) admit_cluster();
}

void run_grid(const grid& g) {
  race::quiet quiet;
  machine& m = the_machine();
  start_fibers_with_threads();
  m.running = g;
  m.host_thread = std::this_thread::get_id();
  set_builtin_shape(g.block_shape, g.shape);
  ++m.counters.launches;
  count_launch();
  std::uint64_t blocks = std::uint64_t(g.shape.x) * g.shape.y * g.shape.z;
  m.clusters = blocks / g.blocks_per_cluster();
  m.next_cluster = 0;
  m.waiting_clusters.clear();
  m.ready.clear();
  m.polls = m.busy_polls = 0;
  m.trapped = false;
  m.grid_barrier = {};
  weak::begin_grid();
  if (g.cooperative) m.grid_barrier.expected = blocks * g.threads_per_block();
  race::release(&m.started);
  std::uint64_t resident = std::max(1u, m.chosen.resident_blocks / g.blocks_per_cluster());
  if (g.cooperative) resident = m.clusters;
  for (std::uint64_t i = 0; i < resident && clusters_left(); ++i) admit_cluster();
  run_until_idle();
  if (m.trapped) clear_machine();
  if (!m.resident.empty()) fail_deadlock();  // the last thread that could run has ended
  m.running.call = {};
}

}  // namespace simt
