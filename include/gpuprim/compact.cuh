// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Compaction, partition and the handing out of work inside a kernel: among the lanes of a tile, in a block, through a
// queue and from a pool of tasks in global memory.
#include <gpuprim/block/block_append.cuh>
#include <gpuprim/block/block_compact.cuh>
#include <gpuprim/block/block_partition.cuh>
#include <gpuprim/launch/read_queue.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/task_pool.cuh>
#include <gpuprim/warp/warp_append.cuh>
#include <gpuprim/warp/warp_compact.cuh>
