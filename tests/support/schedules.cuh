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

/// Calls `go()` under each schedule of the SIMT device that is fifo but for at most `most` delays. At a delay a thread
/// that could go on lets all others run first. Returns how many schedules these were. See Emmi, Qadeer and Rakamaric,
/// "Delay-bounded scheduling", 2011.
template <class Go>
int under_all_delays(int most, const Go& go) {
  const simt::settings before = simt::current_settings();
  if (before.schedule != simt::schedule::fifo) SKIP("once is enough: the case sets schedules of its own");
  int schedules = 0;
  // Runs under these delays, and then with one more at each point behind the last of them.
  const auto run = [&](const auto& self, const std::vector<simt::decision>& delays) -> void {
    simt::settings chosen = before;
    chosen.schedule = simt::schedule::chosen;
    chosen.decisions = delays;
    simt::change_settings(chosen);
    go();
    ++schedules;
    if (int(delays.size()) == most) return;
    const std::vector<simt::switch_point> points = simt::passed_points();
    std::size_t next = 0;
    if (!delays.empty()) {
      while (points[next] != delays.back().at) ++next;
      ++next;
    }
    for (; next < points.size(); ++next) {
      std::vector<simt::decision> longer = delays;
      longer.push_back({points[next]});
      self(self, longer);
    }
  };
  run(run, {});
  simt::change_settings(before);
  return schedules;
}

}  // namespace test
#endif
