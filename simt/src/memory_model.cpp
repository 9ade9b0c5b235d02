// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences for the race detector. A fence followed by a relaxed atomic releases what came before the fence; a relaxed
// atomic followed by a fence acquires. All of it vanishes without SIMT_TSAN.
#include <deque>

#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {

#if defined(SIMT_TSAN)

namespace {

// Two CUDA threads that take turns on one detector fiber look like one thread, and races between them are lost; so a
// fiber rests as long as possible before it is used again. The detector has room for some 8,000.
constexpr std::size_t fibers_before_reuse = 512;
std::deque<void*>& resting = *new std::deque<void*>;
std::size_t fibers = 0;

}  // namespace

void* take_race_fiber() {
  if (resting.empty() || fibers < fibers_before_reuse) {
    ++fibers;
    return race::create();
  }
  void* fiber = resting.front();
  resting.pop_front();
  return fiber;
}

void give_back_race_fiber(void* fiber) {
  if (fiber) resting.push_back(fiber);
}

void fence() {
  machine& m = the_machine();
  if (!m.current) return;
  fence_state& f = m.current->fences;
  f.releases = true;
  for (const void* address : f.recent) {
    if (address) race::acquire(address);
  }
}

void before_atomic(const void* address) {
  machine& m = the_machine();
  if (m.current && m.current->fences.releases) race::release(address);
}

void after_atomic(const void* address) {
  machine& m = the_machine();
  if (!m.current) return;
  fence_state& f = m.current->fences;
  f.recent[f.next++ % std::size(f.recent)] = address;
}

#else

void* take_race_fiber() { return nullptr; }
void give_back_race_fiber(void*) {}
void fence() {}
void before_atomic(const void*) {}
void after_atomic(const void*) {}

#endif

}  // namespace simt
