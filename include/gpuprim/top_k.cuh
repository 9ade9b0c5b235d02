// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The k largest or smallest keys: of an array, of each row of a matrix, and of a block's threads; and the n-th one.
#include <gpuprim/block/block_top_k.cuh>
#include <gpuprim/device/nth_element.cuh>
#include <gpuprim/device/segmented_nth_element.cuh>
#include <gpuprim/device/segmented_top_k.cuh>
#include <gpuprim/device/top_k.cuh>
#include <gpuprim/device/top_k_by.cuh>
#include <gpuprim/version.hpp>
