// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A schedule as a list of decisions: which thread runs where it is not the one that has waited longest. The random
// schedule can write its own list, the schedule `chosen` follows one, and a story tells what following it did.
#pragma once

#include <cstddef>
#include <optional>

#include <simt/control.hpp>

namespace simt {

struct thread;
struct block;

/// The block of a decision that no thread takes: those of the host, when a launch begins, and which cluster is next.
inline constexpr std::uint64_t no_block = ~std::uint64_t{0};

/// SIMT_DECISIONS names the file that the schedule `chosen` follows.
std::vector<decision> decisions_from_environment();

/// A launch begins, or settings have changed.
void count_launch();
void forget_launches();

std::uint64_t number_of(const block&);
/// Where the thread is now.
switch_point point_of(const thread&);
/// Where the host begins a launch, and where it takes the next cluster.
switch_point point_of_launch();
switch_point point_of_cluster();

/// The decision of the list for a point, if there is one.
const decision* find_decision(const switch_point&);
/// A point at which the thread may go on: the schedule `chosen` may switch here.
void note_passed(const switch_point&);

/// The random schedule lets this thread run next, or admits this cluster: written to the file that SIMT_RECORD names.
void record_thread(const switch_point&, const thread& next);
void record_cluster(const switch_point&, std::uint64_t cluster);

/// Where SIMT_STORY is set: what a decision did, and what the atomics of its launch saw since.
void tell_switch(const thread* from, const thread& next);
void tell_cluster(std::uint64_t cluster, std::uint64_t in_turn);
void tell_atomic(const void* address, std::size_t bytes);

}  // namespace simt
