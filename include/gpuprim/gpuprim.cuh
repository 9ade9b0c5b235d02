// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The whole library.
#include <gpuprim/dot.cuh>
#include <gpuprim/extrema.cuh>
#include <gpuprim/histogram.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/search.cuh>
#include <gpuprim/segmented_reduce.cuh>
#include <gpuprim/statistics.cuh>
#include <gpuprim/transform_reduce.cuh>
