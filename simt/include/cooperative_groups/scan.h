// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums over a tile or a coalesced group.
#pragma once

#include <type_traits>
#include <utility>

#include <cooperative_groups.h>
#include <simt/groups/functional.hpp>

namespace cooperative_groups {

template <class Group, class Value, class Operator>
std::decay_t<Value> inclusive_scan(const Group& group, Value&& value, Operator&& operation, SIMT_HERE) {
  static_assert(requires { group.lane_mask(); }, "cg::inclusive_scan: the group must be a tile or a coalesced group");
  std::decay_t<Value> prefix = value;
  unsigned rank = unsigned(group.thread_rank()), size = unsigned(group.size());
  for (unsigned distance = 1; distance < size; distance *= 2) {
    auto other = group.shfl_up(prefix, distance, here);
    if (rank >= distance) prefix = operation(other, prefix);
  }
  return prefix;
}

template <class Group, class Value>
std::decay_t<Value> inclusive_scan(const Group& group, Value&& value, SIMT_HERE) {
  return inclusive_scan(group, std::forward<Value>(value), plus<std::decay_t<Value>>{}, here);
}

// The first thread gets a value-initialised element, as in cooperative groups.
template <class Group, class Value, class Operator>
std::decay_t<Value> exclusive_scan(const Group& group, Value&& value, Operator&& operation, SIMT_HERE) {
  auto prefix = inclusive_scan(group, std::forward<Value>(value), std::forward<Operator>(operation), here);
  auto before = group.shfl_up(prefix, 1, here);
  return group.thread_rank() == 0 ? std::decay_t<Value>{} : before;
}

template <class Group, class Value>
std::decay_t<Value> exclusive_scan(const Group& group, Value&& value, SIMT_HERE) {
  return exclusive_scan(group, std::forward<Value>(value), plus<std::decay_t<Value>>{}, here);
}

}  // namespace cooperative_groups
