// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_table.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "host.hpp"
#include "machine.hpp"

namespace simt {

namespace {

std::unordered_map<const void*, kernel_record>& all_records() {
  static auto& records = *new std::unordered_map<const void*, kernel_record>;
  return records;
}

}  // namespace

kernel_record& record_of(const void* kernel) { return all_records()[kernel]; }

void clear_function_attributes() {
  for (auto& [kernel, record] : all_records()) {
    kernel_record fresh;
    fresh.binder = record.binder;
    fresh.static_shared_bytes = record.static_shared_bytes;
    record = fresh;
  }
}

void register_kernel(const void* kernel, kernel_binder binder) {
  std::lock_guard lock(device_mutex());
  record_of(kernel).binder = binder;
}

void note_static_shared(std::size_t bytes) {
  kernel_record& record = record_of(the_machine().running.call.kernel);
  record.static_shared_bytes = std::max(record.static_shared_bytes, bytes);
}

kernel_resources resources_of(const void* kernel) {
  const kernel_record& record = record_of(kernel);
  return {device_model::nominal_registers, record.static_shared_bytes, device_model::threads_per_block,
          std::size_t(record.max_dynamic_shared_bytes)};
}

int largest_block(const void* kernel) { return resources_of(kernel).max_threads_per_block; }

cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* kernel) {
  api_call call("cudaFuncGetAttributes");
  if (call.error()) return call.error();
  if (!attributes) return report(cudaErrorInvalidValue);
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  const device_model& model = current_model();
  const kernel_record& record = record_of(kernel);
  *attributes = {};
  attributes->sharedSizeBytes = record.static_shared_bytes;
  attributes->maxThreadsPerBlock = device_model::threads_per_block;
  attributes->numRegs = device_model::nominal_registers;
  attributes->ptxVersion = attributes->binaryVersion = 10 * model.major + model.minor;
  attributes->maxDynamicSharedSizeBytes = record.max_dynamic_shared_bytes;
  attributes->preferredShmemCarveout = record.preferred_carveout;
  attributes->clusterDimMustBeSet = record.cluster_must_be_set;
  attributes->requiredClusterWidth = record.required_cluster[0];
  attributes->requiredClusterHeight = record.required_cluster[1];
  attributes->requiredClusterDepth = record.required_cluster[2];
  attributes->clusterSchedulingPolicyPreference = record.cluster_policy;
  attributes->nonPortableClusterSizeAllowed = record.non_portable_cluster_allowed;
  return cudaSuccess;
}

cudaError_t set_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  api_call call("cudaFuncSetAttribute");
  if (call.error()) return call.error();
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  const device_model& model = current_model();
  kernel_record& record = record_of(kernel);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || std::size_t(value) + record.static_shared_bytes > std::size_t(model.shared_per_block_opt_in)) {
        return report(cudaErrorInvalidValue);
      }
      record.max_dynamic_shared_bytes = value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return report(cudaErrorInvalidValue);
      record.preferred_carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet:
      record.cluster_must_be_set = value != 0;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
      record.required_cluster[0] = value;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterHeight:
      record.required_cluster[1] = value;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterDepth:
      record.required_cluster[2] = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      if (!model.has_clusters()) return report(cudaErrorNotSupported);
      record.non_portable_cluster_allowed = value != 0;
      return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      record.cluster_policy = value;
      return cudaSuccess;
  }
  return report(cudaErrorInvalidValue);
}

}  // namespace simt
