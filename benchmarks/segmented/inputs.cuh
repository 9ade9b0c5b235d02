// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Values, offsets, and what the results should be.
#include "../support/check.hpp"
#include "contenders.hpp"
#include "mixes.hpp"

namespace bench {

/// Copies of everything that passes use in turn.
inline constexpr int copies = 2;

template <class T>
struct device_memory {
  explicit device_memory(std::int64_t n) {
    check(cudaMalloc(reinterpret_cast<void**>(&data), std::size_t(n) * sizeof(T)), "allocate");
  }
  ~device_memory() { (void)cudaFree(data); }
  device_memory(const device_memory&) = delete;
  T* data = nullptr;
};

/// Calls `each(i)` for i up to n, in one launch.
template <class Each>
__global__ void for_each_index(std::int64_t n, Each each) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) each(i);
}
template <class Each>
void for_each(std::int64_t n, Each each) {
  for_each_index<<<1024, 256>>>(n, each);
  check(cudaDeviceSynchronize(), "run over an array");
}

/// Integers from -1 to `most`, so that sums of few and small ones are exact.
inline void fill_values(float* out, std::int64_t n, unsigned most) {
  for_each(n,
           [=] __device__(std::int64_t i) { out[i] = float(int((unsigned(i) * 2654435761u >> 8) % (most + 2)) - 1); });
}

/// Where segments are, from offsets or from one length and what lies between.
inline void fill_offsets(const std::int64_t* from, std::int64_t length, std::int64_t gap, std::int64_t segments,
                         int* narrow, std::int64_t* wide, int* ends) {
  for_each(segments + 1, [=] __device__(std::int64_t i) {
    wide[i] = from ? from[i] : i * (length + gap);
    narrow[i] = int(wide[i]);
    if (i < segments) ends[i] = int(from ? from[i + 1] : wide[i] + length);
  });
}

/// Segments over the values, with room for their results, or for those of columns of as many values.
struct segmented_input {
  std::int64_t n, segments, extent, room;  ///< values in segments; values from the first to the last
  const mix& how;
  const float* values;
  device_memory<int> offsets32, ends;
  device_memory<std::int64_t> offsets64;
  device_memory<float> out;

  segmented_input(const mix& m, const float* data, std::int64_t most)
      : n(m.length ? m.segments(most) * m.length : m.offsets.back()),
        segments(m.segments(most)),
        extent(n + segments * m.gap),
        room(segments < m.length ? m.length : segments),
        how(m),
        values(data),
        offsets32(copies * (segments + 1)),
        ends(copies * segments),
        offsets64(copies * (segments + 1)),
        out(copies * room) {
    device_memory<std::int64_t> given(std::int64_t(m.offsets.size()) + 1);
    check(cudaMemcpy(given.data, m.offsets.data(), m.offsets.size() * 8, cudaMemcpyHostToDevice), "copy");
    for (std::int64_t c = 0; c < copies; ++c) {
      fill_offsets(m.length ? nullptr : given.data, m.length, m.gap, segments, offsets32.data + c * (segments + 1),
                   offsets64.data + c * (segments + 1), ends.data + c * segments);
    }
  }
  segmented_pass pass(std::int64_t i, bool is_wide) const {
    const std::int64_t c = i % copies, first = c * (segments + 1);
    const void* begins = offsets32.data + first;
    if (is_wide) begins = offsets64.data + first;
    return {values + c * extent, begins, ends.data + c * segments, segments, how.length, out.data + c * room};
  }
};

/// Whether two arrays agree up to a part of what is wanted.
inline bool agree(const float* got, const float* wanted, std::int64_t n, float part) {
  device_memory<unsigned long long> differ(1);
  check(cudaMemset(differ.data, 0, 8), "clear");
  unsigned long long* count = differ.data;
  for_each(n, [=] __device__(std::int64_t i) {
    if (!(fabsf(got[i] - wanted[i]) <= part * fabsf(wanted[i]))) atomicAdd(count, 1ull);
  });
  unsigned long long found = 1;
  check(cudaMemcpy(&found, count, 8, cudaMemcpyDeviceToHost), "copy");
  if (found != 0) std::printf("%llu of %lld results differ\n", found, static_cast<long long>(n));
  return found == 0;
}

/// Means of rows and maxima of columns of a matrix of at least 16 columns, a power of two of them.
inline void expect_matrix(const float* in, std::int64_t rows, std::int64_t columns, float* means, float* maxima) {
  device_memory<double> sums(rows);
  check(cudaMemset(sums.data, 0, std::size_t(rows) * 8), "clear");
  check(cudaMemset(maxima, 0, std::size_t(columns) * 4), "clear");
  double* sum = sums.data;
  constexpr int part = 16;  // of a row: an atomic for each value would take seconds
  for_each(rows * columns / part, [=] __device__(std::int64_t i) {
    double total = 0;
    for (std::int64_t k = i * part; k < (i + 1) * part; ++k) {
      total += double(in[k]);
      float& most = maxima[k % columns];  // not negative: its bits are in order
      if (in[k] > *static_cast<volatile float*>(&most)) atomicMax(reinterpret_cast<int*>(&most), __float_as_int(in[k]));
    }
    atomicAdd(&sum[i * part / columns], total);
  });
  for_each(rows, [=] __device__(std::int64_t i) { means[i] = float(sum[i] / double(columns)); });
}

}  // namespace bench
