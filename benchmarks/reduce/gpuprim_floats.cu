// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpuprim_passes.cuh"
#include "operators.cuh"

namespace {

using namespace bench;
[[maybe_unused]] const bool added[] = {
    add_problem<gpuprim::plus<>, float>("f32", "plus", "f32"),
    add_problem<gpuprim::minimum<>, float>("f32", "minimum", "f32"),
    add_problem<larger_magnitude, float>("f32", "larger_magnitude", "f32"),
    add_problem<gpuprim::plus<>, double>("f64", "plus", "f64"),
    add_problem<gpuprim::minimum<>, double>("f64", "minimum", "f64"),
};

}  // namespace
