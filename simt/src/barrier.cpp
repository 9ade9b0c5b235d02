// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block, cluster and grid barriers: one mechanism, three sets of threads. Threads that have ended are not
// waited for.
#include "diagnostics.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

const char* name_of(barrier_scope scope) {
  switch (scope) {
    case barrier_scope::block:
      return "block";
    case barrier_scope::cluster:
      return "cluster";
    case barrier_scope::grid:
      return "grid";
  }
  return "?";
}

activity waiting_at(barrier_scope scope) {
  switch (scope) {
    case barrier_scope::block:
      return activity::at_block_barrier;
    case barrier_scope::cluster:
      return activity::at_cluster_barrier;
    case barrier_scope::grid:
      break;
  }
  return activity::at_grid_barrier;
}

void complete(barrier_state& b) {
  race::quiet quiet;
  machine& m = the_machine();
  b.last_count = b.count;
  b.last_all = b.all;
  b.last_any = b.any;
  b.count = b.any = 0;
  b.all = 1;
  b.arrived = 0;
  ++b.phase;
  for (thread* t : b.waiting) {
    t->group->blocked &= ~(1u << (t->linear % 32));
    make_ready(*t);
  }
  b.waiting.clear();
  ++m.counters.barriers;
  m.polls = m.busy_polls = 0;
}

void leave(barrier_state& b, bool had_arrived, barrier_phase phase) {
  if (b.expected == 0) return;  // the grid barrier of an ordinary launch
  if (had_arrived && phase == b.phase) --b.arrived;
  if (--b.expected > 0 && b.arrived == b.expected) complete(b);
}

// Every thread of a phase has to arrive at the same place in the program.
void check_place(const barrier_state& b, barrier_scope scope, location here) {
  if (b.arrived == 0 || same_place(b.first_arrival, here)) return;
  fail(here, "divergent %s barrier: other threads of the same %s arrive at %s:%u", name_of(scope), name_of(scope),
       b.first_arrival.file, b.first_arrival.line);
}

[[noreturn]] void fail_half_called(location here) {
  fail(here, "all threads of a block have to make this call, but some end without it");
}

}  // namespace

barrier_state& barrier_of(thread& t, barrier_scope scope) {
  switch (scope) {
    case barrier_scope::block:
      return t.home->barrier;
    case barrier_scope::cluster:
      return t.home->home->barrier;
    case barrier_scope::grid:
      break;
  }
  return the_machine().grid_barrier;
}

barrier_phase barrier_arrive(barrier_scope scope, location here) {
  machine& m = the_machine();
  thread& self = *m.current;
  self.here = here;
  if (scope == barrier_scope::grid && !m.running.cooperative) {
    fail(here, "grid.sync() in a launch that is not cooperative");
  }
  barrier_state& b = barrier_of(self, scope);
  int s = int(scope);
  if (self.arrived_at[s]) {
    fail(here, "a thread arrives at the %s barrier for the second time without waiting in between", name_of(scope));
  }
  check_place(b, scope, here);
  b.first_arrival = here;
  self.ordered <<= 1;
  ++self.barriers;
  self.arrived_at[s] = true;
  self.arrived_phase[s] = b.phase;
  race::release(&b.order[b.phase & 1]);
  weak::arrive_at(scope);
  barrier_phase phase = b.phase;
  if (++b.arrived == b.expected) complete(b);
  return phase;
}

void barrier_wait(barrier_scope scope, barrier_phase phase, location here) {
  thread& self = *the_machine().current;
  barrier_state& b = barrier_of(self, scope);
  self.here = here;
  if (b.phase == phase) {
    warp& group = *self.group;
    self.doing = waiting_at(scope);
    {
      race::quiet quiet;
      b.waiting.push_back(&self);
      group.blocked |= 1u << (self.linear % 32);
      release_converged(group);
    }
    suspend();
  } else {
    may_let_others_run(1);  // or the last to arrive would always be the first to go on
  }
  self.arrived_at[int(scope)] = false;
  race::acquire(&b.order[phase & 1]);
  weak::wait_at(scope);
}

void barrier_wait_for_own_arrival(barrier_scope scope, location here) {
  const thread& self = *the_machine().current;
  if (!self.arrived_at[int(scope)]) fail(here, "a thread waits at the %s barrier without arriving", name_of(scope));
  barrier_wait(scope, self.arrived_phase[int(scope)], here);
}

void barrier(barrier_scope scope, location here) { barrier_wait(scope, barrier_arrive(scope, here), here); }

int block_barrier(location here, vote_fold fold, int predicate) {
  barrier_state& b = the_machine().current->home->barrier;
  int vote = predicate != 0;
  check_place(b, barrier_scope::block, here);
  b.count += vote;
  b.all &= vote;
  b.any |= vote;
  barrier(barrier_scope::block, here);
  switch (fold) {
    case vote_fold::count:
      return b.last_count;
    case vote_fold::all:
      return b.last_all;
    case vote_fold::any:
      return b.last_any;
  }
  return 0;
}

void whole_block_calls(location here) {
  thread& self = *the_machine().current;
  block& b = *self.home;
  self.here = here;
  if (++self.whole_block_calls <= b.whole_block_calls) return;
  b.whole_block_calls = self.whole_block_calls;
  b.whole_block_call = here;
  if (b.live == b.threads.size()) return;
  fail_half_called(here);
}

void leave_barriers(thread& t) {
  const block& b = *t.home;
  if (t.whole_block_calls < b.whole_block_calls) fail_half_called(b.whole_block_call);
  for (auto scope : {barrier_scope::block, barrier_scope::cluster, barrier_scope::grid}) {
    leave(barrier_of(t, scope), t.arrived_at[int(scope)], t.arrived_phase[int(scope)]);
  }
}

}  // namespace simt
