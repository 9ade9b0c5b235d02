// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mixture of experts: each token goes to two of 64 experts, and a block of threads works for one expert, whose
// weights it reads once. So the routes, each of a token to an expert, are brought together by expert in slots. The
// slots of each expert begin with a block of their own, and the last of them may be empty. All counts stay on the
// device.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/histogram.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/segmented_reduce.cuh>
#include <gpuprim/sort.cuh>
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int experts = 64, choices = 2, block_size = 32;  // a slot for each thread of a block
constexpr int empty = -1;

// [functions]
struct whole_blocks {
  __host__ __device__ int operator()(int routes) const { return (routes + block_size - 1) / block_size * block_size; }
};

/// The expert that a slot belongs to: the last whose slots begin up to there. Those without any are passed over.
__host__ __device__ int expert_of_slot(const int* slot_begins, int slot) {
  return gpuprim::thread_upper_bound(slot_begins, experts, slot) - 1;
}

/// The route in a slot. The arrays say how many routes each expert has, and where they begin in `order` and in slots.
struct route_of_slot {
  const int *counts, *sorted_begins, *slot_begins, *order;
  __host__ __device__ int operator()(std::int64_t slot) const {
    const int expert = expert_of_slot(slot_begins, int(slot)), k = int(slot) - slot_begins[expert];
    return k < counts[expert] ? order[sorted_begins[expert] + k] : empty;
  }
};
// [functions]

// [kernel]
/// Each block multiplies tokens by the weight of one expert: a number, where models have matrices.
__global__ void apply_experts(const int* slot_begins, const int* slots, const float* tokens, const float* weights,
                              float* results) {
  const int first = int(blockIdx.x) * block_size;
  if (first >= slot_begins[experts]) return;  // no route is behind the last slot of the last expert
  const float weight = weights[expert_of_slot(slot_begins, first)];
  const int route = slots[first + int(threadIdx.x)];
  if (route != empty) results[route] = weight * tokens[route / choices];
}
// [kernel]

int main(int count, char** arguments) {
  using measure::check;
  const int tokens = measure::size_to_run(count, arguments, 2000, 1 << 26), routes = tokens * choices;
  // Enough slots however the tokens are routed: of each expert all but one slot of a block may be empty.
  const int capacity = whole_blocks{}(routes + experts * (block_size - 1));
  std::vector<int> chosen;  // the experts of each token, some of which many tokens go to, and some none
  std::vector<float> values, factors;
  for (int i = 0; i < tokens; ++i) {
    const unsigned random = unsigned(i) * 2654435761u ^ unsigned(i) * 40503u >> 7;
    for (int k = 0; k < choices; ++k) {
      const unsigned often = (random >> (8 * k) & 31) * (random >> (8 * k + 9) & 31) / 32;
      chosen.push_back(int(often) * choices + k);
    }
    values.push_back(float(random >> 20));
  }
  for (int i = 0; i < experts; ++i) factors.push_back(float(i % 7 - 3));
  const measure::device_array<int> expert_array(chosen), sorted_array(chosen.size()), order_array(chosen.size());
  const measure::device_array<int> count_array(experts), sorted_begin_array(experts), slot_begin_array(experts + 1);
  const measure::device_array<int> slot_array{std::size_t(capacity)};
  const measure::device_array<float> token_array(values), weight_array(factors), result_array(chosen.size());
  const measure::device_array<float> sum_array(values.size());
  const int* const expert_of_route = expert_array.data();
  int *const sorted = sorted_array.data(), *const order = order_array.data(), *const counts = count_array.data();
  int *const sorted_begins = sorted_begin_array.data(), *const slot_begins = slot_begin_array.data();
  int* const slots = slot_array.data();
  float *const results = result_array.data(), *const sums = sum_array.data();

  // [calls]
  // How many routes each expert has, where they begin when they are sorted, and where in slots.
  const gpuprim::plus<> plus;
  check(gpuprim::histogram(expert_of_route, routes, counts, gpuprim::even_bins{experts, 0, experts}));
  check(gpuprim::exclusive_scan(counts, experts, sorted_begins, plus));
  const auto begins_and_end = gpuprim::with_total(slot_begins, slot_begins + experts);
  check(gpuprim::transform_exclusive_scan(counts, experts, begins_and_end, plus, whole_blocks{}));
  // The routes in the order of their experts. Those of one expert stay in their order.
  check(gpuprim::sort_pairs(expert_of_route, gpuprim::positions<int>{}, routes, sorted, order));
  check(gpuprim::generate(slots, capacity, route_of_slot{counts, sorted_begins, slot_begins, order}));
  // [calls]
  // [apply]
  const int blocks = capacity / block_size;
  check(gpuprim::launch(apply_experts, blocks, block_size, nullptr, slot_begins, slots, token_array.data(),
                        weight_array.data(), results));
  // The results of a token lie side by side.
  check(gpuprim::segmented_reduce(results, gpuprim::fixed_length{choices}, tokens, sums, plus));
  // [apply]

  std::vector<int> want_slots;
  int used = 0;
  for (int expert = 0; expert < experts; ++expert) {
    const std::size_t before = want_slots.size();
    for (int route = 0; route < routes; ++route) {
      if (chosen[std::size_t(route)] == expert) want_slots.push_back(route);
    }
    used += want_slots.size() > before;
    while (want_slots.size() % block_size != 0) want_slots.push_back(empty);
  }
  const int want_end = int(want_slots.size());
  want_slots.resize(std::size_t(capacity), empty);
  std::vector<float> want(values.size());
  for (int route = 0; route < routes; ++route) {
    const auto token = std::size_t(route / choices);
    want[token] += factors[std::size_t(chosen[std::size_t(route)])] * values[token];
  }
  const bool right = slot_begin_array.on_host()[experts] == want_end && slot_array.on_host() == want_slots &&
                     sum_array.on_host() == want;
  std::printf("%d tokens go to %d of %d experts, in %d blocks of one expert each: %s\n", tokens, used, experts,
              want_end / block_size, right ? "right" : "wrong");
  return right ? 0 : 1;
}
