// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cub_passes.cuh"

namespace {

[[maybe_unused]] const bool added[] = {
    add_cub<calls::sum, std::int8_t, int>("i8", "plus"), add_cub<calls::sum, std::int16_t, int>("i16", "plus"),
    add_cub<calls::sum, std::int32_t>("i32", "plus"),    add_cub<calls::minimum, std::int32_t>("i32", "minimum"),
    add_cub<calls::sum, std::int64_t>("i64", "plus"),    add_cub<calls::minimum, std::int64_t>("i64", "minimum"),
};

}  // namespace
