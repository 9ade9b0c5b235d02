// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/grid/mailbox.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// What a row of tiles has behind its last boundary, joined, and how many boundaries it has.
template <class T>
struct open_part {
  maybe<T> value;
  unsigned boundaries;

  /// What a mailbox holds: the value, and the boundaries as its note.
  template <class Mail>
  static __device__ open_part from(const mailbox<Mail>& got) {
    return {maybe<T>(detail::convert<T>(got.value())), got.note()};
  }
};

/// Joins two neighbouring rows. Nothing goes across a boundary.
template <class T, class Op>
struct join_open_parts {
  using value_type = open_part<T>;
  Op op;

  static __device__ open_part<T> empty() { return {}; }
  __device__ open_part<T> operator()(const open_part<T>& a, const open_part<T>& b) const {
    const auto value = b.boundaries != 0 ? b.value : maybe_monoid<T, Op>{op}(a.value, b.value);
    return {value, a.boundaries + b.boundaries};
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
