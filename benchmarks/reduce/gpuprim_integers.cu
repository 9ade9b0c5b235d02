// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpuprim_passes.cuh"

namespace {

using namespace bench;
[[maybe_unused]] const bool added[] = {
    add_problem<gpuprim::plus<>, std::int8_t>("i8", "plus", "i8"),
    add_problem<gpuprim::plus<>, std::int16_t>("i16", "plus", "i16"),
    add_problem<gpuprim::plus<>, std::int32_t>("i32", "plus", "i32"),
    add_problem<gpuprim::minimum<>, std::int32_t>("i32", "minimum", "i32"),
    add_problem<gpuprim::plus<>, std::int64_t>("i64", "plus", "i64"),
    add_problem<gpuprim::minimum<>, std::int64_t>("i64", "minimum", "i64"),
};

}  // namespace
