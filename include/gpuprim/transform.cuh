// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Streaming passes: functions of each element, fills and copies, also of many ranges, gathers and scatters, other
// orders of elements, searches in a sorted array, and transpositions.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/device/adjacent_difference.cuh>
#include <gpuprim/device/copy_batched.cuh>
#include <gpuprim/device/gather.cuh>
#include <gpuprim/device/reverse.cuh>
#include <gpuprim/device/shuffle.cuh>
#include <gpuprim/device/sorted_search.cuh>
#include <gpuprim/device/transform.cuh>
#include <gpuprim/device/transform_if.cuh>
#include <gpuprim/device/transpose.cuh>
#include <gpuprim/thread/thread_search.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_search.cuh>
