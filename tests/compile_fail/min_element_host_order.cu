// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/extrema.cuh>

#include "host_item.hpp"

cudaError_t call(const item* in, gpuprim::extremum<item>* out) { return gpuprim::min_element(in, 9, out); }
