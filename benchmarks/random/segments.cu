// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lengths.hpp"
#include "workspace.hpp"

#include <gpuprim/segmented_reduce.cuh>

#include <cub/device/device_segmented_reduce.cuh>

namespace {

using namespace bench;

comparison by_offsets(random_numbers& random, const call_memory& memory) {
  std::string details;
  std::vector<int> offsets{0};
  for (std::int64_t length : random_lengths(random, random.size(1 << 25), details)) {
    offsets.push_back(offsets.back() + int(length));
  }
  upload(memory.second, offsets);
  const auto* const in = reinterpret_cast<const float*>(memory.in);
  const auto* const at = reinterpret_cast<const int*>(memory.second);
  auto* const out = reinterpret_cast<float*>(memory.out);
  const auto segments = std::int64_t(offsets.size()) - 1;
  return {"segmented_reduce", std::to_string(segments) + " of " + std::to_string(offsets.back()) + details,
          [=](std::int64_t, cudaStream_t s) {
            return gpuprim::segmented_reduce(in, at, segments, out, gpuprim::plus{}, options_of(s));
          },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            return cub::DeviceSegmentedReduce::Sum(memory.temporary, bytes, in, out, segments, at, at + 1, s);
          }};
}

/// Drawn three times as often as another call: lists differ in more ways.
const enter_comparisons entered({by_offsets, by_offsets, by_offsets});

}  // namespace
