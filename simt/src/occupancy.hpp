// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel one multiprocessor holds: CUDA's published formula.
#pragma once

#include <cstddef>

#include "device_model.hpp"

namespace simt {

struct kernel_resources {
  int registers_per_thread;
  std::size_t static_shared_bytes;
  int max_threads_per_block;
  std::size_t max_dynamic_shared_bytes;
};

// 0 when the block cannot run at all.
int occupancy_by_formula(const device_model&, const kernel_resources&, int block_threads, std::size_t dynamic_bytes);

#if defined(SIMT_HAVE_CUDA_OCCUPANCY)
// As occupancy_by_formula, computed by the toolkit's stand-alone header.
int occupancy_by_toolkit(const device_model&, const kernel_resources&, int block_threads, std::size_t dynamic_bytes);
#endif

int active_blocks(const device_model&, const kernel_resources&, int block_threads, std::size_t dynamic_bytes);

}  // namespace simt
