// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_histogram.cuh>

namespace {

/// The version is a template argument, because this is compiled once for each CUB.
template <int Version>
cudaError_t run(bench::kind what, const bench::histogram_pass& p, cudaStream_t s) {
  using bench::kind;
  using histogram = cub::DeviceHistogram;
  const int levels = p.bins + 1;
  return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
    switch (what) {
      case kind::f32:
        return histogram::HistogramEven(storage, bytes, p.samples<float>(), p.counts, levels, 0.0f, 1.0f, p.n, s);
      case kind::i32:
        return histogram::HistogramEven(storage, bytes, p.samples<int>(), p.counts, levels, 0, 0x7fffffff, p.n, s);
      case kind::u16:
        return histogram::HistogramEven(storage, bytes, p.samples<unsigned short>(), p.counts, levels, 0, 65536, p.n,
                                        s);
      case kind::u8:
        return histogram::HistogramEven(storage, bytes, p.samples<unsigned char>(), p.counts, levels, 0, 256, p.n, s);
      case kind::i8:
        return histogram::HistogramEven(storage, bytes, p.samples<signed char>(), p.counts, levels, -128, 128, p.n, s);
      case kind::ranges:
        return histogram::HistogramRange(storage, bytes, p.samples<float>(), p.counts, levels, p.levels, p.n, s);
      case kind::rgba: {
        unsigned* counts[] = {p.counts, p.counts + p.bins, p.counts + 2 * p.bins};
        const int each[] = {levels, levels, levels}, lower[] = {0, 0, 0}, upper[] = {256, 256, 256};
        return histogram::MultiHistogramEven<4, 3>(storage, bytes, p.samples<unsigned char>(), counts, each, lower,
                                                   upper, p.n / 4, s);
      }
    }
    return cudaErrorInvalidValue;
  });
}

[[maybe_unused]] const bool entered =
    (bench::contenders().push_back({"CUB " + std::to_string(CUB_VERSION), run<CUB_VERSION>}), true);

}  // namespace
