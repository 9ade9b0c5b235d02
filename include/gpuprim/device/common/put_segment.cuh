// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/groups.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Writes a segment's result. An empty segment gives the initial value.
template <class Acc, class Out, class Op>
struct put_segment {
  Out out;
  Op op;
  Acc init;

  __device__ void operator()(std::int64_t segment, bool present, const Acc& result) const {
    detail::assign(out[segment], present ? op(init, result) : init);
  }
};

}  // namespace gpuprim::detail
