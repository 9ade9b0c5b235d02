// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges and merge sorts of many elements, with CUB and Thrust as further oracles. Needs a GPU with 16 GB of memory.
#include "../../support/merge_check.cuh"

#include <gpuprim/device/merge_sort.cuh>
#include <gpuprim/device/search.cuh>

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/set_operations.h>
#include <cub/device/device_merge_sort.cuh>

#include <functional>

namespace {

/// Even or odd numbers as elements, without memory.
struct every_second {
  using value_type = std::int64_t;
  using difference_type = std::int64_t;
  using reference = std::int64_t;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  std::int64_t first;
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return first + 2 * i; }
};

/// An output that counts what is not its own number.
struct numbers_wanted {
  unsigned long long* wrong;
  struct place {
    std::int64_t number;
    unsigned long long* wrong;
    __device__ void operator=(std::int64_t x) const {
      if (x != number) atomicAdd(wrong, 1ull);
    }
  };
  GPUPRIM_HOST_DEVICE place operator[](std::int64_t i) const { return {i, wrong}; }
};

std::vector<int> make_numbers(int n, unsigned different) {
  std::vector<int> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(int(test::scramble(std::uint64_t(i)) % different));
  return numbers;
}

}  // namespace

TEST_CASE("A merge of more than 2^32 elements", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 31) + 5;
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  CUDA_OK(gpuprim::merge(every_second{0}, n, every_second{1}, n, numbers_wanted{wrong.data()}));
  CHECK(wrong.download()[0] == 0);
}

TEST_CASE("Merge sorts agree with CUB", "[device][large][gpu]") {
  for (int n : {1000, 100000, (1 << 24) + 77}) {
    for (unsigned different : {10u, 1u << 30}) {
      CAPTURE(n, different);
      const auto room = static_cast<std::size_t>(n);
      std::vector<int> places;
      for (int i = 0; i < n; ++i) places.push_back(i);
      const test::device_array<int> in(make_numbers(n, different)), values(places);
      test::device_array<int> keys_out(room), values_out(room), cub_keys(in.download()), cub_values(places);
      std::size_t bytes = 0;
      const std::less<> less;
      const test::by_part order;
      CUDA_OK(cub::DeviceMergeSort::StableSortPairs(nullptr, bytes, cub_keys.data(), cub_values.data(), n, order));
      test::device_array<char> temporary(bytes);
      CUDA_OK(
          cub::DeviceMergeSort::StableSortPairs(temporary.data(), bytes, cub_keys.data(), cub_values.data(), n, order));
      CUDA_OK(gpuprim::merge_sort_pairs(in.data(), values.data(), n, keys_out.data(), values_out.data(), less));
      CHECK(bool(keys_out.download() == cub_keys.download()));
      CHECK(bool(values_out.download() == cub_values.download()));
      CHECK(gpuprim::is_sorted_value(keys_out.data(), n));
      CUDA_OK(gpuprim::merge_sort(keys_out.data(), n, keys_out.data(), std::greater<>{}));
      CHECK(gpuprim::is_sorted_value(keys_out.data(), n, std::greater<>{}));
    }
  }
}

TEST_CASE("Set operations agree with Thrust", "[device][large][gpu]") {
  for (unsigned different : {3u, 1000u, 1u << 24}) {
    CAPTURE(different);
    const int a_count = 3000000, b_count = 2000000;
    auto a = make_numbers(a_count, different), b = make_numbers(b_count, different);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const test::device_array<int> in_a(a), in_b(b);
    test::device_array<int> out(a.size() + b.size()), wanted(a.size() + b.size());
    const thrust::device_ptr<const int> first(in_a.data()), second(in_b.data());
    const thrust::device_ptr<int> want(wanted.data());
    const auto check = [&](std::int64_t count, std::int64_t want_count) {
      CHECK(count == want_count);
      auto got = out.download(), expected = wanted.download();
      got.resize(std::size_t(count));
      expected.resize(std::size_t(want_count));
      CHECK(bool(got == expected));
    };
    check(gpuprim::set_union_count(in_a.data(), a_count, in_b.data(), b_count, out.data()),
          thrust::set_union(thrust::device, first, first + a_count, second, second + b_count, want) - want);
    check(gpuprim::set_intersection_count(in_a.data(), a_count, in_b.data(), b_count, out.data()),
          thrust::set_intersection(thrust::device, first, first + a_count, second, second + b_count, want) - want);
    check(gpuprim::set_difference_count(in_a.data(), a_count, in_b.data(), b_count, out.data()),
          thrust::set_difference(thrust::device, first, first + a_count, second, second + b_count, want) - want);
  }
}

TEST_CASE("Merges of a vector of Thrust's and of an iterator that is none", "[device][gpu]") {
  const std::vector<int> odd{1, 3, 5, 7};
  const thrust::device_vector<int> keys(odd.begin(), odd.end());
  const thrust::counting_iterator<int> numbers(0);
  thrust::device_vector<int> out(8), values_out(8);
  const std::vector<int> merged{0, 1, 1, 2, 3, 3, 5, 7};
  const gpuprim::options how;
  const auto check = [&](cudaError_t error) {
    REQUIRE(error == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<int> got(8);
    thrust::copy(out.begin(), out.end(), got.begin());
    CHECK(bool(got == merged));
  };
  check(gpuprim::merge(keys.begin(), 4, numbers, 4, out.begin(), how));
  check(gpuprim::merge(numbers, 4, keys.begin(), 4, out.begin(), std::less<>{}));
  check(gpuprim::merge_pairs(keys.begin(), numbers, 4, numbers, keys.begin(), 4, out.begin(), values_out.begin(), how));
  check(gpuprim::merge_pairs(numbers, keys.begin(), 4, keys.begin(), numbers, 4, out.begin(), values_out.begin(),
                             std::less<int>{}));
}
