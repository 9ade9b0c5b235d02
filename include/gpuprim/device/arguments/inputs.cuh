// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <utility>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

template <std::size_t Index, class T>
struct bundle_member {
  T value;
};

template <class Indices, class... Ts>
struct bundle_of;
template <std::size_t... Index, class... Ts>
struct bundle_of<std::index_sequence<Index...>, Ts...> : bundle_member<Index, Ts>... {};

/// Values side by side that can be changed in place, and of which there may be none: the inputs of a pass, say.
template <class... Ts>
using bundle = bundle_of<std::index_sequence_for<Ts...>, Ts...>;

template <std::size_t Index, class T>
GPUPRIM_HOST_DEVICE constexpr T& member(bundle_member<Index, T>& m) {
  return m.value;
}
template <std::size_t Index, class T>
GPUPRIM_HOST_DEVICE constexpr const T& member(const bundle_member<Index, T>& m) {
  return m.value;
}

}  // namespace detail

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

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
