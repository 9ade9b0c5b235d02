// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "decisions.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

#include "diagnostics.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

const bool tells = std::getenv("SIMT_STORY") != nullptr;

std::uint64_t launches = 0, clusters_taken = 0;
std::vector<switch_point>& passed = *new std::vector<switch_point>;

auto key_of(const switch_point& at) { return std::tuple(at.launch, at.block, at.thread, at.number); }

using decision_map = std::map<decltype(key_of({})), decision>;
decision_map& listed = *new decision_map;

std::FILE* record_file() {
  static std::FILE* const file = [] {
    const char* name = std::getenv("SIMT_RECORD");
    std::FILE* made = name && *name ? std::fopen(name, "w") : nullptr;
    if (name && *name && !made) fail_usage("SIMT_RECORD is '%s', which cannot be written", name);
    if (made) std::setvbuf(made, nullptr, _IOLBF, 1 << 16);  // a program that crashes has written its last decision
    return made;
  }();
  return file;
}

void record(const switch_point& at, std::uint64_t block, unsigned thread) {
  std::FILE* const file = record_file();
  if (!file) return;
  std::fprintf(file, "%lld %lld %u %u %lld %u\n", static_cast<long long>(at.launch), static_cast<long long>(at.block),
               at.thread, at.number, static_cast<long long>(block), thread);
}

void print_place(const thread& t) {
  if (t.here.line) std::fprintf(stderr, " %s:%u", t.here.file, t.here.line);
  else std::fprintf(stderr, " its beginning");
}

}  // namespace

std::vector<decision> decisions_from_environment() {
  std::vector<decision> read;
  const char* name = std::getenv("SIMT_DECISIONS");
  if (!name || !*name) return read;
  std::FILE* const file = std::fopen(name, "r");
  if (!file) fail_usage("SIMT_DECISIONS is '%s', which cannot be read", name);
  long long launch, block, next_block;
  unsigned thread, number, next_thread;
  int fields;
  while ((fields = std::fscanf(file, "%lld %lld %u %u %lld %u", &launch, &block, &thread, &number, &next_block,
                               &next_thread)) == 6) {
    read.push_back(
        {{std::uint64_t(launch), std::uint64_t(block), thread, number}, std::uint64_t(next_block), next_thread});
  }
  std::fclose(file);
  if (fields != EOF) fail_usage("SIMT_DECISIONS is '%s', whose line %zu is not six numbers", name, read.size() + 1);
  return read;
}

void count_launch() {
  ++launches;
  clusters_taken = 0;
}

void forget_launches() {
  launches = clusters_taken = 0;
  passed.clear();
  listed.clear();
  for (const decision& each : the_machine().chosen.decisions) listed[key_of(each.at)] = each;
}

std::vector<switch_point> passed_points() { return passed; }

std::uint64_t number_of(const block& b) {
  const dim3& shape = the_machine().running.shape;
  return (std::uint64_t(b.index.z) * shape.y + b.index.y) * shape.x + b.index.x;
}

switch_point point_of(const thread& t) { return {launches, number_of(*t.home), t.linear, t.points}; }
switch_point point_of_launch() { return {launches, no_block, 0, 0}; }
switch_point point_of_cluster() { return {launches, no_block, 1, unsigned(clusters_taken++)}; }

const decision* find_decision(const switch_point& at) {
  if (listed.empty()) return nullptr;
  const auto found = listed.find(key_of(at));
  return found == listed.end() ? nullptr : &found->second;
}

void note_passed(const switch_point& at) { passed.push_back(at); }

void record_thread(const switch_point& at, const thread& next) { record(at, number_of(*next.home), next.linear); }
void record_cluster(const switch_point& at, std::uint64_t cluster) { record(at, cluster, 0); }

void tell_switch(const thread* from, const thread& next) {
  if (!tells) return;
  std::fprintf(stderr, "simt: launch %llu: ", static_cast<unsigned long long>(launches));
  if (from) {
    std::fprintf(stderr, "block %llu thread %u stops at", static_cast<unsigned long long>(number_of(*from->home)),
                 from->linear);
    print_place(*from);
    std::fprintf(stderr, ", and ");
  }
  std::fprintf(stderr, "block %llu thread %u goes on from", static_cast<unsigned long long>(number_of(*next.home)),
               next.linear);
  print_place(next);
  std::fprintf(stderr, "\n");
}

void tell_cluster(std::uint64_t cluster, std::uint64_t in_turn) {
  if (!tells || cluster == in_turn) return;
  const auto per_cluster = the_machine().running.blocks_per_cluster();
  std::fprintf(stderr, "simt: launch %llu: %s %llu begins before %llu\n", static_cast<unsigned long long>(launches),
               per_cluster > 1 ? "cluster" : "block", static_cast<unsigned long long>(cluster),
               static_cast<unsigned long long>(in_turn));
}

void tell_atomic(const void* address, std::size_t bytes) {
  if (!tells || bytes == 0 || bytes > 8 || listed.empty()) return;
  const thread* const self = the_machine().current;
  const auto first_of = [](std::uint64_t launch) { return listed.lower_bound(key_of({launch, 0, 0, 0})); };
  if (!self || first_of(launches) == first_of(launches + 1)) return;  // nothing was decided in this launch
  std::uint64_t value = 0;
  std::memcpy(&value, address, bytes);
  std::fprintf(stderr, "simt:   block %llu thread %u sees %llu in %p, at %s:%u\n",
               static_cast<unsigned long long>(number_of(*self->home)), self->linear,
               static_cast<unsigned long long>(value), address, self->here.file ? self->here.file : "?",
               self->here.line);
}

}  // namespace simt
