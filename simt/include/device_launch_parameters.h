// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On the host SIMT device cuda_runtime.h has all of it.
#pragma once

#include <cuda_runtime.h>
