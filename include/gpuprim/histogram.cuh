// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Counting samples in bins.
#include <gpuprim/device/histogram.cuh>
#include <gpuprim/version.hpp>
