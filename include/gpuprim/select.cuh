// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Select, unique and partition of arrays in device memory.
#include <gpuprim/device/partition.cuh>
#include <gpuprim/device/select.cuh>
#include <gpuprim/device/select_by_stencil.cuh>
#include <gpuprim/device/stable_partition.cuh>
#include <gpuprim/device/unique.cuh>
#include <gpuprim/version.hpp>
