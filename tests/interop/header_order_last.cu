// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprim after everything else.
// clang-format off
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <gpuprim/gpuprim.cuh>

#include "header_order_check.cuh"
// clang-format on

TEST_CASE("gpuprim included last", "[interop][gpu]") { header_order::check_all(); }
