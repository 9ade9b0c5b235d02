// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The only place that states the version; CMake reads these three lines.
#define GPUPRIM_VERSION_MAJOR 0
#define GPUPRIM_VERSION_MINOR 1
#define GPUPRIM_VERSION_PATCH 0
