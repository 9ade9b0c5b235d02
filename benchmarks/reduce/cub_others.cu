// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/numbers.hpp"
#include "cub_passes.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/std/complex>

namespace {

[[maybe_unused]] const bool added[] = {
    add_cub<calls::sum_in_float, __half, float>("f16", "plus"),
    add_cub<calls::sum_in_float, __nv_bfloat16, float>("bf16", "plus"),
    add_cub<calls::reduce<bench::add_numbers>, bench::numbers<float, 3>>("point3", "plus"),
    add_cub<calls::reduce<bench::add_numbers>, bench::numbers<float, 8>>("f32x8", "plus"),
    add_cub<calls::reduce<bench::add_numbers>, bench::numbers<float, 16>>("f32x16", "plus"),
    add_cub<calls::sum, cuda::std::complex<float>>("complex_f32", "plus"),
};

}  // namespace
