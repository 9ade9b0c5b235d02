// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The whole library.
#include <gpuprim/reduce.cuh>
#include <gpuprim/segmented_reduce.cuh>
