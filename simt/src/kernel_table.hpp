// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known about each kernel: how to call it, and the attributes that were set.
#pragma once

#include <cstddef>

#include <simt/launch.hpp>

#include "occupancy.hpp"

namespace simt {

struct kernel_record {
  kernel_binder binder = nullptr;
  int max_dynamic_shared_bytes = device_model::shared_per_block;
  int preferred_carveout = -1;
  int required_cluster[3] = {};
  bool cluster_must_be_set = false;
  bool non_portable_cluster_allowed = false;
  int cluster_policy = 0;
  std::size_t static_shared_bytes = 0;  // seen so far
};

kernel_record& record_of(const void* kernel);
// Takes back what was set, of all kernels.
void clear_function_attributes();
kernel_resources resources_of(const void* kernel);

}  // namespace simt
