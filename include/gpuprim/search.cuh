// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Counting, finding and comparing elements.
#include <gpuprim/device/search.cuh>
#include <gpuprim/version.hpp>
