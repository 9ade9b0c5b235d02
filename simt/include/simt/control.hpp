// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: choose the schedule from within the program, and count what happened.
#pragma once

#include <cstdint>
#include <vector>

namespace simt {

enum class schedule { fifo, lifo, random, chosen };

// Where a thread stops or may be made to stop: barriers, warp operations, polls and atomics, in the order in which it
// comes to them. Launches are counted from 1, from the last change of the settings; blocks and threads are numbered
// through all dimensions.
struct switch_point {
  std::uint64_t launch;
  std::uint64_t block;
  unsigned thread;
  unsigned number;

  friend bool operator==(const switch_point&, const switch_point&) = default;
};

// Who runs next at a point: by the schedule `chosen`, which is fifo at all others and goes on wherever a thread can.
struct decision {
  switch_point at;
  std::uint64_t block = ~std::uint64_t{0};  // by default the thread that has waited longest
  unsigned thread = 0;
};

struct settings {
  simt::schedule schedule = simt::schedule::random;
  std::uint64_t seed = 1;
  unsigned resident_blocks = 4;
  std::vector<decision> decisions = {};  // of the schedule `chosen`
};

// Start from SIMT_SCHEDULE, SIMT_SEED and SIMT_RESIDENT. A change restarts the random sequence from the new
// seed.
settings current_settings();
void change_settings(const settings&);

// The points at which the schedule `chosen` may switch though the thread can go on, since the last change of settings.
std::vector<switch_point> passed_points();

// From now on the device has so many multiprocessors, so that whole grids stay small; 0: as many as its model has.
// Resets
// the device.
void set_multiprocessors(int count);

struct statistics {
  std::uint64_t launches = 0;         // kernels run
  std::uint64_t threads = 0;          // CUDA threads run
  std::uint64_t switches = 0;         // from one CUDA thread to another
  std::uint64_t barriers = 0;         // completed
  std::uint64_t warp_operations = 0;  // completed
  std::uint64_t allocations = 0;      // by any allocating call of the runtime
  std::uint64_t live_allocations = 0;
  std::uint64_t synchronizations = 0;  // blocking calls of the host: cuda...Synchronize, cudaMemcpy, cudaFree
};
statistics current_statistics();

}  // namespace simt
