// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts, at every level.
#include <gpuprim/block/block_radix_rank.cuh>
#include <gpuprim/block/block_radix_sort.cuh>
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/device/segmented_sort.cuh>
#include <gpuprim/device/sort.cuh>
#include <gpuprim/device/sort_in_buffers.cuh>
#include <gpuprim/warp/warp_sort.cuh>
