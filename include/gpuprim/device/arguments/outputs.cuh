// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/device/arguments/checks.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Writes the members of a tuple to outputs of their own.
template <class... Outs>
struct split_output {
  tuple<Outs...> outs;

  __device__ const split_output& operator*() const { return *this; }
  template <class... Ts>
    requires(output_for<Outs, Ts> && ...)
  __device__ void operator=(const tuple<Ts...>& results) const {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      (detail::assign(*get<Index>(outs), get<Index>(results)), ...);
    }(std::index_sequence_for<Outs...>{});
  }

  bool is_writable() const {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return (detail::is_writable(get<Index>(outs)) && ...);
    }(std::index_sequence_for<Outs...>{});
  }
  bool is_aligned() const {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return (detail::is_aligned(get<Index>(outs)) && ...);
    }(std::index_sequence_for<Outs...>{});
  }
};

}  // namespace detail

/// Outputs for the members of a tuple, or for the parts of a partition, one each.
template <class... Outs>
constexpr auto outputs(Outs... outs) {
  return detail::split_output<Outs...>{{outs...}};
}

}  // namespace gpuprim
