// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp operations under a mask. Lanes of a warp are scheduled one by one, as on hardware with independent
// thread scheduling; an operation completes when all live lanes of its mask have arrived at it.
#include <bit>
#include <cstring>

#include "diagnostics.hpp"
#include "garbage.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

// What a lane that takes no part would have given.
constexpr std::size_t largest_shuffle = 32;
const unsigned char* const garbage = [] {
  static unsigned char bytes[largest_shuffle];
  fill_garbage(bytes, sizeof(bytes));
  return bytes;
}();

template <class Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1) visit(unsigned(std::countr_zero(lanes)));
}

bool is_shuffle(warp_operation o) { return o >= warp_operation::shuffle && o <= warp_operation::shuffle_xor; }

void shuffle(warp& w, std::uint32_t present) {
  for_each_lane(present, [&](unsigned i) {
    warp_request& r = *w.requests[i];
    bool defined = r.source_lane < 32 && (present >> r.source_lane & 1);
    const void* in = defined ? w.requests[r.source_lane]->in : garbage;
    if (r.bytes == 4) {
      std::memcpy(r.out, in, 4);  // by far the most frequent
    } else {
      std::memcpy(r.out, in, r.bytes);
    }
  });
}

void ballot(warp& w, std::uint32_t present) {
  std::uint32_t votes = 0;
  for_each_lane(present, [&](unsigned i) {
    if (*static_cast<const bool*>(w.requests[i]->in)) votes |= 1u << i;
  });
  for_each_lane(present, [&](unsigned i) { *static_cast<std::uint32_t*>(w.requests[i]->out) = votes; });
}

void match(warp& w, std::uint32_t present, warp_operation operation) {
  for_each_lane(present, [&](unsigned i) {
    std::uint32_t same = 0;
    for_each_lane(present, [&](unsigned j) {
      if (!std::memcmp(w.requests[i]->in, w.requests[j]->in, w.requests[i]->bytes)) same |= 1u << j;
    });
    if (operation == warp_operation::match_all && same != present) same = 0;
    *static_cast<std::uint32_t*>(w.requests[i]->out) = same;
  });
}

std::uint32_t fold(warp_operation operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case warp_operation::reduce_add:
      return a + b;
    case warp_operation::reduce_min_signed:
      return std::int32_t(b) < std::int32_t(a) ? b : a;
    case warp_operation::reduce_max_signed:
      return std::int32_t(a) < std::int32_t(b) ? b : a;
    case warp_operation::reduce_min_unsigned:
      return b < a ? b : a;
    case warp_operation::reduce_max_unsigned:
      return a < b ? b : a;
    case warp_operation::reduce_and:
      return a & b;
    case warp_operation::reduce_or:
      return a | b;
    default:
      return a ^ b;
  }
}

void reduce(warp& w, std::uint32_t present, warp_operation operation) {
  bool first = true;
  std::uint32_t total = 0;
  for_each_lane(present, [&](unsigned i) {
    auto value = *static_cast<const std::uint32_t*>(w.requests[i]->in);
    total = first ? value : fold(operation, total, value);
    first = false;
  });
  for_each_lane(present, [&](unsigned i) { *static_cast<std::uint32_t*>(w.requests[i]->out) = total; });
}

void perform(warp& w, std::uint32_t present, warp_operation operation) {
  switch (operation) {
    case warp_operation::sync:
      return;
    case warp_operation::ballot:
    case warp_operation::any:
    case warp_operation::all:
      return ballot(w, present);
    case warp_operation::match_any:
    case warp_operation::match_all:
      return match(w, present, operation);
    default:
      return is_shuffle(operation) ? shuffle(w, present) : reduce(w, present, operation);
  }
}

// Two lanes that name each other under different masks can never meet.
void check_masks(const warp& w, const warp_request& mine, unsigned lane) {
  for (const warp_request* other = w.unfinished; other; other = other->next) {
    if (other->mask == mine.mask || !(other->mask >> lane & 1)) continue;
    std::uint32_t named_by_both = other->arrived & mine.mask;
    if (!named_by_both) continue;
    unsigned i = unsigned(std::countr_zero(named_by_both));
    const location& there = w.requests[i]->here;
    fail(mine.here, "overlapping masks: %08x here, %08x of lane %u at %s:%u", mine.mask, other->mask, i, there.file,
         there.line);
  }
}

// Adds the lane to the operation under its mask, and answers with that operation's leader.
warp_request& join(warp& w, warp_request& mine, unsigned lane) {
  warp_request* leader = w.unfinished;
  while (leader && leader->mask != mine.mask) leader = leader->next;
  if (!leader) {
    leader = &mine;
    mine.order_slot = w.next_order_slot++ % sizeof(w.order);
    mine.next = w.unfinished;
    w.unfinished = &mine;
  } else if (leader->operation != mine.operation || leader->bytes != mine.bytes) {
    fail(mine.here, "mixed warp operations under mask %08x: another lane is at %s:%u", mine.mask, leader->here.file,
         leader->here.line);
  }
  leader->arrived |= 1u << lane;
  w.requests[lane] = &mine;
  w.blocked |= 1u << lane;
  return *leader;
}

void remove(warp& w, const warp_request& leader) {
  warp_request** link = &w.unfinished;
  while (*link != &leader) link = &(*link)->next;
  *link = leader.next;
}

bool everybody_arrived(const warp& w, const warp_request& leader) { return !(leader.mask & w.live & ~leader.arrived); }

void complete(warp& w, warp_request& leader) {
  machine& m = the_machine();
  std::uint32_t present = leader.arrived;
  perform(w, present, leader.operation);
  remove(w, leader);
  ++m.counters.warp_operations;
  m.polls = 0;
  const void* sync_point = &w.order[leader.order_slot];
  w.blocked &= ~present;
  for_each_lane(present, [&](unsigned i) {
    thread& t = *w.threads[i];
    w.requests[i] = nullptr;
    t.sync_point = sync_point;
    if (&t != m.current) make_ready(t);
  });
}

void collective(warp_request& mine) {
  thread& self = *the_machine().current;
  warp& w = *self.group;
  unsigned lane = self.linear % 32;
  self.here = mine.here;
  if (!(mine.mask >> lane & 1)) fail(mine.here, "lane %u is not in its own mask %08x", lane, mine.mask);
  check_masks(w, mine, lane);
  warp_request& leader = join(w, mine, lane);
  bool orders_memory = mine.operation == warp_operation::sync;  // a shuffle does not
  if (orders_memory) {
    race::release(&w.order[leader.order_slot]);
    weak::release_to_block();
  }
  if (everybody_arrived(w, leader)) {
    {
      race::quiet quiet;
      complete(w, leader);
    }
    // Or the last lane to arrive would always be the first to go on.
    may_let_others_run(2);
  } else {
    self.doing = activity::in_warp_operation;
    if (w.converging) {
      race::quiet quiet;
      release_converged(w);
    }
    suspend();
  }
  if (orders_memory) race::acquire(self.sync_point);
}

}  // namespace

void warp_sync(std::uint32_t mask, location here) {
  warp_request r{};
  r.mask = mask;
  r.operation = warp_operation::sync;
  r.here = here;
  collective(r);
}

void warp_shuffle(warp_operation operation, std::uint32_t mask, const void* in, void* out, std::size_t bytes,
                  unsigned source_lane, location here) {
  warp_request r{};
  r.mask = mask;
  r.operation = operation;
  r.in = in;
  r.out = out;
  r.bytes = bytes;
  r.source_lane = source_lane;
  r.here = here;
  collective(r);
}

std::uint32_t warp_ballot(warp_operation operation, std::uint32_t mask, bool predicate, location here) {
  std::uint32_t votes = 0;
  warp_shuffle(operation, mask, &predicate, &votes, sizeof(predicate), 0, here);
  return votes;
}

std::uint32_t warp_match(warp_operation operation, std::uint32_t mask, const void* in, std::size_t bytes,
                         location here) {
  std::uint32_t same = 0;
  warp_shuffle(operation, mask, in, &same, bytes, 0, here);
  return same;
}

std::uint32_t warp_reduce32(warp_operation operation, std::uint32_t mask, std::uint32_t value, location here) {
  std::uint32_t result = 0;
  warp_shuffle(operation, mask, &value, &result, sizeof(value), 0, here);
  return result;
}

// Lanes that wait elsewhere or poll are not waited for: they may depend on the ones that stand here.
void release_converged(warp& w) {
  while (w.converging && !(w.live & ~w.blocked & ~w.polling & ~w.converging)) {
    unsigned first = unsigned(std::countr_zero(w.converging));
    std::uint32_t group = 0;
    for_each_lane(w.converging, [&](unsigned i) {
      if (same_place(w.converge_at[i], w.converge_at[first])) group |= 1u << i;
    });
    // Any subset is a legal outcome, and code that relies on all of them is wrong.
    if (draws_at_random() && random_below(4) == 0) {
      if (auto part = group & std::uint32_t(random_bits())) group = part;
    }
    w.converging &= ~group;
    for_each_lane(group, [&](unsigned i) {
      w.converged[i] = group;
      make_ready(*w.threads[i]);
    });
  }
}

std::uint32_t converged_lanes(location here) {
  thread& self = *the_machine().current;
  warp& w = *self.group;
  unsigned lane = self.linear % 32;
  self.here = here;
  self.doing = activity::converging;
  w.converging |= 1u << lane;
  w.converge_at[lane] = here;
  {
    race::quiet quiet;
    release_converged(w);
  }
  suspend();
  return w.converged[lane];
}

void leave_warp(thread& t) {
  warp& w = *t.group;
  w.live &= ~(1u << (t.linear % 32));
  for (warp_request* leader = w.unfinished; leader;) {
    warp_request* next = leader->next;
    if (everybody_arrived(w, *leader)) complete(w, *leader);
    leader = next;
  }
  release_converged(w);
}

unsigned lane() { return the_machine().current->linear % 32; }
unsigned linear_thread() { return the_machine().current->linear; }
unsigned cluster_rank() { return the_machine().current->home->rank; }
dim3 cluster_dimensions() { return the_machine().running.cluster_shape; }
bool in_cooperative_launch() { return the_machine().running.cooperative; }

}  // namespace simt
