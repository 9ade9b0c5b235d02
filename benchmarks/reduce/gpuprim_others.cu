// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/numbers.cuh"
#include "gpuprim_passes.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/std/complex>

using complex_float = cuda::std::complex<float>;

// CUB takes every operator for one that commutes; gpuprim has to be told.
template <>
inline constexpr bool gpuprim::is_commutative<gpuprim::plus<>, complex_float> = true;
template <>
struct gpuprim::identity_element<gpuprim::plus<>, complex_float> {
  __host__ __device__ static constexpr complex_float value() { return {0, 0}; }
};

namespace {

using namespace bench;
[[maybe_unused]] const bool added[] = {
    add_problem<gpuprim::plus<>, __half>("f16", "plus", "f16"),
    add_problem<gpuprim::plus<>, __nv_bfloat16>("bf16", "plus", "bf16"),
    add_problem<add_numbers, numbers<float, 3>, float>("point3", "plus", "f32"),
    add_problem<add_numbers, numbers<float, 8>, float>("f32x8", "plus", "f32"),
    add_problem<add_numbers, numbers<float, 16>, float>("f32x16", "plus", "f32"),
    add_problem<gpuprim::plus<>, complex_float, float>("complex_f32", "plus", "f32"),
};

}  // namespace
