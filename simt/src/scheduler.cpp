// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which CUDA thread runs next.
#include <utility>

#include "builtins.hpp"
#include "diagnostics.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

// Polls without anything happening that a poller could wait for; and, for those that busily change memory
// without getting anywhere, polls without a barrier completing or a block ending.
constexpr std::uint64_t idle_poll_limit = race::enabled ? 300'000 : 3'000'000;
constexpr std::uint64_t busy_poll_limit = race::enabled ? 5'000'000 : 50'000'000;

thread* take_next() {
  machine& m = the_machine();
  if (m.ready.empty()) return nullptr;
  thread* next = nullptr;
  switch (m.chosen.schedule) {
    case schedule::fifo:
      next = m.ready.front();
      m.ready.pop_front();
      break;
    case schedule::random:
      std::swap(m.ready[random_below(unsigned(m.ready.size()))], m.ready.back());
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
    finish_thread(t);
    thread* next = take_next();
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

std::uint64_t random_bits() {  // splitmix64
  std::uint64_t z = the_machine().random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

unsigned random_below(unsigned limit) { return unsigned((random_bits() >> 32) * limit >> 32); }

void make_ready(thread& t) {
  race::quiet quiet;
  t.doing = activity::ready;
  the_machine().ready.push_back(&t);
}

void suspend() {
  thread& self = *the_machine().current;
  thread* next = take_next();
  if (!next) fail_deadlock();
  if (next != &self) leave_for(*self.stack, next);
  become(self);
}

void let_others_run() {
  make_ready(*the_machine().current);
  suspend();
}

void note_progress() { the_machine().polls = 0; }

void yield_point(bool polling, location here) {
  machine& m = the_machine();
  if (!m.current) return;  // the same functions serve host code
  m.current->here = here;
  if (!polling) {
    if (random_schedule() && random_below(4) == 0) let_others_run();
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
  if (thread* first = take_next()) leave_for(host_fiber(), first);
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
