// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The only place that states the version of the component of several GPUs, which counts on its own: what a program of
// one GPU calls may change without it, and it without that. CMake reads these three definitions.
/// Of version 1.2.3 of the component of several GPUs this is 1.
#define GPUPRIM_DISTRIBUTED_VERSION_MAJOR 0
/// Of version 1.2.3 of the component of several GPUs this is 2.
#define GPUPRIM_DISTRIBUTED_VERSION_MINOR 1
/// Of version 1.2.3 of the component of several GPUs this is 3.
#define GPUPRIM_DISTRIBUTED_VERSION_PATCH 0
