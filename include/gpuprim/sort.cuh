// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts, at every level.
#include <gpuprim/device/sort.cuh>
