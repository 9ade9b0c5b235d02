// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the one pass over a column computes.
#pragma once

#include "summary.cuh"

namespace describe {

/// x - pivot, rounded once at most: two 64-bit integers may be further apart than a 64-bit integer says.
template <class T>
GPUPRIM_HOST_DEVICE double distance(T x, T pivot) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const bool above = x >= pivot;
    const auto gap = above ? std::uint64_t(x) - std::uint64_t(pivot) : std::uint64_t(pivot) - std::uint64_t(x);
    return above ? double(gap) : -double(gap);
  } else {
    return double(x) - double(pivot);
  }
}

struct is_known {
  template <class T>
  GPUPRIM_HOST_DEVICE int operator()(const T& x) const {
    return number<T>(x) == number<T>(x);
  }
};

/// What an element adds to the sums. A NaN adds nothing.
template <class T>
struct share_of_sums {
  number<T> pivot;

  GPUPRIM_HOST_DEVICE sums_of<T> operator()(const T& element) const {
    const bool counts = is_known{}(element);
    const double d = distance(counts ? number<T>(element) : pivot, pivot);
    if constexpr (is_narrow_float<T>) return {d, {d * d}};
    else return {counts ? sum_of<T>(element) : 0, {d, {d * d}}};
  }
};

/// Everything that is computed of a column in one pass.
template <class T>
auto figures(number<T> pivot) {
  using gpuprim::plus, gpuprim::transformed;
  const auto with = [](auto sums) {
    const auto count = transformed<std::int64_t, int>(plus{}, is_known{});
    return gpuprim::fused(count, sums, gpuprim::min_element, gpuprim::max_element);
  };
  if constexpr (is_short<T>) {
    using in_load = std::conditional_t<sizeof(T) == 1, int, std::int64_t>;  // holds the squares of 16 bytes
    const auto squares = transformed<int128, in_load>(plus{}, gpuprim::square<in_load>{});
    return with(gpuprim::fused(gpuprim::reduced<sum_of<T>>(plus{}), squares));
  } else {
    const auto add = []<class... Ts>(tuple<Ts...>) { return gpuprim::each{tuple{plus<Ts>{}...}}; };
    return with(transformed(add(sums_of<T>{}), share_of_sums<T>{pivot}));
  }
}

/// Where the figures go.
template <class T>
auto places(summary<T>* all) {
  return gpuprim::outputs(&all->count, &all->sums, &all->min, &all->max);
}

}  // namespace describe
