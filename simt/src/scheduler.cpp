// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which CUDA thread runs next.
#include <algorithm>
#include <utility>

#include "builtins.hpp"
#include "decisions.hpp"
#include "diagnostics.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

// Polls without anything happening that a poller could wait for; and, for those that busily change memory
// without getting anywhere, polls without a barrier completing or a block ending.
constexpr std::uint64_t idle_poll_limit = race::enabled ? 300'000 : 3'000'000;
constexpr std::uint64_t busy_poll_limit = race::enabled ? 5'000'000 : 50'000'000;

// The thread that a decision names, if it can run; else the one that has waited longest.
thread* take_chosen(const switch_point& at, const thread* from) {
  std::deque<thread*>& ready = the_machine().ready;
  const decision* const told = find_decision(at);
  auto next = ready.begin();
  if (told && told->block != no_block) {
    next = std::find_if(ready.begin(), ready.end(), [&](const thread* t) {
      return number_of(*t->home) == told->block && t->linear == told->thread;
    });
    if (next == ready.end()) next = ready.begin();
  }
  thread* const taken = *next;
  ready.erase(next);
  if (told && taken != from) tell_switch(from, *taken);
  return taken;
}

// At a point of the thread `from`, or of the host.
thread* take_next(const switch_point& at, const thread* from = nullptr) {
  machine& m = the_machine();
  if (m.ready.empty()) return nullptr;
  thread* next = nullptr;
  switch (m.chosen.schedule) {
    case schedule::fifo:
      next = m.ready.front();
      m.ready.pop_front();
      break;
    case schedule::chosen:
      return take_chosen(at, from);
    case schedule::random:
      std::swap(m.ready[schedule_below(unsigned(m.ready.size()))], m.ready.back());
      record_thread(at, *m.ready.back());
      [[fallthrough]];
    case schedule::lifo:
      next = m.ready.back();
      m.ready.pop_back();
      break;
  }
  return next;
}

void become(thread& t) {
  machine& m = the_machine();
  m.current = &t;
  t.doing = activity::running;
  set_builtins(t.index, t.home->index);
  ++m.counters.switches;
  weak::show_view_of(t);
  race::switch_to(t.race_fiber);
}

void leave_for(fiber& self, thread* next) {
  if (!next) {
    switch_fiber(self, host_fiber());
  } else if (next->stack) {
    switch_fiber(self, *next->stack);
  } else {
    the_machine().incoming = next;
    switch_fiber(self, take_fiber());
  }
}

#if defined(SIMT_TSAN)
// Moves the kernel's frames below the part of the stack that forget_stack_history has to leave alone.
[[gnu::noinline]] void run_kernel(const kernel_call& call) {
  void* padding = __builtin_alloca(16384);
  asm volatile("" ::"r"(padding) : "memory");
  call.run(call.bound.get());
  asm volatile("" ::"r"(padding) : "memory");
}
#else
void run_kernel(const kernel_call& call) { call.run(call.bound.get()); }
#endif

// The life of a fiber: one CUDA thread after the other, without a switch where none has to be resumed.
void run_threads(fiber& self) {
  machine& m = the_machine();
  for (;;) {
    thread& t = *m.incoming;
    t.stack = &self;
    become(t);
    forget_stack_history(self);
    race::acquire(&m.started);
    run_kernel(m.running.call);
    end_copies(t);
    weak::linger();
    race::release(&m.ended);
    t.stack = nullptr;
    ++t.points;
    const switch_point end = point_of(t);
    finish_thread(t);
    thread* next = take_next(end);
    if (next && !next->stack) {
      m.incoming = next;
      continue;
    }
    give_back(self);
    m.current = nullptr;
    leave_for(self, next);
  }
}

}  // namespace

machine* machine_instance = nullptr;

machine& make_machine() {
  static auto* made = new machine;
  machine_instance = made;
  return *made;
}

bool on_device_thread() {
  machine& m = the_machine();
  return m.current && m.host_thread == std::this_thread::get_id();
}

bool in_device_code() { return the_machine().current != nullptr; }
bool random_schedule() { return the_machine().chosen.schedule == schedule::random; }
bool draws_at_random() { return random_schedule() || the_machine().chosen.schedule == schedule::chosen; }

namespace {

std::uint64_t next_bits(std::uint64_t& state) {  // splitmix64
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// The current thread stops at the point that it has come to.
void stop_here() {
  thread& self = *the_machine().current;
  thread* next = take_next(point_of(self), &self);
  if (!next) fail_deadlock();
  if (next != &self) leave_for(*self.stack, next);
  become(self);
}

}  // namespace

std::uint64_t random_bits() { return next_bits(the_machine().random_state); }
unsigned random_below(unsigned limit) { return unsigned((random_bits() >> 32) * limit >> 32); }
unsigned schedule_below(unsigned limit) {
  return unsigned((next_bits(the_machine().schedule_state) >> 32) * limit >> 32);
}

void make_ready(thread& t) {
  race::quiet quiet;
  t.doing = activity::ready;
  the_machine().ready.push_back(&t);
}

void suspend() {
  ++the_machine().current->points;
  stop_here();
}

void let_others_run() {
  make_ready(*the_machine().current);
  suspend();
}

void may_let_others_run(unsigned one_in) {
  thread& self = *the_machine().current;
  switch (the_machine().chosen.schedule) {
    case schedule::random:
      ++self.points;
      if (schedule_below(one_in) != 0) return;
      break;
    case schedule::chosen:
      ++self.points;
      note_passed(point_of(self));
      if (!find_decision(point_of(self))) return;
      break;
    default:
      return;
  }
  make_ready(self);
  stop_here();
}

void note_progress() { the_machine().polls = 0; }

void yield_point(bool polling, location here) {
  machine& m = the_machine();
  if (!m.current) return;  // the same functions serve host code
  m.current->here = here;
  if (!polling) {
    may_let_others_run(4);
    return;
  }
  weak::settle_now_and_then();
  if (++m.polls > idle_poll_limit || ++m.busy_polls > busy_poll_limit) fail_livelock(m.polls);
  thread& self = *m.current;
  warp& group = *self.group;
  std::uint32_t bit = 1u << (self.linear % 32);
  {
    race::quiet quiet;
    self.doing = activity::polling;
    // To the far end for lifo, which would otherwise pick the same poller again for ever.
    if (m.chosen.schedule == schedule::lifo) {
      m.ready.push_front(&self);
    } else {
      m.ready.push_back(&self);
    }
    group.polling |= bit;
    release_converged(group);
  }
  suspend();
  group.polling &= ~bit;
}

void start_fibers_with_threads() { set_fiber_body(run_threads); }

void run_until_idle() {
  machine& m = the_machine();
  void* host_race_fiber = race::current();
  if (thread* first = take_next(point_of_launch())) leave_for(host_fiber(), first);
  m.current = nullptr;
  weak::end_grid();
  race::switch_to(host_race_fiber);
  race::acquire(&m.ended);
}

void leave_grid() {
  machine& m = the_machine();
  fiber& self = *m.current->stack;
  m.current = nullptr;
  switch_fiber(self, host_fiber());
}

}  // namespace simt
