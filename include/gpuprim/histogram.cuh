// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Counting samples in bins: of a block, and device-wide.
#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/device/histogram.cuh>
#include <gpuprim/version.hpp>
