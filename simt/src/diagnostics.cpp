// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine.hpp"

namespace simt {
namespace {

const char* schedule_name(schedule s) {
  switch (s) {
    case schedule::fifo:
      return "fifo";
    case schedule::lifo:
      return "lifo";
    case schedule::random:
      return "random";
    case schedule::chosen:
      return "chosen";
  }
  return "?";
}

void print_replay() {
  machine& m = the_machine();
  std::fprintf(stderr,
               "simt: kernel launch number %llu; replay with\nSIMT_SCHEDULE=%s SIMT_SEED=%llu SIMT_RESIDENT=%u\n",
               static_cast<unsigned long long>(m.counters.launches), schedule_name(m.chosen.schedule),
               static_cast<unsigned long long>(m.chosen.seed), m.chosen.resident_blocks);
}

// Not std::exit: destructors must not run on a CUDA thread's stack, nor meet a machine in the middle of a
// grid.
[[noreturn]] void end(int status) {
  std::fflush(stdout);
  std::fflush(stderr);
  std::_Exit(status);
}

const char* describe(activity a) {
  switch (a) {
    case activity::ready:
      return "can run";
    case activity::running:
      return "runs";
    case activity::polling:
      return "polls";
    case activity::at_block_barrier:
      return "waits at a block barrier";
    case activity::at_cluster_barrier:
      return "waits at a cluster barrier";
    case activity::at_grid_barrier:
      return "waits at a grid barrier";
    case activity::at_copy_round:
      return "waits for a round of copies";
    case activity::in_warp_operation:
      return "waits in a warp operation";
    case activity::converging:
      return "waits for its warp to converge";
    case activity::finished:
      return "has ended";
  }
  return "?";
}

bool alike(const thread& a, const thread& b) {
  return a.doing == b.doing && (a.doing == activity::finished || same_place(a.here, b.here));
}

// One line for each run of threads that do the same in the same place.
void print_threads() {
  constexpr int most_lines = 24;
  int lines = 0;
  for (auto& b : the_machine().resident) {
    for (std::size_t first = 0; first < b->threads.size();) {
      std::size_t last = first;
      while (last + 1 < b->threads.size() && alike(b->threads[first], b->threads[last + 1])) ++last;
      const thread& t = b->threads[first];
      if (++lines > most_lines) {
        std::fprintf(stderr, "simt:   ... and more\n");
        return;
      }
      std::fprintf(stderr, "simt:   block (%u,%u,%u) threads %zu to %zu: %s", b->index.x, b->index.y, b->index.z, first,
                   last, describe(t.doing));
      if (t.doing != activity::finished && t.here.line) std::fprintf(stderr, ", %s:%u", t.here.file, t.here.line);
      if (t.doing == activity::in_warp_operation) {
        std::fprintf(stderr, ", mask %08x", t.group->requests[t.linear % 32]->mask);
      }
      std::fprintf(stderr, "\n");
      first = last + 1;
    }
  }
}

}  // namespace

bool same_place(location a, location b) {
  return a.line == b.line && (a.file == b.file || !std::strcmp(a.file, b.file));
}

namespace {

[[noreturn]] void fail_with(location here, const char* format, va_list arguments) {
  std::fprintf(stderr, "simt: ");
  std::vfprintf(stderr, format, arguments);
  if (here.line) std::fprintf(stderr, ", at %s:%u", here.file, here.line);
  if (const thread* t = the_machine().current) {
    const uint3& b = t->home->index;
    std::fprintf(stderr, ", in block (%u,%u,%u) thread (%u,%u,%u)", b.x, b.y, b.z, t->index.x, t->index.y, t->index.z);
  }
  std::fprintf(stderr, "\n");
  print_replay();
  end(status_fault);
}

}  // namespace

void fail(location here, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_with(here, format, arguments);
}

void broken_promise(location here, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_with(here, format, arguments);
}

void fail_deadlock() {
  std::fprintf(stderr, "simt: deadlock: no CUDA thread can run\n");
  print_threads();
  print_replay();
  end(status_deadlock);
}

void fail_livelock(unsigned long long polls) {
  std::fprintf(stderr, "simt: livelock: %llu polls and nothing that could end them\n", polls);
  print_threads();
  print_replay();
  end(status_livelock);
}

void fail_usage(const char* format, ...) {
  std::fprintf(stderr, "simt: ");
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "\n");
  end(status_usage);
}

}  // namespace simt
