// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of an embedding. A model has read a row of a table for each word of a batch; the gradient of a row is
// the sum of the gradients at all places of the batch that have read it. Atomic additions would come in any order, so
// that sums of floats would differ from run to run. Here the places are sorted by their words, and a reduce by key
// joins the gradients of equal words in an order that does not change.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/sort.cuh>
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

// [row]
constexpr int width = 16;

/// A row of the table, or a gradient of it.
struct alignas(16) row {
  float values[width];
  bool operator==(const row&) const = default;
};

struct add_rows {
  __host__ __device__ row operator()(const row& a, const row& b) const {
    row sum{};
    for (int i = 0; i < width; ++i) sum.values[i] = a.values[i] + b.values[i];
    return sum;
  }
};
// [row]

int main(int count, char** arguments) {
  using measure::check;
  constexpr int vocabulary = 1000;
  const int n = measure::size_to_run(count, arguments, 5000, 1 << 24);
  std::vector<int> batch;
  std::vector<row> gradients_of_places;
  for (int i = 0; i < n; ++i) {
    const unsigned random = unsigned(i) * 2654435761u ^ unsigned(i) * 40503u >> 7;
    batch.push_back(int((random >> 8) % vocabulary * (random % vocabulary) / vocabulary));  // some words are frequent
    row gradient{};
    for (int k = 0; k < width; ++k) gradient.values[k] = float((random >> k) % 2001) / 1000 - 1;
    gradients_of_places.push_back(gradient);
  }
  const std::size_t size = batch.size();
  const measure::device_array<int> word_array(batch), sorted_array(size), place_array(size), used_array(size), one(1);
  const measure::device_array<row> gradient_array(gradients_of_places), sum_array(size), table_array(vocabulary);
  const int* const words = word_array.data();
  const row* const gradients = gradient_array.data();
  int *const sorted = sorted_array.data(), *const places = place_array.data(), *const used = used_array.data();
  int* const how_many = one.data();
  row *const sums = sum_array.data(), *const table = table_array.data();

  std::vector<row> got, again;
  for (std::vector<row>* result : {&got, &again}) {
    sum_array.poison();
    table_array.poison();
    // [calls]
    // The places of the batch in the order of their words. Those of one word stay in their order.
    check(gpuprim::sort_pairs(words, gpuprim::positions<int>{}, n, sorted, places));
    // Each word that is used, and the sum of its gradients: the gradient of the table without the rows that are 0.
    check(gpuprim::reduce_by_key(sorted, gpuprim::permuted(gradients, places), n, used, sums, how_many, add_rows{}));
    // With them: the sums are scattered to the rows of their words, as many as there are.
    check(gpuprim::fill(table, vocabulary, row{}));
    check(gpuprim::scatter(sums, used, gpuprim::element_count{how_many, n}, table));
    // [calls]
    *result = table_array.on_host();
  }

  // In whatever order floats are added, the sum of m of them is off by at most m roundings of the sum of their sizes.
  std::vector<double> want(vocabulary * width), sizes(vocabulary * width);
  std::vector<int> uses(vocabulary);
  for (int i = 0; i < n; ++i) {
    const int word = batch[std::size_t(i)];
    ++uses[std::size_t(word)];
    for (int k = 0; k < width; ++k) {
      const float x = gradients_of_places[std::size_t(i)].values[k];
      want[std::size_t(word * width + k)] += double(x);
      sizes[std::size_t(word * width + k)] += std::fabs(double(x));
    }
  }
  int used_words = 0, wrong = 0;
  for (int word = 0; word < vocabulary; ++word) {
    used_words += uses[std::size_t(word)] > 0;
    for (int k = 0; k < width; ++k) {
      const auto at = std::size_t(word * width + k);
      const double error = std::fabs(double(got[std::size_t(word)].values[k]) - want[at]);
      wrong += !(error <= uses[std::size_t(word)] * double(FLT_EPSILON) * sizes[at]);
    }
  }
  const bool right = wrong == 0 && got == again && one.on_host()[0] == used_words;
  std::printf("%d places of a batch use %d of %d words, twice with the same bits: %s\n", n, used_words, vocabulary,
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
