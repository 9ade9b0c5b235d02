// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is done with the launch that a family has chosen for a call. Launch: a launch shape of the family, which has
// `run`, `find_kernel` and `thread_bytes`.
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/launch_plan.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/options.cuh>

namespace gpuprim::inline v0_2_0::detail {

struct launch_chosen {
  const options& how;
  template <class Launch, class Pass>
  outcome operator()(Launch, const Pass& pass, const found_shape& found) const {
    return Launch::run(pass, found, how);
  }
};

/// Launches the kernels of a family that has several.
struct launch_in {
  options how;
  template <class... Parameters, class... Arguments>
  outcome operator()(const found_shape& found, void (*kernel)(Parameters...), std::int64_t,
                     const Arguments&... arguments) const {
    return {gpuprim::launch(found.when, kernel, found.grid, how, arguments...)};
  }
};

/// Describes the first of such launches. `thread_bytes`: what a thread has requested at once.
struct describe_first {
  launch_plan& plan;
  template <class... Parameters, class... Arguments>
  outcome operator()(const found_shape& found, void (*kernel)(Parameters...), std::int64_t thread_bytes,
                     const Arguments&...) const {
    if (plan.grid_size > 0) return {};
    return {detail::describe_launch(kernel, found.grid, thread_bytes, plan)};
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
