// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Mean to kurtosis, accurate sums, and norms.
#include <gpuprim/device/accurate_sum.cuh>
#include <gpuprim/device/moments.cuh>
#include <gpuprim/device/norms.cuh>
#include <gpuprim/device/reduce_into.cuh>
#include <gpuprim/version.hpp>
