// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy whose first element lies 0 to 32 floats into the array. A warp reads 128 bytes: four sectors of 32 bytes where
// they start on a sector's border, five elsewhere. Both arrays hold n + 32 floats, so that no offset leaves them.
//   20_offset_copy [N]
// Source: the memory chapter of NVIDIA's "CUDA C++ Best Practices Guide".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

// [kernel]
__global__ void copy_from(const float* in, int offset, int n, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i + offset] = in[i + offset];
}
// [kernel]

/// 32-byte sectors that the first warp reads.
int sectors(int offset) { return (offset + 31) / 8 - offset / 8 + 1; }

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 5003), largest = 32, size = n + largest;
  constexpr int block_size = 256;
  std::vector<float> values(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) values[i] = float(i % 65521 + 1);
  const measure::device_array<float> in(values), out(values.size());
  measure::event_timer timer;
  bool right = true;
  for (int offset = 0; offset <= largest; ++offset) {
    measure::check(cudaMemset(out.data(), 0, values.size() * sizeof(float)));
    const double us = timer.us([&](int) {
      return gpuprim::launch(copy_from, (n + block_size - 1) / block_size, block_size, nullptr, in.data(), offset, n,
                             out.data());
    });
    std::vector<float> want(values.size(), 0.0f);  // zero before and after what was copied
    std::copy_n(values.begin() + offset, n, want.begin() + offset);
    const bool same = out.on_host() == want && sectors(offset) == (offset % 8 == 0 ? 4 : 5);
    std::printf("offset %d: %d sectors a warp, %s: %s\n", offset, sectors(offset),
                measure::rate(8.0 * n, us).c_str(), same ? "right" : "WRONG");
    right &= same;
  }
  return right ? 0 : 1;
}
