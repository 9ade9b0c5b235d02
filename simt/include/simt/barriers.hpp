// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block barriers and memory fences.
#pragma once

#include <simt/device_interface.hpp>

inline void __syncthreads(SIMT_HERE) { simt::block_barrier(here); }

inline int __syncthreads_count(int predicate, SIMT_HERE) {
  return simt::block_barrier(here, simt::vote_fold::count, predicate);
}

inline int __syncthreads_and(int predicate, SIMT_HERE) {
  return simt::block_barrier(here, simt::vote_fold::all, predicate);
}

inline int __syncthreads_or(int predicate, SIMT_HERE) {
  return simt::block_barrier(here, simt::vote_fold::any, predicate);
}

inline void __threadfence() {
  simt::release_fence();
  simt::acquire_fence();
}
inline void __threadfence_block() { simt::block_fence(); }
inline void __threadfence_system() { __threadfence(); }
