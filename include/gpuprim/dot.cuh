// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sums of products and of squares, in a type that is wide enough.
#include <gpuprim/device/dot.cuh>
#include <gpuprim/thread/thread_dot.cuh>
#include <gpuprim/version.hpp>
