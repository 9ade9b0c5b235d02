// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/sort.cuh>

#include "host_item.hpp"

cudaError_t call(const item* in, item* out) { return gpuprim::merge_sort(in, 9, out); }
