// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The whole library: what the headers of the families include.
#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/cluster/cluster_reduce.cuh>
#include <gpuprim/cluster/cluster_scan.cuh>
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/device/accurate_sum.cuh>
#include <gpuprim/device/column_reduce.cuh>
#include <gpuprim/device/dot.cuh>
#include <gpuprim/device/extrema.cuh>
#include <gpuprim/device/histogram.cuh>
#include <gpuprim/device/moments.cuh>
#include <gpuprim/device/norms.cuh>
#include <gpuprim/device/reduce.cuh>
#include <gpuprim/device/reduce_by_key.cuh>
#include <gpuprim/device/reduce_into.cuh>
#include <gpuprim/device/reduce_reproducible.cuh>
#include <gpuprim/device/reduce_unordered.cuh>
#include <gpuprim/device/run_length_encode.cuh>
#include <gpuprim/device/scan.cuh>
#include <gpuprim/device/scan_by_key.cuh>
#include <gpuprim/device/search.cuh>
#include <gpuprim/device/segmented_reduce.cuh>
#include <gpuprim/device/transform_reduce.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/grid/unordered_reduce.cuh>
#include <gpuprim/thread/thread_dot.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/thread/thread_scan.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>
#include <gpuprim/warp/warp_scan.cuh>
#include <gpuprim/warp/warp_segmented_reduce.cuh>
