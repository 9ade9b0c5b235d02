// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences for the race detector. A fence followed by an atomic releases; an atomic followed by a fence
// acquires. The release also covers what came between the fence and the atomic, which is more than CUDA
// promises: a race there can go unnoticed, but there are no false reports. Without SIMT_TSAN all of it is
// empty.
#include <iterator>
#include <vector>

#include "decisions.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {

#if defined(SIMT_TSAN)

namespace {

// Detector fibers are expensive to create, so they are used again. Two CUDA threads that take turns on one fiber
// look like one thread, and a race between them is lost; hence the next fiber is chosen so that threads of
// equal index in successive blocks, which are the likeliest to race, do not meet on one.
std::vector<void*>& resting = *new std::vector<void*>;

std::size_t scattered_index(std::size_t count) {
  static std::uint64_t state = 0;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return std::size_t((state >> 33) % count);
}

}  // namespace

void* take_race_fiber() {
  if (resting.empty()) return race::create();
  std::swap(resting[scattered_index(resting.size())], resting.back());
  void* fiber = resting.back();
  resting.pop_back();
  return fiber;
}

void give_back_race_fiber(void* fiber) {
  if (fiber) resting.push_back(fiber);
}

void release_fence() {
  machine& m = the_machine();
  if (m.current) m.current->fences.releases = true;
}

void acquire_fence() {
  machine& m = the_machine();
  if (!m.current) return;
  for (const void* address : m.current->fences.recent) {
    if (address) race::acquire(address);
  }
}

void block_fence() {
  release_fence();
  acquire_fence();
}

void note_atomic(const void* address, std::size_t bytes) {
  tell_atomic(address, bytes);
  machine& m = the_machine();
  if (!m.current) return;
  fence_state& f = m.current->fences;
  f.recent[f.next++ % std::size(f.recent)] = address;
  if (f.releases) race::release(address);
}

#else

void* take_race_fiber() { return nullptr; }
void give_back_race_fiber(void*) {}
void release_fence() { weak::release(); }
void acquire_fence() { weak::acquire(); }
void block_fence() { weak::release_to_block(); }
void note_atomic(const void* address, std::size_t bytes) {
  tell_atomic(address, bytes);
  weak::let_others_see();
}

#endif

}  // namespace simt
