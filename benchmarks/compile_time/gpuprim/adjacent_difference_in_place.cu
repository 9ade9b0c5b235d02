// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/scan.cuh>

cudaError_t differences(float* values, long long n) { return gpuprim::adjacent_difference_in_place(values, n); }
