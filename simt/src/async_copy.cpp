// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies. What a copy is to write is garbage until somebody has waited for it, and what it reads, it reads
// at one end of that time or at the other. For the race detector the copies of a round, and those of a thread to global
// memory, are made by a thread of their own, which only those that wait are ordered after.
#include <cstring>

#include "address_checker.hpp"
#include "diagnostics.hpp"
#include "garbage.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

void forbid([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(SIMT_ASAN)
  __asan_poison_memory_region(memory, bytes);
#endif
}

void allow([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(SIMT_ASAN)
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

bool reads_at_once() {
  return draws_at_random() ? random_below(2) == 0 : the_machine().chosen.schedule == schedule::fifo;
}

void check_alignment(const void* to, const void* from, std::size_t bytes, std::size_t unit, location here) {
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes) % unit == 0) return;
  fail(here, "an asynchronous copy of %zu bytes from %p to %p: they have to be multiples of %zu", bytes, from, to,
       unit);
}

void begin(copy_queue& queue, void* to, const void* from, std::size_t bytes, unsigned group, location here) {
  race::quiet quiet;
  weak::forget_stale(to, bytes);
  const char* first = static_cast<const char*>(from);
  queue.taken.insert(queue.taken.end(), first, first + bytes);
  fill_garbage(to, bytes);
  forbid(to, bytes);
  queue.pending.push_back({static_cast<char*>(to), first, bytes, group, reads_at_once(), false, here});
}

void read_sources(copy_queue& queue, std::size_t count) {
  race::quiet quiet;
  char* taken = queue.taken.data();
  for (std::size_t i = 0; i < count; taken += queue.pending[i++].bytes) {
    pending_copy& copy = queue.pending[i];
    if (!copy.has_read) std::memcpy(taken, copy.from, copy.bytes);
    copy.has_read = copy.is_known_to_have_read = true;
  }
}

// The first copies of a queue reach where they go to.
void land(copy_queue& queue, std::size_t count) {
  if (count == 0) return;
  race::quiet quiet;
  read_sources(queue, count);
  const char* taken = queue.taken.data();
  for (std::size_t i = 0; i < count; taken += queue.pending[i++].bytes) {
    const pending_copy& copy = queue.pending[i];
    allow(copy.to, copy.bytes);
    weak::forget_stale(copy.to, copy.bytes);
    std::memcpy(copy.to, taken, copy.bytes);
  }
  queue.taken.erase(queue.taken.begin(), queue.taken.begin() + (taken - queue.taken.data()));
  queue.pending.erase(queue.pending.begin(), queue.pending.begin() + std::ptrdiff_t(count));
  note_progress();
}

// To the race detector: another thread, begun by this one, reads and then writes.
void announce(void*& by, void* place, void* to, const void* from, std::size_t bytes, const void* read,
              const void* written) {
  if constexpr (!race::enabled) return;
  if (!by) {
    race::quiet quiet;
    by = take_race_fiber();
  }
  void* self = race::current();
  race::fork_to(by);
  {
    race::on_behalf copy(place);
    race::read(from, bytes);
    race::release(read);
    race::written(to, bytes);
    race::release(written);
  }
  race::switch_to(self);
}

copy_round_state* find_round(block& b, const void* round) {
  for (copy_round_state& r : b.rounds) {
    if (r.address == round) return &r;
  }
  return nullptr;
}

copy_round_state& round_at(const std::uint64_t* round, location here) {
  thread& self = *the_machine().current;
  self.here = here;
  copy_round_state* found = find_round(*self.home, round);
  if (!found) fail(here, "no rounds of copies have begun here in this block");
  race::read(round, sizeof *round);
  return *found;
}

void wake(copy_round_state& r) {
  for (thread* t : r.waiting) {
    t->group->blocked &= ~(1u << (t->linear % 32));
    make_ready(*t);
  }
  r.waiting.clear();
  note_progress();
}

void complete(copy_round_state& r) {
  race::quiet quiet;
  land(r.copies, r.copies.pending.size());
  r.has_ended = false;
  ++r.phase;
  wake(r);
}

void sleep_at(copy_round_state& r) {
  thread& self = *the_machine().current;
  self.doing = activity::at_copy_round;
  {
    race::quiet quiet;
    r.waiting.push_back(&self);
    self.group->blocked |= 1u << (self.linear % 32);
    release_converged(*self.group);
  }
  suspend();
}

}  // namespace

void order_before_bulk_copies() { the_machine().current->ordered |= 1; }

void begin_copy_rounds(std::uint64_t* round, location here) {
  block& b = *the_machine().current->home;
  race::written(round, sizeof *round);
  race::quiet quiet;
  copy_round_state* r = find_round(b, round);
  if (!r) r = &b.rounds.emplace_back();
  if (r->has_ended || !r->copies.pending.empty()) fail(here, "rounds begin anew where copies are under way");
  r->address = round;
  r->phase = 0;
}

void copy_bulk(void* to_shared, const void* from, std::size_t bytes, std::uint64_t* round, location here) {
  copy_round_state& r = round_at(round, here);
  check_alignment(to_shared, from, bytes, 16, here);
  if (!is_shared(to_shared)) fail(here, "a bulk copy to %p, which is no shared memory", to_shared);
  if (!(the_machine().current->ordered & 1)) {
    fail(here, "a bulk copy by a thread that has not called order_before_bulk_copies since its last barrier");
  }
  if (r.has_ended) fail(here, "a copy joins a round that has ended, and for which no thread has waited");
  weak::release_to_block();  // another thread may read the source in this one's place
  const char* order = &r.order[r.phase & 1];
  announce(r.race_fiber, __builtin_return_address(0), to_shared, from, bytes, order, order);
  begin(r.copies, to_shared, from, bytes, 0, here);
  yield_point(false, here);
}

void end_copy_round(std::uint64_t* round, location here) {
  copy_round_state& r = round_at(round, here);
  if (r.has_ended) fail(here, "a round ends for the second time, and no thread has waited for its copies");
  race::release(&r.order[r.phase & 1]);
  weak::release_to_block();
  race::quiet quiet;
  r.has_ended = true;
  if (r.copies.pending.empty()) complete(r);
  else wake(r);
}

void wait_for_copy_round(std::uint64_t* round, unsigned parity, location here) {
  copy_round_state& r = round_at(round, here);
  auto is_over = [&] { return (r.phase & 1) != parity; };
  while (!is_over()) {
    if (!r.has_ended) {
      sleep_at(r);
    } else {
      yield_point(true, here);
      if (r.has_ended && !is_over()) complete(r);
    }
  }
  race::acquire(&r.order[parity]);
}

void copy_bulk_out(void* to, const void* from_shared, std::size_t bytes, location here) {
  thread& self = *the_machine().current;
  self.here = here;
  check_alignment(to, from_shared, bytes, 16, here);
  if (!is_shared(from_shared)) fail(here, "a bulk copy out of %p, which is no shared memory", from_shared);
  for (const thread& t : self.home->threads) {
    // The others may have arrived at a later barrier already.
    if (t.doing == activity::finished || t.ordered >> (1 + t.barriers - self.barriers) & 1) continue;
    fail(here, "a bulk copy out, and thread %u has not called order_before_bulk_copies ahead of the last barrier",
         t.linear);
  }
  announce(self.race_fiber_out, __builtin_return_address(0), to, from_shared, bytes, &self.order_out[0],
           &self.order_out[1]);
  begin(self.copies_out, to, from_shared, bytes, 0, here);
  yield_point(false, here);
}

void wait_for_bulk_reads(location here) {
  thread& self = *the_machine().current;
  if (self.copies_out.pending.empty()) return;
  yield_point(true, here);
  read_sources(self.copies_out, self.copies_out.pending.size());
  race::acquire(&self.order_out[0]);
}

void wait_for_copies_out(location here) {
  thread& self = *the_machine().current;
  if (self.copies_out.pending.empty()) return;
  yield_point(true, here);
  land(self.copies_out, self.copies_out.pending.size());
  race::acquire(&self.order_out[1]);
}

// To the race detector the thread itself has copied: it sees who reads without a barrier. The garbage tells whether the
// thread has waited.
void copy_async(void* to_shared, const void* from, std::size_t bytes, location here) {
  thread& self = *the_machine().current;
  check_alignment(to_shared, from, bytes, bytes, here);
  {
    race::on_behalf copy(__builtin_return_address(0));
    race::read(from, bytes);
    race::written(to_shared, bytes);
  }
  begin(self.copies, to_shared, from, bytes, self.copy_groups, here);
}

void end_copy_group() { ++the_machine().current->copy_groups; }

void wait_for_groups(unsigned pending, location here) {
  thread& self = *the_machine().current;
  const auto& copies = self.copies.pending;
  if (copies.empty()) return;
  yield_point(false, here);
  std::size_t count = 0;
  while (count < copies.size() && copies[count].group + pending < self.copy_groups) ++count;
  land(self.copies, count);
}

void wait_for_copies(location here) {
  end_copy_group();
  wait_for_groups(0, here);
}

void end_copies(thread& t) {
  block& b = *t.home;
  for (const pending_copy& copy : t.copies_out.pending) {
    if (copy.is_known_to_have_read) continue;
    fail(copy.here, "a thread ends before its copy out of shared memory has been waited for");
  }
  if (!t.copies_out.pending.empty()) {
    land(t.copies_out, t.copies_out.pending.size());
    race::acquire(&t.order_out[1]);
  }
  if (b.live > 1) return;
  for (const copy_round_state& r : b.rounds) {
    if (r.copies.pending.empty()) continue;
    fail(r.copies.pending[0].here, "a block ends, and no thread has waited for its copy to shared memory");
  }
}

void forget_copies(block& b) {
  for (copy_round_state& r : b.rounds) give_back_race_fiber(r.race_fiber);
  b.rounds.clear();
  for (thread& t : b.threads) {
    give_back_race_fiber(t.race_fiber_out);
    for (const pending_copy& copy : t.copies_out.pending) allow(copy.to, copy.bytes);  // after a trap
  }
}

}  // namespace simt
