// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Reduce at every scope: thread, warp, block, cluster, grid, device.
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/cluster/cluster_reduce.cuh>
#include <gpuprim/device/reduce.cuh>
#include <gpuprim/device/reduce_reproducible.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>
