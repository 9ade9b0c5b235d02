// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Passes over runs of equal keys: their values joined, or their lengths.
#include <gpuprim/device/non_trivial_runs.cuh>
#include <gpuprim/device/reduce_by_key.cuh>
#include <gpuprim/device/run_length_encode.cuh>
#include <gpuprim/version.hpp>
