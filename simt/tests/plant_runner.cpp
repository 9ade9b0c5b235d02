// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every planted bug in a process of its own and asserts that this build's lane notices it, in the right
// line, and that the same kernel without the bug is never accused.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>

namespace {

#if defined(PLANTED_WEAK)
constexpr char lane = 'w';
constexpr int seeds = 12;
#elif defined(SIMT_TSAN)
constexpr char lane = 't';
constexpr int seeds = 2;
#elif defined(__SANITIZE_ADDRESS__)
constexpr char lane = 'a';
constexpr int seeds = 3;
#else
constexpr char lane = 'p';
constexpr int seeds = 12;
#endif

// For a fault that only some schedules show.
constexpr int most_seeds = 100;

struct outcome {
  int status;
  std::string text;
};

outcome run(const std::string& name, const std::string& variant, const std::string& schedule, int seed) {
  std::string command = "SIMT_SCHEDULE=" + schedule + " SIMT_SEED=" + std::to_string(seed) +
                        " TSAN_OPTIONS=exitcode=66:halt_on_error=1:atexit_sleep_ms=0 ASAN_OPTIONS=exitcode=67" +
                        " UBSAN_OPTIONS=print_stacktrace=1 timeout 60 '" PLANTED_EXECUTABLE "' " + name + " " +
                        variant + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  std::array<char, 4096> chunk;
  while (std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe)) text.append(chunk.data(), n);
  int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text};
}

// What a lane is expected to say. Several words are alternatives.
struct expectation {
  int status;
  std::vector<std::string> any_of;
  bool names_line = true;
  bool every_seed = true;  // or at least one
};

const expectation wrong_sometimes{1, {"wrong"}, false, false};
const expectation wrong_always{1, {"wrong"}, false, true};
const expectation race{66, {"data race"}, true, true};

expectation refused(const std::string& text) { return {1, {text}, false, true}; }
expectation fault(const std::string& text) { return {86, {"simt: " + text}, true, true}; }
expectation address(const std::string& text) { return {67, {text}, true, true}; }

expectation undefined(const std::string& text) { return {1, {text}, true, true}; }

using by_lane = std::map<char, expectation>;
by_lane everywhere(const expectation& e) { return {{'p', e}, {'a', e}, {'t', e}}; }
by_lane race_or_wrong(const expectation& wrong) { return {{'p', wrong}, {'t', race}, {'w', wrong}}; }
// What only a weak memory shows.
const by_lane race_or_late{{'t', race}, {'w', wrong_sometimes}};
// Bytes that an asynchronous copy has still to write.
const by_lane garbage_or_poison{{'p', wrong_always}, {'a', address("use-after-poison")}};
const by_lane early_read{{'p', wrong_always}, {'a', address("use-after-poison")}, {'t', race}};

struct plant {
  std::string name;
  by_lane expected;
};

const std::vector<plant>& plants() {
  static const std::vector<plant> all = {
      {"missing_block_barrier", race_or_wrong(wrong_always)},
      {"missing_syncwarp", race_or_wrong(wrong_always)},
      {"shuffle_as_barrier", {{'t', race}, {'w', wrong_always}}},
      {"racing_reuse", race_or_wrong(wrong_sometimes)},
      {"divergent_barrier", everywhere(fault("divergent block barrier"))},
      {"group_barrier_in_branch", everywhere(fault("divergent block barrier"))},
      {"deadlock", everywhere({87, {"simt: deadlock"}, true, true})},
      {"half_a_block", everywhere(fault("all threads of a block have to make this call"))},
      {"exit_before_barrier", everywhere(fault("all threads of a block have to make this call"))},
      {"double_arrival", everywhere(fault("a thread arrives at the cluster barrier for the second time"))},
      {"missing_grid_sync", race_or_wrong(wrong_always)},
      {"grid_sync_not_cooperative", everywhere(fault("grid.sync() in a launch that is not cooperative"))},
      {"overlapping_masks", everywhere(fault("overlapping masks"))},
      {"outside_own_mask", everywhere(fault("lane "))},
      {"mixed_operations", everywhere(fault("mixed warp operations"))},
      {"shuffle_from_absent_lane", everywhere(wrong_always)},
      {"assumes_whole_warp_converges", {{'p', wrong_sometimes}}},
      {"missing_cluster_sync", race_or_wrong(wrong_always)},
      {"leaves_before_read",
       {{'p', {86, {"has ended"}, true, false}},
        {'a', {67, {"heap-use-after-free", "has ended"}, true, false}},
        {'t', {66, {"data race"}, false, false}}}},
      {"maps_global_memory", everywhere(fault("map_shared_rank of an address that is not"))},
      {"missing_release_fence", race_or_late},
      {"missing_acquire_fence", race_or_late},
      {"missing_look_back_fence", race_or_late},
      {"missing_block_fence", race_or_late},
      {"barrier_as_fence", race_or_late},
      {"missing_is_last_barrier", race_or_wrong(wrong_sometimes)},
      {"look_back_without_ticket",
       {{'p', {88, {"simt: livelock"}, true, false}}, {'a', {88, {"simt: livelock"}, true, false}}}},
      {"non_atomic_counter", {{'t', race}}},
      {"relaxed_flag", race_or_late},
      {"relaxed_look", race_or_late},
      {"assumes_block_order", {{'p', wrong_sometimes}}},
      {"livelock", everywhere({88, {"simt: livelock"}, true, true})},
      {"lock_never_released", everywhere({88, {"simt: livelock"}, true, true})},
      {"static_shared_overrun", {{'a', address("heap-buffer-overflow")}}},
      {"dynamic_shared_overrun", {{'a', address("heap-buffer-overflow")}}},
      {"global_overrun", {{'a', address("heap-buffer-overflow")}}},
      {"local_overrun", {{'a', address("stack-buffer-overflow")}}},
      {"misaligned_vector", {{'a', undefined("misaligned address")}}},
      {"use_after_free",
       {{'p', refused("points to host memory")},
        {'a', address("heap-use-after-free")},
        {'t', refused("points to host memory")}}},
      {"host_memory", everywhere(refused("argument 1 of a kernel points to host memory"))},
      {"double_free", everywhere(refused("invalid argument"))},
      {"copy_past_end", everywhere(refused("invalid argument"))},
      {"wrong_direction", everywhere(refused("invalid argument"))},
      {"uninitialised_shared", everywhere(wrong_always)},
      {"uninitialised_global", everywhere(wrong_always)},
      {"racing_writes", {{'t', race}}},
      {"race_in_long_name", {{'t', race}}},
      {"host_call_in_kernel", everywhere({86, {"cudaDeviceSynchronize called from device code"}, false, true})},
      {"traps", everywhere(refused("unspecified launch failure"))},
      {"read_before_wait", early_read},
      {"reads_without_barrier", race_or_wrong(wrong_sometimes)},
      {"wrong_parity", early_read},
      {"wrong_parity_hangs", everywhere({87, {"waits for a round of copies"}, true, true})},
      {"round_without_end", everywhere({87, {"waits for a round of copies"}, true, true})},
      {"round_not_waited_for", everywhere(fault("a copy joins a round that has ended"))},
      {"copies_over_readers", race_or_wrong(wrong_sometimes)},
      {"rounds_without_barrier", everywhere({86, {"simt: no rounds of copies have begun"}, true, false})},
      {"copy_in_at_exit", everywhere(fault("a block ends, and no thread has waited"))},
      {"missing_fence_in", everywhere(fault("a bulk copy by a thread that has not called"))},
      {"missing_fence_out", everywhere(fault("a bulk copy out, and thread "))},
      {"missing_barrier_out", {{'t', race}}},
      {"overwritten_before_read", race_or_wrong(wrong_sometimes)},
      {"missing_wait_out", early_read},
      {"copy_out_at_exit", everywhere(fault("a thread ends before its copy out of shared memory"))},
      {"one_group_too_few", garbage_or_poison},
      {"copy_without_group", garbage_or_poison},
      {"copies_without_barrier", race_or_wrong(wrong_sometimes)},
      {"misaligned_copy", everywhere(fault("an asynchronous copy of 16 bytes"))},
  };
  return all;
}

// The lines of planted.cu that are marked with this plant's name.
std::vector<std::string> marked_lines(const std::string& name) {
  std::ifstream source(PLANTED_SOURCE);
  std::vector<std::string> marks;
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    if (line.find("[" + name + "]") != std::string::npos) marks.push_back("planted.cu:" + std::to_string(number));
  }
  return marks;
}

bool contains_any(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

bool as_expected(const outcome& o, const expectation& e, const std::string& name) {
  if (o.status != e.status || !contains_any(o.text, e.any_of)) return false;
  return !e.names_line || contains_any(o.text, marked_lines(name));
}

}  // namespace

TEST_CASE("every planted bug is noticed") {
  for (const plant& p : plants()) {
    auto found = p.expected.find(lane);
    if (found == p.expected.end()) continue;
    const expectation& e = found->second;
    int noticed = 0;
    std::string last;
    const int tried = e.every_seed ? seeds : most_seeds;
    for (int seed = 1; seed <= tried; ++seed) {
      outcome o = run(p.name, "planted", "random", seed);
      noticed += as_expected(o, e, p.name);
      if (!as_expected(o, e, p.name)) last = std::to_string(o.status) + ": " + o.text;
      if (noticed && !e.every_seed) break;
    }
    INFO(p.name << ": noticed " << noticed << " times; otherwise ended with " << last);
    CHECK((e.every_seed ? noticed == tried : noticed > 0));
  }
}

TEST_CASE("the same kernels without their bugs are never accused") {
  for (const plant& p : plants()) {
    for (const char* schedule : {"fifo", "lifo", "random"}) {
      int last_seed = std::string(schedule) == "random" ? seeds : 1;
      // One schedule is enough for the slow lane.
      if (lane == 't' && std::string(schedule) != "random") continue;
      for (int seed = 1; seed <= last_seed; ++seed) {
        outcome o = run(p.name, "correct", schedule, seed);
        INFO(p.name << ", " << schedule << ", seed " << seed << ": " << o.text);
        CHECK(o.status == 0);
        if (lane == 't') break;
      }
    }
  }
}
