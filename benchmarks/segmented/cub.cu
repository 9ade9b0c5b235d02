// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's segmented sums. The form for one length is not in every CUB.
#include "../support/check.hpp"
#include "contenders.hpp"

#include <cub/device/device_segmented_reduce.cuh>

namespace bench {

namespace {

/// Asks for the temporary storage and keeps it: the benchmark's first call is outside of a capture.
template <class Call>
cudaError_t with_storage(const Call& call) {
  static void* storage = nullptr;
  static std::size_t kept = 0;
  std::size_t bytes = 0;
  if (cudaError_t e = call(nullptr, bytes)) return e;
  if (bytes > kept || storage == nullptr) {
    check(cudaFree(storage), "free");
    check(cudaMalloc(&storage, bytes), "allocate CUB's storage");
    kept = bytes;
  }
  return call(storage, bytes);
}

}  // namespace

int cub_version() { return CUB_VERSION; }
bool cub_has_fixed() { return CUB_VERSION >= 300200; }

cudaError_t cub_offsets32(const segmented_pass& p, cudaStream_t s) {
  const auto* offsets = static_cast<const int*>(p.begins);
  return with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, p.in, p.out, p.segments, offsets, offsets + 1, s);
  });
}

cudaError_t cub_fixed([[maybe_unused]] const segmented_pass& p, [[maybe_unused]] cudaStream_t s) {
#if CUB_VERSION >= 300200
  return with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, p.in, p.out, p.segments, int(p.length), s);
  });
#else
  return cudaErrorNotSupported;
#endif
}

}  // namespace bench
