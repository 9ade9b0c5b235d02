// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies with a stride: of every s-th float of an array into a dense one, of a dense one to every s-th place, and from
// every s-th place to the same place. The array is the same for all strides, so a larger stride moves fewer floats; if
// memory is moved in pieces of p bytes, all of them are touched up to a stride of p / 4, and the time stays. The time
// shows p: it falls first where the stride is larger than a piece.
//   04_04_stride_copy [FLOATS [FROM TO]]   all strides, or that of a copy from every FROM-th place to every TO-th
// Source: the memory chapter of NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, loads = 4, tile = block_size * loads;

// [kernel]
__global__ void copy(const float* in, int in_stride, std::int64_t n, float* out, int out_stride) {
  const std::int64_t first = std::int64_t(blockIdx.x) * tile + threadIdx.x;
  float x[loads];
#pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (first + k * block_size < n) x[k] = in[(first + k * block_size) * in_stride];
  }
#pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (first + k * block_size < n) out[(first + k * block_size) * out_stride] = x[k];
  }
}
// [kernel]

int main(int count, char** arguments) {
  const int span = size_to_run(count, arguments, usual_size(5003, 1 << 25));
  std::vector<float> values;
  for (int i = 0; i < span; ++i) values.push_back(float(i % 65521 + 1));
  const device_array<float> in(values), out(values.size());
  bool right = true;
  const auto show = [&](int from, int to) {
    const int n = (span - 1) / std::max(from, to) + 1;
    check(cudaMemset(out.data(), 0, values.size() * sizeof(float)));
    const double us = time_us([&] { copy<<<blocks_for(n, tile), block_size>>>(in.data(), from, n, out.data(), to); });
    const std::vector<float> got = out.on_host();
    bool same = true;
    for (int i = 0; i < span; ++i) {
      const bool written = i % to == 0 && i / to < n;
      same &= got[i] == (written ? values[std::size_t(i / to) * from] : 0);
    }
    right &= same;
    std::printf(" %s%s", rate(8.0 * n, us).c_str(), same ? "" : " WRONG");
  };
  if (count > 3) {
    const int from = size_to_run(count - 1, arguments + 1, 1, span);
    const int to = size_to_run(count - 2, arguments + 2, 1, span);
    std::printf("from every %d-th to every %d-th:", from, to);
    show(from, to);
    std::printf("\n");
    return verdict(right);
  }
  std::printf(
      "stride: what is copied, read with it, written with it, both; useful part of sectors of 32 and of 64 "
      "bytes\n");
  for (int stride : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    std::printf("%2d:", stride);
    show(stride, 1);
    show(1, stride);
    show(stride, stride);
    std::printf("; %.0f %% and %.0f %%\n", 100.0 / std::min(stride, 8), 100.0 / std::min(stride, 16));
  }
  return verdict(right);
}
