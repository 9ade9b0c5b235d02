// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU that the runtime simulates: the values of attributes, occupancy and launch checks.
#pragma once

#include <cstddef>

namespace simt {

struct device_model {
  const char* key;   // for SIMT_DEVICE_MODEL
  const char* name;  // of cudaGetDeviceProperties
  int major, minor;
  int multiprocessors;
  int threads_per_multiprocessor;
  int blocks_per_multiprocessor;
  int shared_per_multiprocessor;  // bytes
  int shared_per_block_opt_in;
  int reserved_shared_per_block;
  std::size_t memory_bytes;
  int l2_bytes;
  int memory_bus_bits;
  int cluster_multiprocessors;  // of use to clusters of more than two blocks; 0 without clusters. Measured
                                // for H200

  // Equal in all models of compute capability 7.5 to 12.0.
  static constexpr int registers_per_multiprocessor = 65536;
  static constexpr int registers_per_block = 65536;
  static constexpr int threads_per_block = 1024;
  static constexpr int shared_per_block = 48 * 1024;
  static constexpr int portable_cluster_blocks = 8;
  static constexpr int largest_cluster_blocks = 16;
  static constexpr int clustered_blocks_per_multiprocessor = 8;
  // A host compiler allocates no GPU registers. This many let every block size reach full occupancy.
  static constexpr int nominal_registers = 32;

  bool has_clusters() const { return cluster_multiprocessors > 0; }
};

// Chosen by SIMT_DEVICE_MODEL when first asked for; an unknown name ends the process with a list of the known
// ones.
const device_model& current_model();
// By name, in any case.
const device_model& model_named(const char* key);

}  // namespace simt
