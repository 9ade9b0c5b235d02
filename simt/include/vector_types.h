// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the same header on the host SIMT device.
#pragma once

#include <cuda_runtime.h>
