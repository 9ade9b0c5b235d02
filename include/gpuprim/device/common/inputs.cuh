// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/bundle.cuh>

namespace gpuprim::inline v0_2_0 {

/// Several inputs of as many elements each, in the place of one: what `inputs` returns.
template <class... Ins>
struct several_inputs {
  detail::bundle<Ins...> ins;  ///< one after the other
};

/// Inputs of a function that takes an element of each: `transform(inputs(a, b), n, out, plus{})`.
template <class... Ins>
constexpr several_inputs<Ins...> inputs(Ins... ins) {
  return {{{ins}...}};
}

}  // namespace gpuprim
