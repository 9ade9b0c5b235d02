// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The least and the greatest element, with their positions.
#include <gpuprim/device/extrema.cuh>
#include <gpuprim/device/reduce_into.cuh>
#include <gpuprim/version.hpp>
