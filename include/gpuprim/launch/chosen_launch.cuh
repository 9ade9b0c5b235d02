// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is done with the launch that a family has chosen for a call. Launch: a launch shape of the family, which has
// `run`, `find_kernel` and `thread_bytes`.
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/launch_plan.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/workspace.cuh>

namespace gpuprim::inline v0_1_0::detail {

struct launch_chosen {
  const options& how;
  template <class Launch, class Pass>
  outcome operator()(Launch, const Pass& pass, const found_shape& found) const {
    return Launch::run(pass, found, how);
  }
};

struct describe_chosen {
  launch_plan& plan;
  template <class Launch, class Pass>
  outcome operator()(Launch, const Pass&, const found_shape& found) const {
    return {detail::describe_launch(Launch::template find_kernel<Pass>(), found.grid, Launch::thread_bytes, plan)};
  }
};

}  // namespace gpuprim::detail
