// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/grid/mailbox.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What of an aggregate travels as the value of a mailbox, and what as its note. Specialized where both have something.
template <class T>
struct aggregate_mail {
  using type = T;
  static __device__ const T& value(const T& aggregate) { return aggregate; }
  static __device__ unsigned note(const T&) { return 0; }
  static __device__ T open(const mailbox<T>& got) { return got.value(); }
};

}  // namespace gpuprim::detail
