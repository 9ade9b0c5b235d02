// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r18, the library: what the rungs teach, with 16-byte loads at any base address, a shape by size, and one launch whose
// last block joins the others' values.
// Limited by the GPU's read bandwidth, or where the input is small by the start of a launch.
// Source: docs/lab/reduce.md.
#include "rung.hpp"

#include <gpuprim/reduce.cuh>

namespace ladder {

template <class T>
rung<T> r18() {
  const auto run = [](const task<T>& t) {
    if (cudaError_t e = t.workspace->reserve(gpuprim::reduce_workspace_bytes<T>(t.n))) return e;
    return gpuprim::reduce(t.in, t.n, t.out, gpuprim::plus{}, T{}, {.stream = t.stream, .workspace = t.workspace});
  };
  const auto look = [](T* in, int n, figures& f) {
    const gpuprim::launch_plan plan = gpuprim::reduce_plan(in, n, in, gpuprim::plus{}, T{});
    f = {plan.block_size, plan.registers_per_thread, plan.theoretical_occupancy};
    return cudaSuccess;
  };
  return {.name = "r18 gpuprim::reduce", .run = run, .look = look};
}

}  // namespace ladder
