// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Reduces of transformed elements, of two inputs, and several in one pass.
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/device/reduce_into.cuh>
#include <gpuprim/device/transform_reduce.cuh>
#include <gpuprim/version.hpp>
