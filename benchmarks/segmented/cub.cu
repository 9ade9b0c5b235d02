// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's segmented sums. The form for one length is not in every CUB.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_segmented_reduce.cuh>

namespace bench {

int cub_version() { return CUB_VERSION; }
bool cub_has_fixed() { return CUB_VERSION >= 300200; }

cudaError_t cub_offsets32(const segmented_pass& p, cudaStream_t s) {
  const auto* offsets = static_cast<const int*>(p.begins);
  return with_cub_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, p.in, p.out, p.segments, offsets, offsets + 1, s);
  });
}

cudaError_t cub_bounds(const segmented_pass& p, cudaStream_t s) {
  return with_cub_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, p.in, p.out, p.segments, static_cast<const int*>(p.begins),
                                           static_cast<const int*>(p.ends), s);
  });
}

cudaError_t cub_fixed([[maybe_unused]] const segmented_pass& p, [[maybe_unused]] cudaStream_t s) {
#if CUB_VERSION >= 300200
  return with_cub_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, p.in, p.out, p.segments, int(p.length), s);
  });
#else
  return cudaErrorNotSupported;
#endif
}

}  // namespace bench
