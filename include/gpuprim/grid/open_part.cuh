// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/grid/mailbox.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

namespace gpuprim::detail {

/// What a row of tiles leaves open at its end: the value since the last boundary. And how many boundaries there are; of
/// rows that have to be joined only as far back as to the last one, whether there are any.
template <class T>
struct open_part {
  maybe<T> value;
  unsigned boundaries;

  /// As it comes by mail.
  template <class Mail>
  static __device__ open_part from(const mailbox<Mail>& got) {
    return {maybe<T>(static_cast<T>(got.value())), got.note()};
  }
};

/// Joins what two neighbouring rows leave open: nothing goes across a boundary.
template <class T, class Op>
struct join_open_parts {
  Op op;
  __device__ open_part<T> operator()(const open_part<T>& a, const open_part<T>& b) const {
    const auto value = b.boundaries != 0 ? b.value : maybe_monoid<T, Op>{op}(a.value, b.value);
    return {value, a.boundaries + b.boundaries};
  }
};

}  // namespace gpuprim::detail
