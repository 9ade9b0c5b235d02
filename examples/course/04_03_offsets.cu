// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy whose source, whose destination or both begin at an offset of 0 to 32 floats. A warp moves 128 bytes: four
// sectors of 32 bytes, or five where they do not begin on a sector's border. Each thread has several loads under way,
// so that the copy runs as fast as one by cudaMemcpy: only then can a loss be one of the offset.
//   04_03_offsets [N [FROM TO]]   all offsets, or that of a copy between these two
// Source: the memory chapter of NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, loads = 8, tile = block_size * loads, largest = 32;

// [kernel]
__global__ void copy(const float* in, std::int64_t n, float* out) {
  const std::int64_t first = std::int64_t(blockIdx.x) * tile + threadIdx.x;
  float x[loads];
#pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (first + k * block_size < n) x[k] = in[first + k * block_size];
  }
#pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (first + k * block_size < n) out[first + k * block_size] = x[k];
  }
}
// [kernel]

int offset_of(const char* argument) {
  const long offset = std::strtol(argument, nullptr, 10);
  if (offset >= 0 && offset <= largest) return int(offset);
  std::fprintf(stderr, "an offset is a number from 0 to %d\n", largest);
  std::exit(1);
}

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 25));
  std::vector<float> values;
  for (int i = 0; i < n + largest; ++i) values.push_back(float(i % 65521 + 1));
  const device_array<float> in(values), out(values.size());
  const double limit = time_us(
      [&] { check(cudaMemcpyAsync(out.data(), in.data(), sizeof(float) * std::size_t(n), cudaMemcpyDeviceToDevice)); });
  std::printf("cudaMemcpy of %d floats: %s\n", n, rate(8.0 * n, limit).c_str());
  bool right = true;
  const auto show = [&](int from, int to) {
    check(cudaMemset(out.data(), 0, values.size() * sizeof(float)));
    const float* source = in.data() + from;
    float* destination = out.data() + to;
    const double us = time_us([&] { copy<<<blocks_for(n, tile), block_size>>>(source, n, destination); });
    const std::vector<float> got = out.on_host();
    bool same = std::all_of(got.begin(), got.begin() + to, [](float x) { return x == 0; });
    same &= std::equal(got.begin() + to, got.begin() + to + n, values.begin() + from);
    same &= std::all_of(got.begin() + to + n, got.end(), [](float x) { return x == 0; });
    right &= same;
    std::printf(" %s (%s)%s", rate(8.0 * n, us).c_str(), figure(100 * limit / us, "% of cudaMemcpy").c_str(),
                same ? "" : " WRONG");
  };
  if (count > 3) {
    const int from = offset_of(arguments[2]), to = offset_of(arguments[3]);
    std::printf("from %d to %d:", from, to);
    show(from, to);
    std::printf("\n");
    return verdict(right);
  }
  std::printf("offset, sectors a warp: source, destination, both begin there\n");
  for (int offset : {0, 1, 2, 4, 7, 8, 12, 16, 24, 31, largest}) {
    std::printf("%2d, %d:", offset, (offset + 31) / 8 - offset / 8 + 1);
    show(offset, 0);
    show(0, offset);
    show(offset, offset);
    std::printf("\n");
  }
  return verdict(right);
}
