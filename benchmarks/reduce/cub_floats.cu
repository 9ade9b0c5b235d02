// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cub_passes.cuh"

namespace {

[[maybe_unused]] const bool added[] = {
    add_cub<calls::sum, float>("f32", "plus"),
    add_cub<calls::minimum, float>("f32", "minimum"),
    add_cub<calls::reduce<bench::larger_magnitude>, float>("f32", "larger_magnitude"),
    add_cub<calls::sum, double>("f64", "plus"),
    add_cub<calls::minimum, double>("f64", "minimum"),
};

}  // namespace
