// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_checks.hpp"

#include "device_model.hpp"
#include "kernel_table.hpp"

namespace simt {
namespace {

bool any_zero(const dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }
std::uint64_t volume(const dim3& d) { return std::uint64_t(d.x) * d.y * d.z; }

bool valid_shape(const dim3& grid, const dim3& block) {
  if (any_zero(grid) || any_zero(block)) return false;
  if (block.x > 1024 || block.y > 1024 || block.z > 64) return false;
  if (volume(block) > std::uint64_t(device_model::threads_per_block)) return false;
  return grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535;
}

cudaError_t check_cluster(const grid& g, const kernel_record& record) {
  if (!current_model().has_clusters()) return cudaErrorNotSupported;
  if (any_zero(g.cluster_shape)) return cudaErrorInvalidClusterSize;
  std::uint64_t blocks = volume(g.cluster_shape);
  int limit = record.non_portable_cluster_allowed ? device_model::largest_cluster_blocks
                                                  : device_model::portable_cluster_blocks;
  if (blocks > std::uint64_t(limit)) return cudaErrorInvalidClusterSize;
  bool divides =
      g.shape.x % g.cluster_shape.x == 0 && g.shape.y % g.cluster_shape.y == 0 && g.shape.z % g.cluster_shape.z == 0;
  return divides ? cudaSuccess : cudaErrorInvalidClusterSize;
}

}  // namespace

cudaError_t check_launch(const cudaLaunchConfig_t& config, const void* kernel, grid& g) {
  const device_model& model = current_model();
  const kernel_record& record = record_of(kernel);
  g.shape = config.gridDim;
  g.block_shape = config.blockDim;
  g.dynamic_bytes = config.dynamicSmemBytes;
  bool clustered = false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) g.cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& c = attribute.val.clusterDim;
      g.cluster_shape = dim3(c.x, c.y, c.z);
      clustered = true;
    }
  }
  // Not cudaErrorInvalidConfiguration: that is what runtimes before 13 answered.
  if (!valid_shape(g.shape, g.block_shape)) return cudaErrorInvalidValue;
  if (clustered) {
    if (cudaError_t error = check_cluster(g, record)) return error;
  }
  if (g.cooperative) {
    int blocks = active_blocks(model, resources_of(kernel), int(volume(g.block_shape)), g.dynamic_bytes);
    std::uint64_t room = std::uint64_t(blocks) * std::uint64_t(model.multiprocessors);
    if (volume(g.shape) > room) return cudaErrorCooperativeLaunchTooLarge;
  }
  if (g.dynamic_bytes > std::size_t(record.max_dynamic_shared_bytes)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

}  // namespace simt
