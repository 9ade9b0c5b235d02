// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts by digits, at every level.
#include <gpuprim/block/block_radix_sort.cuh>
#include <gpuprim/device/sort.cuh>
