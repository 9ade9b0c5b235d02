// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a user does with cooperative groups, CUB, Thrust and gpuprim in one file; the including file fixes the order of
// their headers.
#include "../support/device.cuh"

namespace header_order {

namespace cg = cooperative_groups;

__global__ void use_cooperative_groups(const int* in, int* out) {
  __shared__ int staged[64];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, staged, in, sizeof staged);
  cg::wait(block);
  const int v = staged[block.thread_rank()];
  out[block.thread_rank()] = cg::inclusive_scan(tile, v, cg::plus<int>());
  const int total = cg::reduce(tile, v, cg::plus<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> sum_of_tiles(out[64]);
  cg::reduce_update_async(tile, sum_of_tiles, v, cg::plus<int>());
  const int mine = gpuprim::block_reduce<64>(block, v, gpuprim::plus{});
  if (block.thread_rank() == 0) out[65] = mine, out[66] = total;
}

inline void check_all() {
  std::vector<int> values(64);
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += values[i] = i * i;
  int half_sum = 0;
  for (int i = 0; i < 32; ++i) half_sum += values[i];
  test::device_array<int> input(values), output(std::vector<int>(67, 0));
  test::run(use_cooperative_groups, 1, 64, 0, static_cast<const int*>(input.data()), output.data());
  const auto got = output.download();
  CHECK(got[31] == half_sum);
  CHECK(got[64] == sum);
  CHECK(got[65] == sum);
  CHECK(got[66] == half_sum);

  std::size_t bytes = 0;
  test::device_array<int> total(1);
  CUDA_OK(cub::DeviceReduce::Sum(nullptr, bytes, input.data(), total.data(), 64));
  test::device_array<char> storage(bytes);
  CUDA_OK(cub::DeviceReduce::Sum(storage.data(), bytes, input.data(), total.data(), 64));
  CHECK(total.download()[0] == sum);
  thrust::device_vector<int> vector(values.begin(), values.end());
  CHECK(thrust::reduce(vector.begin(), vector.end()) == sum);
  CHECK(gpuprim::reduce_value(vector.begin(), 64, gpuprim::plus{}) == sum);
}

}  // namespace header_order
