// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A scan within segments is a scan of values that know whether a segment begins with them.
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/scan/scan_block.cuh>
#include <gpuprim/grid/tile_rows.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Values of which the last segment is joined, and whether one begins among them.
template <class T>
struct scan_part {
  T value;
  int has_head;
};

/// A scan of parts starts from a value.
template <class T>
struct stored_start<scan_part<T>> {
  using type = T;
  static __device__ scan_part<T> make(const T& value) { return {value, 0}; }
};
template <class T> maybe<scan_part<T>> start_of_parts(const nothing&) { return {}; }
template <class T> maybe<scan_part<T>> start_of_parts(const T& init) { return scan_part<T>{init, 0}; }
template <class T> value_at<T> start_of_parts(const value_at<T>& init) { return init; }

/// The note says whether a segment begins.
template <class T>
struct aggregate_mail<scan_part<T>> {
  using type = T;
  static __device__ const T& value(const scan_part<T>& part) { return part.value; }
  static __device__ unsigned note(const scan_part<T>& part) { return unsigned(part.has_head); }
  static __device__ scan_part<T> open(const mailbox<T>& got) { return {got.value(), got.note() != 0}; }
};

/// Joins neighbours. Nothing goes across the beginning of a segment.
template <class T, class Op>
struct join_scan_parts {
  Op op;

  __device__ scan_part<T> operator()(const scan_part<T>& a, const scan_part<T>& b) const {
    if constexpr (has_identity<Op, T>) {  // a choice between operands takes no branch
      return {op(b.has_head ? static_cast<T>(identity_element<Op, T>::value()) : a.value, b.value),
              a.has_head | b.has_head};
    } else {
      return {b.has_head ? b.value : op(a.value, b.value), a.has_head | b.has_head};
    }
  }
};

/// What a scan within segments joins of a value and writes of a part. Each segment starts from the initial value, if
/// there is one: an Init that is not nothing, a T or the value_at of one.
template <scan_kind Kind, class T, class Init>
struct segment_steps {
  using result = T;
  static constexpr bool has_init = !std::is_same_v<Init, nothing>;
  Init init;

  template <class Op>
  __device__ scan_part<T> first(const join_scan_parts<T, Op>& join, const scan_part<T>& own) const {
    if constexpr (has_init) {
      return {own.has_head ? join.op(detail::initial_value(init), own.value) : own.value, own.has_head};
    } else {
      return own;
    }
  }
  template <class Op>
  __device__ scan_part<T> add(const join_scan_parts<T, Op>& join, const scan_part<T>& sum,
                              const scan_part<T>& own) const {
    if constexpr (has_init) {
      const T before = own.has_head ? detail::initial_value(init) : sum.value;
      return {join.op(before, own.value), sum.has_head | own.has_head};
    } else {
      return join(sum, own);
    }
  }
  __device__ T finish(const scan_part<T>& sum, const scan_part<T>& own) const {
    if constexpr (Kind == scan_kind::exclusive) return own.has_head ? detail::initial_value(init) : sum.value;
    else return sum.value;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail

template <class T, class Op>
  requires(gpuprim::has_identity<Op, T>)
struct gpuprim::identity_element<gpuprim::detail::join_scan_parts<T, Op>, gpuprim::detail::scan_part<T>> {
  GPUPRIM_HOST_DEVICE static constexpr gpuprim::detail::scan_part<T> value() {
    return {gpuprim::identity_element<Op, T>::value(), 0};
  }
};
