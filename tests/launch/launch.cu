// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/device.cuh"

#include <vector>

namespace {

/// Every thread of the grid counts itself at its own place.
__global__ void count_places(dim3 all, int* counts) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
                 z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < all.x && y < all.y && z < all.z) counts[(z * all.y + y) * all.x + x] += 1;
}

void check_shape(dim3 grid, dim3 block) {
  const dim3 all(grid.x * block.x, grid.y * block.y, grid.z * block.z);
  const std::size_t places = std::size_t(all.x) * all.y * all.z;
  test::device_array<int> counts(std::vector<int>(places, 0));
  CUDA_OK(gpuprim::launch(count_places, grid, block, nullptr, all, counts.data()));
  CHECK(counts.download() == std::vector<int>(places, 1));
  counts.check_guards();
}

}  // namespace

TEST_CASE("a launch has one, two or three dimensions", "[launch]") {
  check_shape(3, 64);
  check_shape({3, 2}, {16, 4});
  check_shape({3, 2, 5}, {8, 4, 2});
  test::device_array<int> counts(std::vector<int>(12, 0));
  CUDA_OK(gpuprim::launch(count_places, {3, 2}, 2, nullptr, dim3(6, 2), counts.data()));
  CHECK(counts.download() == std::vector<int>(12, 1));
}

TEST_CASE("a launch that cannot be is refused, and the error taken off", "[launch]") {
  int* none = nullptr;
  CHECK(gpuprim::launch(count_places, {1, 0}, 32, nullptr, dim3(1), none) != cudaSuccess);
  CHECK(gpuprim::launch(count_places, 1, {1, 1, 128}, nullptr, dim3(1), none) != cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
}
