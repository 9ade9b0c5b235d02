// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/input/reduce_input.cuh>

namespace gpuprim::inline v0_2_0::detail {

template <class In, int LoadsPerThread>
struct counted_reduce_input : reduce_input<In, LoadsPerThread> {
  element_count count;
};

/// The input that a kernel gets for an array, and the array itself.
template <class In, int LoadsPerThread = 1>
struct kernel_input {
  using array = In;
  using type = reduce_input<In, LoadsPerThread>;
  static constexpr bool is_counted = false;
  static type make(const type& input, std::int64_t) { return input; }
};
template <class In, int LoadsPerThread>
struct kernel_input<counted_array<In>, LoadsPerThread> {
  using array = In;
  using type = counted_reduce_input<In, LoadsPerThread>;
  static constexpr bool is_counted = true;
  static type make(const reduce_input<In, LoadsPerThread>& input, const element_count& count) { return {input, count}; }
};

}  // namespace gpuprim::detail
