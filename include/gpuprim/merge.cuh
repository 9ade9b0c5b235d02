// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merges of sorted ranges at every level, warp, block and device, and set operations on sorted arrays.
#include <gpuprim/block/block_merge.cuh>
#include <gpuprim/device/merge.cuh>
#include <gpuprim/device/set_operations.cuh>
#include <gpuprim/device/set_symmetric_difference.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_merge.cuh>
