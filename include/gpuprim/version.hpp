// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The only place that states the version; CMake reads these three definitions.
/// Of version 1.2.3 this is 1.
#define GPUPRIM_VERSION_MAJOR 0
/// Of version 1.2.3 this is 2.
#define GPUPRIM_VERSION_MINOR 2
/// Of version 1.2.3 this is 3.
#define GPUPRIM_VERSION_PATCH 0
