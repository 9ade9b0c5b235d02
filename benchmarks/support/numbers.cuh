// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "numbers.hpp"

#include <gpuprim/core/identity.hpp>

// CUB takes every operator for one that commutes; gpuprim has to be told.
template <class T, int Count>
inline constexpr bool gpuprim::is_commutative<bench::add_numbers, bench::numbers<T, Count>> = true;
template <class T, int Count>
struct gpuprim::identity_element<bench::add_numbers, bench::numbers<T, Count>> {
  __host__ __device__ static constexpr bench::numbers<T, Count> value() { return {}; }
};
