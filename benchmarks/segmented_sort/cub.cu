// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's stable sorts of segments.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_segmented_sort.cuh>

namespace {

cudaError_t enqueue(const bench::segmented_sort_problem& problem, const bench::segmented_sort_pass& p, cudaStream_t s) {
  return bench::with_key_type(problem, [&]<class Key>() {
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      const auto* const keys = static_cast<const Key*>(p.keys);
      auto* const keys_out = static_cast<Key*>(p.keys_out);
      if (problem.has_values) {
        return cub::DeviceSegmentedSort::StableSortPairs(
            storage, bytes, keys, keys_out, static_cast<const unsigned*>(p.values),
            static_cast<unsigned*>(p.values_out), p.n, p.segments, p.offsets, p.offsets + 1, s);
      }
      return cub::DeviceSegmentedSort::StableSortKeys(storage, bytes, keys, keys_out, p.n, p.segments, p.offsets,
                                                      p.offsets + 1, s);
    });
  });
}

const bench::enter_segmented_sort_contender entered({"CUB " + std::to_string(CUB_VERSION), enqueue});

}  // namespace
