// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// Writes a segment's result. An empty segment gives the initial value.
template <class Acc, class Out, class Op>
struct put_segment {
  Out out;
  Op op;
  Acc init;

  __device__ Acc finish(bool present, const Acc& result) const { return present ? op(init, result) : init; }
  __device__ void write(std::int64_t segment, const Acc& finished) const { out[segment] = finished; }
  __device__ void operator()(std::int64_t segment, bool present, const Acc& result) const {
    write(segment, finish(present, result));
  }
};

}  // namespace gpuprim::detail
