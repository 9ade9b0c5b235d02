// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of each family, with its result: what scripts/compilers.py compiles by every compiler, and runs where it can.
#include <gpuprim/gpuprim.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

// In no namespace without a name: g++ warns of what nvcc makes of such types by -rdc=true.
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

namespace {

constexpr int n = 1000, block_size = 128, bins = 10, k = 10, length = 50;
using numbers = std::vector<int>;

/// Each block adds up what it reads, and sorts it.
__global__ void in_kernel(const int* in, int* sorted, int* sums) {
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), at = int(blockIdx.x) * block_size + rank;
  int own[1] = {in[at]};
  const int sum = gpuprim::block_reduce<block_size>(block, own[0], gpuprim::plus{});
  gpuprim::block_sort<block_size>(block, own, is_less{});
  sorted[at] = own[0];
  if (rank == 0) sums[blockIdx.x] = sum;
}

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}

/// On the device.
struct array {
  int* data = nullptr;
  explicit array(const numbers& from) {
    check(cudaMalloc(reinterpret_cast<void**>(&data), from.size() * sizeof(int)), "cudaMalloc");
    check(cudaMemcpy(data, from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { (void)cudaFree(data); }
};

/// Whether a call has written what it should.
bool has(const array& out, const numbers& want, const char* call) {
  numbers got(want.size());
  if (!got.empty()) check(cudaMemcpy(got.data(), out.data, got.size() * sizeof(int), cudaMemcpyDeviceToHost), call);
  if (got != want) std::printf("%s: wrong\n", call);
  return got == want;
}

}  // namespace

int main() {
  numbers values(n), starts{0, 3, 3, 500, n}, sums, sorted, odd, counts(bins), doubled(n), runs, run_lengths, rows;
  for (int i = 0; i < n; ++i) values[std::size_t(i)] = i * 7919 % 1009;
  sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::copy_if(values.begin(), values.end(), std::back_inserter(odd), is_odd{});
  std::transform(values.begin(), values.end(), doubled.begin(), twice{});
  for (int x : values) ++counts[std::size_t(x / 101)];
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    sums.push_back(std::accumulate(values.begin() + starts[i], values.begin() + starts[i + 1], 0));
  }
  numbers prefix(n), keys(n), of_blocks(values.begin(), values.begin() + 2 * block_size);
  std::exclusive_scan(values.begin(), values.end(), prefix.begin(), 0);
  for (int i = 0; i < n; ++i) keys[std::size_t(i)] = i / 100;
  for (int i = 0; i < bins; ++i) runs.push_back(i), run_lengths.push_back(100);
  rows = values;
  for (int i = 0; i < n; i += length) std::sort(rows.begin() + i, rows.begin() + i + length);
  for (int i = 0; i < 2; ++i) std::sort(of_blocks.begin() + i * block_size, of_blocks.begin() + (i + 1) * block_size);
  const numbers largest(sorted.rbegin(), sorted.rbegin() + k);
  const array in(values), offsets(starts), in_order(sorted), by_key(keys), count(numbers{0});
  const array out(numbers(n, -1)), more(numbers(n, -1));
  bool all_right = true;
  const auto expect = [&](const char* call, cudaError_t error, const numbers& want, const numbers& want_more = {}) {
    check(error, call);
    all_right &= has(out, want, call);
    all_right &= has(more, want_more, call);
  };

  using namespace gpuprim;
  expect("reduce", reduce(in.data, n, out.data, plus{}), {std::accumulate(values.begin(), values.end(), 0)});
  expect("transform_reduce", transform_reduce(in.data, n, out.data, plus{}, twice{}, 0),
         {std::accumulate(doubled.begin(), doubled.end(), 0)});
  expect("count_if", count_if(in.data, n, out.data, is_odd{}), {int(odd.size())});
  expect("segmented_reduce", segmented_reduce(in.data, offsets.data, 4, out.data, plus{}), sums);
  expect("exclusive_scan", exclusive_scan(in.data, n, out.data, plus{}), prefix);
  expect("select_if", select_if(in.data, n, out.data, more.data, is_odd{}), odd, {int(odd.size())});
  expect("sort", sort(in.data, n, out.data), sorted);
  expect("segmented_sort", segmented_sort(in.data, fixed_length{length}, n / length, out.data), rows);
  expect("merge_sort", merge_sort(in.data, n, out.data, is_less{}), sorted);
  expect("top_k", top_k(in.data, n, k, out.data, gpuprim::largest.sorted()), largest);
  expect("histogram", histogram(in.data, n, reinterpret_cast<unsigned*>(out.data), even_bins{bins, 0, 1010}), counts);
  expect("run_length_encode", run_length_encode(by_key.data, n, out.data, more.data, count.data), runs, run_lengths);
  expect("transform", gpuprim::transform(in.data, n, out.data, twice{}), doubled);
  expect("in a kernel", launch(in_kernel, 2, block_size, nullptr, in.data, out.data, more.data), of_blocks);
  std::printf("%s\n", all_right ? "right" : "wrong");
  return all_right ? 0 : 1;
}
