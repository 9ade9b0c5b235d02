// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Streaming passes: functions of each element, fills and copies, gathers and scatters, searches of many values in a
// sorted array, and transpositions.
#include <gpuprim/device/adjacent_difference.cuh>
#include <gpuprim/device/gather.cuh>
#include <gpuprim/device/sorted_search.cuh>
#include <gpuprim/device/transform.cuh>
#include <gpuprim/device/transpose.cuh>
#include <gpuprim/version.hpp>
