// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Reduce of many segments in one pass, and of those in a warp. Apart from reduce.cuh, so that who reduces a whole array
// does not compile this.
#include <gpuprim/device/column_reduce.cuh>
#include <gpuprim/device/segmented_extrema.cuh>
#include <gpuprim/device/segmented_reduce.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_segmented_reduce.cuh>
