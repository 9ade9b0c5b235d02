// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/found_shape.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Blocks of a cluster that every GPU with clusters holds; a kernel must ask for more.
inline constexpr int portable_cluster_blocks = 8;

/// The launch shape of as many clusters of `ClusterSize` blocks as a GPU holds at once, or `does_not_fit` if that is
/// none. SharedBytes: as for find_kernel_fit.
template <auto Kernel, int SharedBytes, int ClusterSize>
found_shape find_cluster_shape(int block_size) {
  found_shape found;
  const cudaError_t error = detail::ask_once(found, [block_size](found_shape& shape) {
    shape = detail::find_shape<Kernel, 0, SharedBytes>(max_grid_blocks, block_size);
    if (shape.error == does_not_fit) return cudaSuccess;
    if (shape.error != cudaSuccess) return shape.error;
    shape.grid.cluster_size = ClusterSize;
    if (ClusterSize == 1) return cudaSuccess;
    shape.error = does_not_fit;
    if (shape.when == start::in_order) return cudaSuccess;  // the code that the driver has picked knows no clusters
    const auto* kernel = reinterpret_cast<const void*>(Kernel);
    if (ClusterSize > portable_cluster_blocks &&
        cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess) {
      (void)cudaGetLastError();
      return cudaSuccess;
    }
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = ClusterSize;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(ClusterSize);
    config.blockDim = dim3(unsigned(block_size));
    config.dynamicSmemBytes = std::size_t(shape.grid.dynamic_shared_bytes);
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = 0;
    if (cudaOccupancyMaxActiveClusters(&clusters, Kernel, &config) != cudaSuccess) (void)cudaGetLastError();
    else if (clusters > 0) shape.error = cudaSuccess;
    shape.grid.grid_size = clusters * ClusterSize;
    return cudaSuccess;
  });
  if (error != cudaSuccess) found.error = error;
  return found;
}

}  // namespace gpuprim::detail
