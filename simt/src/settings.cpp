// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule: from the environment at first use, or from the program.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "decisions.hpp"
#include "diagnostics.hpp"
#include "machine.hpp"
#include "settings.hpp"

namespace simt {
namespace {

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  if (!text || !*text) return otherwise;
  char* end = nullptr;
  errno = 0;
  std::uint64_t value = std::strtoull(text, &end, 0);
  if (*end || errno || *text == '-') fail_usage("%s is '%s', which is not a number", name, text);
  return value;
}

schedule schedule_from_environment() {
  const char* text = std::getenv("SIMT_SCHEDULE");
  if (!text || !*text || !std::strcmp(text, "random")) return schedule::random;
  if (!std::strcmp(text, "fifo")) return schedule::fifo;
  if (!std::strcmp(text, "lifo")) return schedule::lifo;
  if (!std::strcmp(text, "chosen")) return schedule::chosen;
  fail_usage("SIMT_SCHEDULE is '%s'; it may be fifo, lifo, random or chosen", text);
}

void apply(const settings& chosen) {
  machine& m = the_machine();
  m.chosen = chosen;
  if (m.chosen.resident_blocks == 0) fail_usage("SIMT_RESIDENT must be at least 1");
  m.random_state = chosen.seed * 0x2545F4914F6CDD1Du;
  m.schedule_state = ~m.random_state;
  forget_launches();
}

}  // namespace

void read_settings_once() {
  static bool done = [] {
    settings chosen;
    chosen.schedule = schedule_from_environment();
    chosen.seed = number_from_environment("SIMT_SEED", 1);
    chosen.resident_blocks = unsigned(number_from_environment("SIMT_RESIDENT", 4));
    if (chosen.schedule == schedule::chosen) chosen.decisions = decisions_from_environment();
    apply(chosen);
    return true;
  }();
  (void)done;
}

settings current_settings() {
  read_settings_once();
  return the_machine().chosen;
}

void change_settings(const settings& chosen) {
  read_settings_once();
  apply(chosen);
}

statistics current_statistics() { return the_machine().counters; }

}  // namespace simt
