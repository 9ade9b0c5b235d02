// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of sorted arrays, and their union, intersection and difference. In a kernel a block merges a new batch into
// the queue that it keeps in shared memory, and a warp merges two runs without shared memory.
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/merge.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

constexpr int block_size = 64, items = 3, queue_length = 100, batch_length = 60;

// [block]
/// Keeps the least `queue_length` numbers of all batches.
__global__ void keep_least(const int* batches, int batch_count, int* out) {
  const gpuprim::this_block block;
  GPUPRIM_SHARED(queue, int[queue_length]);
  const int rank = int(block.thread_rank());
  for (int i = rank; i < queue_length; i += block_size) queue[i] = batches[i];
  for (int k = 0; k < batch_count; ++k) {
    const int* const batch = batches + queue_length + k * batch_length;  // in global memory
    int merged[items];
    block.sync();
    gpuprim::block_merge<block_size>(block, queue, queue_length, batch, batch_length, merged, is_less{});
    block.sync();
    for (int i = 0; i < items; ++i) {
      if (rank * items + i < queue_length) queue[rank * items + i] = merged[i];
    }
  }
  block.sync();
  for (int i = rank; i < queue_length; i += block_size) out[i] = queue[i];
}
// [block]

// [warp]
__global__ void merge_halves(int* numbers) {
  const gpuprim::warp_tile<32> warp;
  int own[2] = {numbers[2 * warp.thread_rank()], numbers[2 * warp.thread_rank() + 1]};
  gpuprim::warp_merge(warp, own, is_less{});  // those of the first 16 lanes are sorted, and those of the last 16
  for (int i = 0; i < 2; ++i) numbers[2 * warp.thread_rank() + i] = own[i];
}
// [warp]

std::vector<int> make_sorted(int count, int factor) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(int(unsigned(i) * unsigned(factor) >> 16) % 3000);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 10000, 1 << 28);
  const std::vector<int> first = make_sorted(n, 40503), second = make_sorted(n / 2, 50021);
  const measure::device_array<int> device_first(first), device_second(second), counts(4);
  const std::size_t most = first.size() + second.size();
  const measure::device_array<int> device_all(most), device_either(most), device_both(most), device_rest(most);
  const measure::device_array<int> device_one(most);
  const int *a = device_first.data(), *b = device_second.data();
  const int a_count = n, b_count = n / 2;
  int *all = device_all.data(), *either = device_either.data(), *both = device_both.data(), *rest = device_rest.data();
  int* const one = device_one.data();
  int* const how_many = counts.data();

  // [calls]
  cudaError_t e = gpuprim::merge(a, a_count, b, b_count, all);
  if (e == cudaSuccess) e = gpuprim::set_union(a, a_count, b, b_count, either, how_many);
  if (e == cudaSuccess) e = gpuprim::set_intersection(a, a_count, b, b_count, both, how_many + 1);
  if (e == cudaSuccess) e = gpuprim::set_difference(a, a_count, b, b_count, rest, how_many + 2);
  if (e == cudaSuccess) e = gpuprim::set_symmetric_difference(a, a_count, b, b_count, one, how_many + 3);
  // [calls]

  std::vector<int> batches, halves = make_sorted(32, 40503);
  constexpr int batch_count = 4;
  for (int k = 0; k <= batch_count; ++k) {
    const auto batch = make_sorted(k == 0 ? queue_length : batch_length, 40503 + 998 * k);
    batches.insert(batches.end(), batch.begin(), batch.end());
  }
  halves.insert(halves.end(), batches.begin(), batches.begin() + 32);
  const measure::device_array<int> device_batches(batches), queue(queue_length), device_halves(halves);
  if (e == cudaSuccess) {
    e = gpuprim::launch(keep_least, 1, block_size, nullptr, device_batches.data(), batch_count, queue.data());
  }
  if (e == cudaSuccess) e = gpuprim::launch(merge_halves, 1, 32, nullptr, device_halves.data());
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  const std::vector<int> got_counts = counts.on_host();
  bool right = true;
  const auto compare = [&](const measure::device_array<int>& got, const std::vector<int>& want, int which) {
    const std::vector<int> values = got.on_host();
    right &= std::equal(want.begin(), want.end(), values.begin());
    if (which >= 0) right &= got_counts[std::size_t(which)] == int(want.size());
  };
  const auto want_of = [&](const auto& operation) {
    std::vector<int> want;
    operation(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(want));
    return want;
  };
  // [path]
  // Where the merge divides in two halves: how many of its first half come from a. The host finds it too.
  const int half = (a_count + b_count) / 2;
  const int of_a = gpuprim::merge_path(first.data(), a_count, second.data(), b_count, half, is_less{});
  // [path]
  const std::vector<int> merged = want_of([](auto... ranges) { std::merge(ranges...); });
  compare(device_all, merged, -1);
  const int middle = merged[merged.size() / 2];
  right &= of_a == 0 || first[std::size_t(of_a - 1)] <= middle;
  compare(device_either, want_of([](auto... ranges) { std::set_union(ranges...); }), 0);
  compare(device_both, want_of([](auto... ranges) { std::set_intersection(ranges...); }), 1);
  compare(device_rest, want_of([](auto... ranges) { std::set_difference(ranges...); }), 2);
  compare(device_one, want_of([](auto... ranges) { std::set_symmetric_difference(ranges...); }), 3);
  std::sort(batches.begin(), batches.end());
  batches.resize(queue_length);
  compare(queue, batches, -1);
  std::sort(halves.begin(), halves.end());
  compare(device_halves, halves, -1);
  std::printf("%d numbers merged, %d in either array, %d in both: %s\n", int(most), got_counts[0], got_counts[1],
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
