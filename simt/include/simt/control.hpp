// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: choose the schedule from within the program, and count what happened.
#pragma once

#include <cstdint>

namespace simt {

enum class schedule { fifo, lifo, random };

struct settings {
  simt::schedule schedule = simt::schedule::random;
  std::uint64_t seed = 1;
  unsigned resident_blocks = 4;
};

// Start from SIMT_SCHEDULE, SIMT_SEED and SIMT_RESIDENT. A change restarts the random sequence from the new
// seed.
settings current_settings();
void change_settings(const settings&);

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
