// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream compaction by hand: the elements that pass a test, in their order. The flag of an element is 1 if it passes
// and 0 if not. The exclusive scan of the flags says how many elements before each one are kept, which is where it
// goes; the total of the scan is how many are kept in all.
// Source: Blelloch, "Prefix sums and their applications", 1990.
#include <gpuprim/scan.cuh>

#include <gpuprim/launch/launch.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

struct order {
  int number, cents;
  bool operator==(const order&) const = default;
};

struct is_large {
  __host__ __device__ bool operator()(const order& o) const { return o.cents >= 5000; }
};

// [scatter]
__global__ void scatter(const order* in, int n, const int* places, order* kept) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && is_large{}(in[i])) kept[places[i]] = in[i];
}
// [scatter]

int main(int count, char** arguments) {
  using measure::check;
  const int n = measure::size_to_run(count, arguments, 50000), block_size = 256;
  std::vector<order> orders;
  for (int i = 0; i < n; ++i) orders.push_back({i, int(unsigned(i) * 2654435761u >> 19)});
  const measure::device_array<order> in(orders), kept(orders.size());
  const measure::device_array<int> places(orders.size()), total(1);

  // [compaction]
  // The scan computes the flags as it reads the elements, so that they are stored nowhere, and adds them up as int.
  check(gpuprim::transform_exclusive_scan(in.data(), n, gpuprim::with_total(places.data(), total.data()),
                                          gpuprim::plus{}, is_large{}));
  check(gpuprim::launch(scatter, (n - 1) / block_size + 1, block_size, nullptr, in.data(), n, places.data(),
                        kept.data()));
  // [compaction]

  std::vector<order> got = kept.on_host(), want;
  got.resize(std::size_t(total.on_host()[0]));
  std::copy_if(orders.begin(), orders.end(), std::back_inserter(want), is_large{});
  const bool right = got == want;
  std::printf("%d of %d orders are large: %s\n", int(got.size()), n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
