// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Scan (prefix sums and their kind) at every level: thread, warp, block, cluster and device, by key, in segments and
// along the columns of a matrix.
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/cluster/cluster_scan.cuh>
#include <gpuprim/device/adjacent_difference_in_place.cuh>
#include <gpuprim/device/column_scan.cuh>
#include <gpuprim/device/scan.cuh>
#include <gpuprim/device/scan_by_key.cuh>
#include <gpuprim/device/segmented_scan.cuh>
#include <gpuprim/thread/thread_scan.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_scan.cuh>
