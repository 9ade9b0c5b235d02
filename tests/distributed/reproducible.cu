// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"
#include "../support/types.cuh"

#include <cmath>
#include <optional>
#include <random>

namespace {

namespace distributed = gpuprim::distributed;
using test::affine, test::rank_set, test::then;

/// As long as a load.
struct quad {
  float x[4];
  friend bool operator==(const quad&, const quad&) = default;
};
struct add_quads {
  __host__ __device__ quad operator()(quad a, const quad& b) const {
    for (int i = 0; i < 4; ++i) a.x[i] += b.x[i];
    return a;
  }
};
/// Not associative: every tree has another result, so that it shows where one differs.
struct half_sum {
  __host__ __device__ float operator()(float a, float b) const { return a * 0.5f + b * 0.25f; }
};

/// The result of parts of these sizes, on every rank the same.
template <class T, class Acc, class Op, class Make>
Acc reduce_parts(const std::vector<int>& sizes, const Make& make, Op op, Acc init, std::size_t misalignment = 0) {
  const int count = int(sizes.size());
  CAPTURE(sizes, misalignment);
  const int most = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  rank_set ranks(count, distributed::reproducible_workspace_size<T, Acc>(most, count), test::communicators::kept);
  std::vector<std::unique_ptr<test::device_array<T>>> parts;
  std::int64_t i = 0;
  ranks.for_each([&](int rank) {
    std::vector<T> host;
    for (int k = 0; k < sizes[std::size_t(rank)]; ++k) host.push_back(make(i++));
    parts.push_back(std::make_unique<test::device_array<T>>(host, misalignment * std::size_t(rank)));
  });
  const auto outputs = ranks.make_outputs<Acc>(1);
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    const T* const in = parts[own]->data();
    return distributed::all_reduce<Acc>(gpuprim::reproducible, comm, in, sizes[own], outputs[own]->data(), op, init,
                                        how);
  });
  std::optional<Acc> found;
  ranks.for_each([&](int rank) {
    const Acc own = outputs[std::size_t(rank)]->download()[0];
    outputs[std::size_t(rank)]->check_guards();
    parts[std::size_t(rank)]->check_unchanged();
    if (!found) found = own;
    CHECK(own == *found);
  });
  return *found;
}

/// Parts of n elements: cut at random places, some of them empty, some within a unit of the tree.
std::vector<std::vector<int>> cut(int n) {
  std::mt19937 random(unsigned(n) + 1);
  std::vector<std::vector<int>> all;
  for (int count : test::rank_counts()) {
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<int> cuts{0, n};
      for (int k = 1; k < count; ++k) {
        const int near = trial == 2 ? 700 : n;
        cuts.push_back(n == 0 ? 0 : int(random() % unsigned(std::min(near, n) + 1)));
      }
      std::sort(cuts.begin(), cuts.end());
      std::vector<int> sizes;
      for (std::size_t k = 1; k < cuts.size(); ++k) sizes.push_back(cuts[k] - cuts[k - 1]);
      all.push_back(sizes);
    }
  }
  return all;
}

template <class T, class Acc, class Op, class Make>
void check(const std::vector<int>& counts, const Make& make, Op op, Acc init, std::size_t misalignment = 0) {
  for (int n : counts) {
    const Acc alone = reduce_parts<T, Acc>({n}, make, op, init);
    for (const auto& sizes : cut(n)) {
      CHECK(reduce_parts<T, Acc>(sizes, make, op, init, misalignment) == alone);
    }
  }
}

float any_float(std::int64_t i) {
  return std::ldexp(float((i * 7919) % 10007) / 10007.0f - 0.4f, int(i * 31 % 40) - 20);
}

}  // namespace

TEST_CASE("A reproducible sum has the same bits however the elements are parted",
          "[distributed][few_schedules][tsan]") {
  check<float, float>({0, 1, 511, 512, 513, 5000, 40000}, any_float, gpuprim::plus<float>{}, 0.0f, sizeof(float));
  test::unless_sanitized([](auto) {
    const auto make = [](std::int64_t i) { return double(any_float(i)); };
    check<double, double>({777, 20000}, make, gpuprim::plus<double>{}, 1.5, sizeof(double));
    const auto narrow = [](std::int64_t i) { return static_cast<unsigned char>(i * 37); };
    check<unsigned char, float>({9000, 70001}, narrow, gpuprim::plus<float>{}, 0.1f, 1);
    // Enough for a node of the second level, whose elements lie on several ranks.
    check<float, float>({600000}, any_float, gpuprim::plus<float>{}, 0.0f);
  });
}

TEST_CASE("A reproducible sum with nodes of the third level", "[distributed][few_schedules][tsan]") {
  const auto make = [](std::int64_t i) { return quad{{any_float(i), float(i % 9), any_float(i + 1), 1}}; };
  constexpr int n = 2 * 32 * 32 * 128 + 3;  // units of 128 elements of 16 bytes
  const quad alone = reduce_parts<quad, quad>({n}, make, add_quads{}, quad{});
  CHECK(alone.x[3] == n);
  test::unless_sanitized(
      [&](auto) { CHECK(reduce_parts<quad, quad>(cut(n).back(), make, add_quads{}, quad{}) == alone); });
}

TEST_CASE("A reproducible reduce by operators of one's own", "[distributed]") {
  const auto make = [](std::int64_t i) { return affine{unsigned(i) * 2 + 1, unsigned(i)}; };
  for (int n : {1, 130, 1000, 9000}) {
    affine expected{3, 5};
    for (int i = 0; i < n; ++i) expected = then{}(expected, make(i));
    for (const auto& sizes : cut(n)) CHECK(reduce_parts<affine, affine>(sizes, make, then{}, affine{3, 5}) == expected);
  }
  check<float, float>({3, 512, 2048, 33000}, any_float, half_sum{}, 2.0f);
}

TEST_CASE("A reproducible sum of a computed input from the identity, near the true sum", "[distributed]") {
  constexpr int n = 100000;
  rank_set ranks(1);
  const auto out = ranks.make_outputs<float>(1);
  CUDA_OK(distributed::all_reduce<float>(gpuprim::reproducible, ranks.comm(0), gpuprim::positions<int>{}, n,
                                         out[0]->data(), gpuprim::plus{}, ranks.options(0)));
  CUDA_OK(cudaStreamSynchronize(ranks.stream(0)));
  const double expected = double(n) * (n - 1) / 2;
  CHECK(std::fabs(out[0]->download()[0] - expected) <= 20 * 0x1p-24 * expected);
}
