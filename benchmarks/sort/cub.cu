// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's sorts. A count of 32 bits makes other kernels than one of 64.
#include "../support/cub_storage.hpp"
#include "contenders.hpp"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

namespace {

template <class Count>
cudaError_t enqueue(const bench::sort_problem& problem, const bench::key_pass& p, cudaStream_t s) {
  return bench::with_key_type(problem, [&]<class Key>() {
    return bench::with_cub_storage([&](void* storage, std::size_t& bytes) {
      const auto* const keys = static_cast<const Key*>(p.keys);
      const auto* const values = static_cast<const unsigned*>(p.values);
      auto* const keys_out = static_cast<Key*>(p.keys_out);
      const auto n = static_cast<Count>(p.n);
      switch (problem.call) {
        case bench::sort_call::pairs:
          return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, keys_out, values,
                                                 static_cast<unsigned*>(p.values_out), n, 0, int(8 * sizeof(Key)), s);
        case bench::sort_call::merge_sort:
          return cub::DeviceMergeSort::SortKeysCopy(storage, bytes, keys, keys_out, n, bench::comes_first{}, s);
        default:
          return cub::DeviceRadixSort::SortKeys(storage, bytes, keys, keys_out, n, 0, int(8 * sizeof(Key)), s);
      }
    });
  });
}

const std::string name = "CUB " + std::to_string(CUB_VERSION);
const bench::enter_sort_contender entered({name, enqueue<long long>});
const bench::enter_sort_contender counts_of_32_bits({name + ", 32-bit counts", enqueue<int>});

}  // namespace
