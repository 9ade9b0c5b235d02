// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Scan (prefix sums and their kind) inside a kernel: thread, warp, block, cluster.
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/cluster/cluster_scan.cuh>
#include <gpuprim/thread/thread_scan.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_scan.cuh>
