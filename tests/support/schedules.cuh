// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.cuh"

#if defined(SIMT_DEVICE)
#include <simt/control.hpp>

namespace test {

/// Calls `go(seed)` under 1,000 random schedules of the SIMT device, with 1 to 7 resident blocks. A test program runs
/// under several schedules, of which only the first does this.
template <class Go>
void under_many_schedules(const Go& go) {
  const simt::settings before = simt::current_settings();
  if (before.schedule != simt::schedule::fifo) SKIP("once is enough: the case sets schedules of its own");
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    simt::settings chosen = before;
    chosen.schedule = simt::schedule::random;
    chosen.seed = seed;
    chosen.resident_blocks = 1 + seed % 7;
    simt::change_settings(chosen);
    go(seed);
  }
  simt::change_settings(before);
}

}  // namespace test
#endif
