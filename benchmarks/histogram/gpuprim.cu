// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/histogram.cuh>

namespace {

cudaError_t run(bench::kind what, const bench::histogram_pass& p, cudaStream_t s) {
  using bench::kind;
  using gpuprim::even_bins;
  static gpuprim::workspace workspace(gpuprim::histogram_workspace_bytes);
  const gpuprim::options how{.stream = s, .workspace = &workspace};
  switch (what) {
    case kind::f32:
      return gpuprim::histogram(p.samples<float>(), p.n, p.counts, even_bins{p.bins, 0.0f, 1.0f}, how);
    case kind::i32:
      return gpuprim::histogram(p.samples<int>(), p.n, p.counts, even_bins{p.bins, 0, 0x7fffffff}, how);
    case kind::u16:
      return gpuprim::histogram(p.samples<unsigned short>(), p.n, p.counts, even_bins{p.bins, 0, 65536}, how);
    case kind::u8:
      return gpuprim::histogram(p.samples<unsigned char>(), p.n, p.counts, even_bins{p.bins, 0, 256}, how);
    case kind::i8:
      return gpuprim::histogram(p.samples<signed char>(), p.n, p.counts, even_bins{p.bins, -128, 128}, how);
    case kind::ranges:
      return gpuprim::histogram(p.samples<float>(), p.n, p.counts, gpuprim::bin_ranges{p.levels, p.bins}, how);
    case kind::rgba:
      return gpuprim::histogram<4>(p.samples<unsigned char>(), p.n / 4,
                                   std::array{p.counts, p.counts + p.bins, p.counts + 2 * p.bins},
                                   even_bins{p.bins, 0, 256}, how);
  }
  return cudaErrorInvalidValue;
}

[[maybe_unused]] const bool entered = (bench::contenders().push_back({"gpuprim", run}), true);

}  // namespace
