// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory that is weak as PTX allows it, for the lane `weak`: docs/decisions/0017 says what it shows and what not.
//
// One thread runs at a time, so memory can show what that thread sees, and is changed when another one runs. Over what
// all see lie three layers of patches, from below:
//   - stale words of the block: others have written there, and the block does not see it yet;
//   - stores of the block: threads of it have made them visible to each other, by a barrier, but to nobody else;
//   - stores of the thread.
// A store leaves its layer when all see it: at random at a switch, in any order, and at a release. Then some other
// blocks get the old word as a stale one, until they acquire. Loads need no help: memory has what they are to read.
#include "weak_memory.hpp"

#if defined(SIMT_WEAK)

#include <algorithm>

#include "machine.hpp"

namespace simt::weak {
namespace {

// No more stores are late at the same time, and no more words stale: one of them, chosen at random, gives way.
constexpr std::size_t most_of_thread = 16, most_of_block = 64, most_stale = 32;
constexpr unsigned polls_until_some_settle = 16, polls_until_all_settle = 4096;

thread* viewer = nullptr;  // whose view memory shows; none where it shows what all see
unsigned hesitation = 1;   // a late store becomes visible at a switch with a chance of 1 / 2^hesitation
unsigned polls = 0;

using layer = std::vector<patch>;
layer orphans;                    // late stores of blocks that have ended
layer history;                    // what the last stores have overwritten, which a block that begins may still see
std::size_t next_in_history = 0;  // to be forgotten

constexpr int stale = 0, of_block = 1, of_thread = 2, layers = 3;
layer& layer_at(int k) {
  return k == stale ? viewer->home->view.stale : k == of_block ? viewer->home->view.stores : viewer->view.stores;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t mask) { return (a & ~mask) | (b & mask); }

patch* find(layer& patches, const std::uint64_t* word) {
  for (patch& p : patches) {
    if (p.word == word) return &p;
  }
  return nullptr;
}

// Words are in a layer once, so their order is of no meaning.
patch take(layer& patches, std::size_t i) {
  const patch taken = patches[i];
  patches[i] = patches.back();
  patches.pop_back();
  return taken;
}

void swap_with_memory(layer& patches) {
  for (patch& p : patches) {
    const std::uint64_t seen = *p.word;
    *p.word = mix(seen, p.other, p.mask);
    p.other = seen;
  }
}

// A store that is not in the program's calls, such as one of an inlined memcpy, has ended what was stale.
void hide_stale(layer& patches) {
  for (std::size_t i = patches.size(); i-- > 0;) {
    patch& p = patches[i];
    for (int byte = 0; byte < 8; ++byte) {
      const std::uint64_t one = std::uint64_t{0xff} << 8 * byte;
      if (((*p.word ^ p.stale) & one) != 0) p.mask &= ~one;
    }
    if (p.mask == 0) take(patches, i);
  }
  swap_with_memory(patches);
}

bool is_in_shared_memory(const std::uint64_t* word) {
  const auto address = reinterpret_cast<std::uintptr_t>(word);
  for (const block* peer : viewer->home->home->blocks) {
    for (const auto& range : peer->view.shared) {
      if (address >= range.begin && address < range.end) return true;
    }
  }
  return false;
}

// Of a block that does not run.
void add_stale(block& b, const patch& old) {
  layer& patches = b.view.stale;
  if (patch* p = find(patches, old.word)) {
    p->other = p->stale = mix(p->other, old.other, old.mask & ~p->mask);
    p->mask |= old.mask;
    return;
  }
  if (patches.size() == most_stale) take(patches, random_below(most_stale));
  patches.push_back(old);
}

// The bytes of the word were `before` until now. Each other block may go on to see them.
void leave_stale(std::uint64_t* word, std::uint64_t mask, std::uint64_t before) {
  if (viewer && is_in_shared_memory(word)) return;
  const patch old{word, mask, before, before};
  if (history.size() < most_stale) history.push_back(old);
  else history[next_in_history++ % most_stale] = old;
  std::uint64_t chosen = 0;
  unsigned left = 0;
  for (const auto& b : the_machine().resident) {
    if (left-- == 0) chosen = random_bits(), left = 63;
    const bool is_stale_there = chosen & 1;
    chosen >>= 1;
    if (!is_stale_there || (viewer && b.get() == viewer->home) || b->exited) continue;
    add_stale(*b, old);
  }
}

// A store becomes visible to all, and with it what lies below.
void perform(int k, std::size_t i) {
  const patch p = take(layer_at(k), i);
  std::uint64_t before = p.other;
  for (int below = k - 1; below >= 0; --below) {
    layer& patches = layer_at(below);
    patch* q = find(patches, p.word);
    if (!q) continue;
    const std::uint64_t both = q->mask & p.mask;
    before = mix(before, q->other, both);
    q->mask &= ~both;
    if (q->mask == 0) take(patches, std::size_t(q - patches.data()));
  }
  leave_stale(p.word, p.mask, before);
}

void perform_at(int k, const std::uint64_t* word) {
  if (patch* p = find(layer_at(k), word)) perform(k, std::size_t(p - layer_at(k).data()));
}

void perform_all(int k) {
  while (!layer_at(k).empty()) perform(k, layer_at(k).size() - 1);
}

// The block sees the word as all do.
void refresh(std::size_t i) {
  const patch p = take(layer_at(stale), i);
  std::uint64_t mask = p.mask;
  for (int above = stale + 1; above < layers; ++above) {
    patch* q = find(layer_at(above), p.word);
    if (!q) continue;
    q->other = mix(q->other, p.other, q->mask & mask);
    mask &= ~q->mask;
  }
  *p.word = mix(*p.word, p.other, mask);
}

void refresh_at(const std::uint64_t* word) {
  if (patch* p = find(layer_at(stale), word)) refresh(std::size_t(p - layer_at(stale).data()));
}

// Calls `perform_one(i)` for some of so many stores, from the last on.
template <class Perform>
void drift(std::size_t count, Perform perform_one) {
  std::uint64_t chosen = 0;
  for (std::size_t i = count; i-- > 0; chosen <<= 1) {
    if (i == count - 1 || i % 64 == 63) {
      chosen = random_bits();
      for (unsigned k = 1; k < hesitation; ++k) chosen &= random_bits();
    }
    if (chosen >> 63) perform_one(i);
  }
}

void drift(int k) {
  drift(layer_at(k).size(), [k](std::size_t i) { perform(k, i); });
}

// While memory shows what all see.
void perform_orphan(std::size_t i) {
  const patch p = take(orphans, i);
  const std::uint64_t before = *p.word;
  *p.word = mix(before, p.other, p.mask);
  leave_stale(p.word, p.mask, before);
}

void hide_view() {
  if (!viewer) return;
  swap_with_memory(layer_at(of_thread));
  swap_with_memory(layer_at(of_block));
  hide_stale(layer_at(stale));
  viewer = nullptr;
}

void settle() {
  thread* const now = viewer;
  hide_view();
  while (!orphans.empty()) perform_orphan(orphans.size() - 1);
  for (const auto& b : the_machine().resident) {
    if (b->exited) continue;
    for (thread& t : b->threads) {
      if (t.view.stores.empty() && (&t != &b->threads[0] || b->view.stores.empty())) continue;
      show_view_of(t);
      release();
    }
  }
  if (now) show_view_of(*now);
}

template <class Visit>
void for_each_word(const void* address, std::size_t bytes, Visit visit) {
  auto at = reinterpret_cast<std::uintptr_t>(address);
  while (bytes > 0) {
    const std::size_t skipped = at % 8, taken = std::min(bytes, 8 - skipped);
    const std::uint64_t mask = (taken == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * taken) - 1) << 8 * skipped;
    visit(reinterpret_cast<std::uint64_t*>(at - skipped), mask);
    at += taken;
    bytes -= taken;
  }
}

void begin_store(std::uint64_t* word, std::uint64_t mask) {
  refresh_at(word);
  layer& patches = viewer->view.stores;
  if (patch* p = find(patches, word)) {
    p->other = mix(p->other, *word, mask & ~p->mask);
    p->mask |= mask;
    return;
  }
  if (patches.size() == most_of_thread) perform(of_thread, random_below(most_of_thread));
  patches.push_back({word, mask, *word, 0});
}

}  // namespace

void begin_grid() {
  viewer = nullptr;
  hesitation = 1 + random_below(10);
  polls = 0;
  history.clear();
  next_in_history = 0;
}

void begin_block(block& b) {
  b.view = {};
  for (const patch& old : history) {
    if (random_below(2) == 0) add_stale(b, old);
  }
}

void end_grid() {
  hide_view();
  while (!orphans.empty()) perform_orphan(orphans.size() - 1);
}

void show_view_of(thread& next) {
  if (viewer) drift(of_thread);
  if (viewer == &next) return;
  if (viewer && viewer->home == next.home) {
    swap_with_memory(layer_at(of_thread));
    viewer = &next;
  } else {
    if (viewer) drift(of_block);
    hide_view();
    drift(orphans.size(), perform_orphan);
    viewer = &next;
    swap_with_memory(layer_at(stale));
    swap_with_memory(layer_at(of_block));
  }
  swap_with_memory(layer_at(of_thread));
}

void release_to_block() {
  if (!viewer) return;
  layer& of_all = layer_at(of_block);
  const bool is_alone = viewer->home->home->blocks.size() == 1;
  for (const patch& p : layer_at(of_thread)) {
    if (is_alone && is_in_shared_memory(p.word)) continue;  // nobody else could see it
    if (patch* q = find(of_all, p.word)) {
      q->other = mix(q->other, p.other, p.mask & ~q->mask);
      q->mask |= p.mask;
    } else {
      of_all.push_back(p);
    }
  }
  layer_at(of_thread).clear();
  while (of_all.size() > most_of_block) perform(of_block, random_below(unsigned(of_all.size())));
}

void release() {
  if (!viewer) return;
  perform_all(of_thread);
  perform_all(of_block);
}

void acquire() {
  if (!viewer || !viewer->view.has_looked) return;
  viewer->view.has_looked = false;
  while (!layer_at(stale).empty()) refresh(layer_at(stale).size() - 1);
}

void arrive_at(barrier_scope scope) {
  if (scope == barrier_scope::block) release_to_block();
  else release();
}

void wait_at(barrier_scope scope) {
  if (scope == barrier_scope::block) return;
  viewer->view.has_looked = true;
  acquire();
}

void linger() {
  constexpr int most_rounds = 4;
  for (int i = 0; i < most_rounds && !viewer->view.stores.empty(); ++i) let_others_run();
}

void end_view_of(thread& t) {
  release_to_block();
  if (t.home->live > 1) return;
  layer& late = layer_at(of_block);
  for (std::size_t i = late.size(); i-- > 0;) {
    if (is_in_shared_memory(late[i].word)) perform(of_block, i);
  }
  block& home = *t.home;
  hide_view();
  orphans.insert(orphans.end(), home.view.stores.begin(), home.view.stores.end());
  home.view.stores.clear();
  home.view.stale.clear();
  while (orphans.size() > most_of_block) perform_orphan(random_below(unsigned(orphans.size())));
}

void settle_now_and_then() {
  if (++polls % polls_until_all_settle == 0) {
    settle();
  } else if (polls % polls_until_some_settle == 0 && viewer) {  // its block may be the only one left
    thread& now = *viewer;
    hide_view();
    show_view_of(now);
  }
}

void let_others_see() {
  if (viewer) yield_point(false, viewer->here);
}

void note_shared(block& b, const void* object, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(object);
  b.view.shared.push_back({begin, begin + bytes});
}

void forget_stale(const void* address, std::size_t bytes) {
  if (!viewer) return;
  for_each_word(address, bytes, [](std::uint64_t* word, std::uint64_t) { refresh_at(word); });
}

extern "C" const char __executable_start, _end;  // the linker's

// Memory of the device: neither the thread's own stack nor the program's static variables.
bool is_watched(const void* address) {
  if (!viewer || !on_device_thread()) return false;
  const auto* at = static_cast<const char*>(address);
  const fiber& stack = *viewer->stack;
  return (at < stack.base || at >= stack.base + stack.bytes) && (at < &__executable_start || at >= &_end);
}

void before_store(const void* address, std::size_t bytes) { for_each_word(address, bytes, begin_store); }

// It may be stale; a second one is never older than the first.
void before_atomic_load(const void* address, std::size_t bytes) {
  viewer->view.has_looked = true;
  for_each_word(address, bytes, [](std::uint64_t* word, std::uint64_t) {
    if (random_below(2) == 0) refresh_at(word);
  });
}

// Of what all see.
std::uint64_t before_atomic(const void* address, std::size_t bytes) {
  std::uint64_t before = 0;
  viewer->view.has_looked = true;
  for_each_word(address, bytes, [&](std::uint64_t* word, std::uint64_t) {
    refresh_at(word);
    perform_at(of_thread, word);
    perform_at(of_block, word);
    before = *word;
  });
  return before;
}

void after_atomic(const void* address, std::size_t bytes, std::uint64_t before) {
  for_each_word(address, bytes, [before](std::uint64_t* word, std::uint64_t mask) {
    if (*word != before) leave_stale(word, mask, before);
  });
}

}  // namespace simt::weak

#endif
