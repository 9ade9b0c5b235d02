// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of equal keys: sums and largest values of sorted records, the run-length code of a bitmap, and its long runs.
#include <gpuprim/reduce_by_key.cuh>

#include "../measure.hpp"

/// Keys that are the same hour are one run.
struct same_hour {
  __host__ __device__ bool operator()(int a, int b) const { return a / 3600 == b / 3600; }
};

int main() {
  // Records sorted by time, in seconds, and the bits of a bitmap with long runs.
  constexpr int n = 20000;
  std::vector<int> seconds, amounts;
  std::vector<unsigned char> bits;
  for (int i = 0; i < n; ++i) {
    seconds.push_back(i * 17 + i * i / 4000);
    amounts.push_back(i * 7919 % 1000);
    bits.push_back((i / 300 * i / 1000) % 3 == 0 || i % 997 == 0);
  }
  const measure::device_array<int> device_seconds(seconds), device_amounts(amounts), results(6 * n), counts(4);
  const measure::device_array<unsigned char> device_bits(bits), run_bits(n);
  const int *time = device_seconds.data(), *amount = device_amounts.data();
  const unsigned char* bit = device_bits.data();
  unsigned char* bit_of_run = run_bits.data();
  int *out = results.data(), *runs = counts.data();
  cudaError_t e = cudaSuccess;

  int *hours = out, *sums = out + n, *also_hours = out + 2 * n, *most = out + 3 * n, *lengths = out + 4 * n;
  int *offsets = out + 5 * n, *long_lengths = offsets + n / 2;
  // [calls]
  const gpuprim::plus<> plus;
  const gpuprim::maximum<> maximum;
  if (e == cudaSuccess) e = gpuprim::reduce_by_key(time, amount, n, hours, sums, runs, plus, same_hour{});
  if (e == cudaSuccess) e = gpuprim::reduce_by_key(time, amount, n, also_hours, most, runs + 1, maximum, same_hour{});
  if (e == cudaSuccess) e = gpuprim::run_length_encode(bit, n, bit_of_run, lengths, runs + 2);
  // [calls]
  // [long]
  if (e == cudaSuccess) e = gpuprim::non_trivial_runs(bit, n, offsets, long_lengths, runs + 3);
  // [long]
  // The number of runs on the host, with the outputs of the call before it written once more.
  const std::int64_t runs_of_bits = gpuprim::run_length_encode_count(bit, n, bit_of_run, lengths);
  const std::vector<int> got = results.on_host(), count = counts.on_host();
  const std::vector<unsigned char> got_bits = run_bits.on_host();

  int wrong = 0, hour = -1, run = -1, long_run = -1, sum = 0, largest = 0, length = 0;
  const auto at = [&](int part, int i) { return got[std::size_t(part * n + i)]; };
  for (int i = 0; i < n; ++i) {
    const auto k = std::size_t(i);
    if (i == 0 || !same_hour{}(seconds[k - 1], seconds[k])) {
      ++hour;
      wrong += at(0, hour) != seconds[k] || at(2, hour) != seconds[k];
      sum = largest = 0;
    }
    sum += amounts[k];
    largest = largest < amounts[k] ? amounts[k] : largest;
    if (i + 1 == n || !same_hour{}(seconds[k], seconds[k + 1])) wrong += at(1, hour) != sum || at(3, hour) != largest;
    if (i == 0 || bits[k - 1] != bits[k]) {
      ++run;
      wrong += got_bits[std::size_t(run)] != bits[k];
      length = 0;
    }
    ++length;
    if (i + 1 < n && bits[k] == bits[k + 1]) continue;
    wrong += at(4, run) != length;
    if (length == 1) continue;
    ++long_run;
    wrong += at(5, long_run) != i + 1 - length || at(5, n / 2 + long_run) != length;
  }
  wrong += count[0] != hour + 1 || count[1] != hour + 1 || count[2] != run + 1 || runs_of_bits != run + 1 ||
           count[3] != long_run + 1;
  std::printf("%d records in %d hours, %d bits in %d runs, of which %d have several: %d wrong (%s)\n", n, hour + 1, n,
              run + 1, long_run + 1, wrong, cudaGetErrorString(e));
  return e == cudaSuccess && wrong == 0 ? 0 : 1;
}
