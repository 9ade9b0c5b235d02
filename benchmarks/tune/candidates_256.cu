// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "candidates.cuh"

[[maybe_unused]] static const bool added = tune::add_candidates<256>();
