// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction over a tile or a coalesced group; every thread gets the result.
#pragma once

#include <type_traits>
#include <utility>

#include <cooperative_groups.h>
#include <simt/groups/functional.hpp>

namespace cooperative_groups {

template <class Group, class Value, class Operator>
std::decay_t<Value> reduce(const Group& group, Value&& value, Operator&& operation, SIMT_HERE) {
  static_assert(requires { group.lane_mask(); }, "cg::reduce: the group must be a tile or a coalesced group");
  std::decay_t<Value> total = value;
  unsigned rank = unsigned(group.thread_rank()), size = unsigned(group.size());
  for (unsigned distance = 1; distance < size; distance *= 2) {
    auto other = group.shfl_down(total, distance, here);
    if (rank + distance < size) total = operation(total, other);
  }
  return group.shfl(total, 0, here);
}

}  // namespace cooperative_groups
