// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans over device memory: the offsets of rows from their lengths, the place of each element in its row, sums that
// begin anew with each key, and sums down the columns of a matrix. The folder library/ has programs that use scans for
// a purpose.
#include <gpuprim/scan.cuh>
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 100000, 1 << 29);
  std::vector<int> lengths, keys, want_offsets, want_sums, want_places;
  int elements = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    lengths.push_back(i % 7);
    keys.push_back(i / 1000);
    want_offsets.push_back(elements);
    elements += i % 7;
    for (int place = 1; place <= i % 7; ++place) want_places.push_back(place);
    sum = i % 1000 == 0 ? i % 7 : sum + i % 7;
    want_sums.push_back(sum);
  }
  want_offsets.push_back(elements);
  const measure::device_array<int> device_lengths(lengths), device_keys(keys);
  const measure::device_array<int> device_offsets(want_offsets.size()), device_sums(want_sums.size());
  const measure::device_array<int> device_ones(std::vector<int>(want_places.size(), 1));
  const measure::device_array<int> device_places(want_places.size());
  const measure::device_array<int> device_undone(want_offsets.size()), replaced_keys(keys), device_copy(keys.size());
  // The lengths are a matrix of seven columns too, whose rows are all alike.
  const int days = n / 7, sellers = 7;
  const measure::device_array<int> device_running(std::size_t(days * sellers));
  const int *row_lengths = device_lengths.data(), *runs = device_keys.data(), *ones = device_ones.data();
  int *offsets = device_offsets.data(), *sums = device_sums.data(), *places = device_places.data();
  int *const undone = device_undone.data(), *const running = device_running.data();
  int *const replaced = replaced_keys.data(), *const copy_of_keys = device_copy.data();

  // [offsets]
  // Row i begins at offsets[i]; the total, which is the number of all elements, is the last offset.
  cudaError_t error =
      gpuprim::exclusive_scan(row_lengths, n, gpuprim::with_total(offsets, offsets + n), gpuprim::plus{});
  // [offsets]
  // [segments]
  // Each row is scanned by itself; here that numbers its elements from 1 on.
  const gpuprim::segment_offsets rows{offsets, elements};
  if (error == cudaSuccess) error = gpuprim::segmented_inclusive_scan(ones, rows, n, places, gpuprim::plus{});
  // [segments]
  // [by_key]
  if (error == cudaSuccess) error = gpuprim::inclusive_scan_by_key(runs, row_lengths, n, sums, gpuprim::plus{});
  // [by_key]
  // [in_place_of_keys]
  // Results in the place of the keys, which are read from a copy.
  if (error == cudaSuccess) error = gpuprim::copy(replaced, n, copy_of_keys);
  if (error == cudaSuccess) {
    error = gpuprim::inclusive_scan_by_key(copy_of_keys, row_lengths, n, replaced, gpuprim::plus{});
  }
  // [in_place_of_keys]
  // [differences]
  // The lengths again, in the place of the offsets: what an exclusive scan has made is undone.
  if (error == cudaSuccess) error = gpuprim::copy(offsets, n + 1, undone);
  if (error == cudaSuccess) error = gpuprim::adjacent_difference_in_place(undone, n + 1);
  // [differences]
  // [columns]
  // A matrix of a row for each day, and a column for each seller: what each has sold up to each day.
  if (error == cudaSuccess) {
    error = gpuprim::column_inclusive_scan(row_lengths, days, sellers, running, gpuprim::plus{});
  }
  // [columns]
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(error), gpuprim::last_fault());
    return 1;
  }
  auto differences = device_undone.on_host();
  differences.erase(differences.begin());
  const auto sold = device_running.on_host();
  bool adds_up = true;
  for (int i = 0; i < days * sellers; ++i) adds_up &= sold[std::size_t(i)] == i % sellers * (i / sellers + 1);
  adds_up &= replaced_keys.on_host() == want_sums;
  const bool right = adds_up && differences == lengths && device_offsets.on_host() == want_offsets &&
                     device_sums.on_host() == want_sums && device_places.on_host() == want_places;
  std::printf("%d rows of %d elements, the last run of %d: %s\n", n, elements, sum, right ? "right" : "wrong");
  return right ? 0 : 1;
}
