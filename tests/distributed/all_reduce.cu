// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"
#include "../support/types.cuh"

#include <gpuprim/statistics.cuh>

#include <cmath>
#include <limits>
#include <optional>
#include <thread>

namespace {

namespace distributed = gpuprim::distributed;
using test::affine, test::rank_set, test::then;

struct by_last_digit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

template <class T>
T small_number(std::int64_t i) {
  return T(float(i * 37 % 23 - 7));
}

/// Calls go(ranks, parts, all elements) for all numbers of ranks and sizes of parts.
template <class T, class Make, class Go>
void for_all_parts(const Make& make, const Go& go) {
  for (int count : test::rank_counts()) {
    rank_set ranks(count, {1 << 20, 1 << 16});
    for (const auto& sizes : test::part_sizes(count)) {
      CAPTURE(count, sizes);
      const auto parts = ranks.make_parts<T>(sizes, make);
      go(ranks, parts, test::join_parts(parts));
      for (const auto& part : parts) part.array->check_unchanged();
    }
  }
}

/// The result of a call on every rank; all are equal.
template <class R, class Call>
R find_result(rank_set& ranks, const Call& call) {
  const auto outputs = ranks.make_outputs<R>(1);
  ranks.call([&](int rank, ncclComm_t comm, const distributed::options& how) {
    return call(rank, comm, outputs[std::size_t(rank)]->data(), how);
  });
  std::optional<R> first;
  ranks.for_each([&](int rank) {
    outputs[std::size_t(rank)]->check_guards();
    const R found = outputs[std::size_t(rank)]->download()[0];
    if (!first) first = found;
    CHECK(found == *first);
  });
  return *first;
}

template <class T, class Acc, class Op>
void check_operator(Op op, Acc identity) {
  for_all_parts<T>(small_number<T>, [&](rank_set& ranks, const auto& parts, const std::vector<T>& all) {
    Acc expected = identity;
    for (const T& x : all) expected = op(expected, Acc(x));
    const auto found = find_result<Acc>(ranks, [&](int rank, ncclComm_t comm, Acc* out, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      return distributed::all_reduce(comm, part.data(), part.size(), out, op, how);
    });
    CHECK(found == expected);
  });
}

}  // namespace

TEST_CASE("Sums, products and extrema of the elements of all ranks", "[distributed][few_schedules][tsan]") {
  check_operator<int, int>(gpuprim::plus<int>{}, 0);
  check_operator<float, float>(gpuprim::plus<float>{}, 0.0f);
  check_operator<unsigned char, int>(gpuprim::maximum<int>{}, std::numeric_limits<int>::lowest());
  test::unless_sanitized([](auto) {
    check_operator<double, double>(gpuprim::minimum<double>{}, std::numeric_limits<double>::infinity());
    check_operator<std::int64_t, std::int64_t>(gpuprim::bit_xor<std::int64_t>{}, 0);
    check_operator<unsigned, unsigned>(gpuprim::multiplies<unsigned>{}, 1);
    check_operator<__half, float>(gpuprim::plus<float>{}, 0.0f);
  });
}

TEST_CASE("An operator that does not commute, from an initial value", "[distributed]") {
  const auto make = [](std::int64_t i) { return affine{unsigned(i) * 2 + 3, unsigned(i) ^ 77}; };
  for_all_parts<affine>(make, [&](rank_set& ranks, const auto& parts, const std::vector<affine>& all) {
    affine expected{5, 9};
    for (const affine& x : all) expected = then{}(expected, x);
    const auto found = find_result<affine>(ranks, [&](int rank, ncclComm_t comm, affine* out, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      return distributed::all_reduce(comm, part.data(), part.size(), out, then{}, affine{5, 9}, how);
    });
    CHECK(found == expected);
  });
}

TEST_CASE("A result on one rank alone", "[distributed]") {
  for_all_parts<int>(small_number<int>, [&](rank_set& ranks, const auto& parts, const std::vector<int>& all) {
    const int root = ranks.size() / 2;
    const auto sums = ranks.make_outputs<int>(1);
    const auto most = ranks.make_outputs<gpuprim::extremum<int>>(1);
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      int* const out = rank == root ? sums[std::size_t(rank)]->data() : nullptr;
      return distributed::reduce(comm, root, part.data(), part.size(), out, gpuprim::plus{}, 100, how);
    });
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      auto* const out = most[std::size_t(rank)]->data();
      return distributed::reduce(comm, root, part.data(), part.size(), out, gpuprim::max_element, how);
    });
    CHECK(sums[std::size_t(root)]->download()[0] == std::accumulate(all.begin(), all.end(), 100));
    const auto found = most[std::size_t(root)]->download()[0];
    CHECK(found.position == std::max_element(all.begin(), all.end()) - all.begin());
    ranks.for_each([&](int rank) {
      if (rank != root) most[std::size_t(rank)]->check_untouched();
    });
  });
}

TEST_CASE("A transform and several results at once", "[distributed]") {
  for_all_parts<float>(small_number<float>, [&](rank_set& ranks, const auto& parts, const std::vector<float>& all) {
    float squares = 2;
    for (float x : all) squares += x * x;
    const auto found = find_result<float>(ranks, [&](int rank, ncclComm_t comm, float* out, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      const gpuprim::square<float> square;
      return distributed::transform_all_reduce(comm, part.data(), part.size(), out, gpuprim::plus{}, square, 2.0f, how);
    });
    CHECK(found == squares);
    using ends = gpuprim::tuple<gpuprim::extremum<float>, gpuprim::extremum<float>>;
    using results = gpuprim::tuple<float, ends, double>;
    const auto fused = find_result<results>(ranks, [&](int rank, ncclComm_t comm, results* out, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      const auto query = gpuprim::fused(gpuprim::plus<float>{}, gpuprim::minmax_element, gpuprim::norm_1);
      return distributed::all_reduce(comm, part.data(), part.size(), out, query, how);
    });
    const auto [least, greatest] = gpuprim::get<1>(fused);
    CHECK(gpuprim::get<0>(fused) == std::accumulate(all.begin(), all.end(), 0.0f));
    CHECK(least.position == std::min_element(all.begin(), all.end()) - all.begin());
    CHECK(greatest.position == std::max_element(all.begin(), all.end()) - all.begin());
    if (!all.empty()) CHECK(greatest.value == *std::max_element(all.begin(), all.end()));
    double magnitudes = 0;
    for (float x : all) magnitudes += std::fabs(x);
    CHECK(gpuprim::get<2>(fused) == magnitudes);
  });
}

TEST_CASE("Extrema of equal elements, of NaN alone and by an order", "[distributed]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto none = [&](std::int64_t) { return nan; };
  for_all_parts<float>(none, [&](rank_set& ranks, const auto& parts, const std::vector<float>& all) {
    const auto found = ranks.make_outputs<gpuprim::extremum<float>>(1);
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      return distributed::all_reduce(comm, part.data(), part.size(), found[std::size_t(rank)]->data(),
                                     gpuprim::min_element, how);
    });
    ranks.for_each(
        [&](int rank) { CHECK(found[std::size_t(rank)]->download()[0].position == std::int64_t(all.size())); });
  });
  const auto equal = [](std::int64_t i) { return int(i) % 100 < 50 ? 11 : 22; };
  for_all_parts<int>(equal, [&](rank_set& ranks, const auto& parts, const std::vector<int>& all) {
    const auto found =
        find_result<gpuprim::extremum<int>>(ranks, [&](int rank, ncclComm_t comm, auto* out, const auto& how) {
          const auto& part = parts[std::size_t(rank)];
          return distributed::all_reduce(comm, part.data(), part.size(), out, gpuprim::max_element.by(by_last_digit{}),
                                         how);
        });
    const auto expected = std::max_element(all.begin(), all.end(), by_last_digit{});
    CHECK(found.position == expected - all.begin());
  });
}

TEST_CASE("Statistics of the elements of all ranks", "[distributed]") {
  for_all_parts<float>(small_number<float>, [&](rank_set& ranks, const auto& parts, const std::vector<float>& all) {
    const auto found = ranks.make_outputs<gpuprim::moments>(1);
    const auto deviation = ranks.make_outputs<double>(1);
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      return distributed::all_reduce(comm, part.data(), part.size(), found[std::size_t(rank)]->data(),
                                     gpuprim::all_moments, how);
    });
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      return distributed::all_reduce(comm, part.data(), part.size(), deviation[std::size_t(rank)]->data(),
                                     gpuprim::standard_deviation, how);
    });
    const double n = double(all.size());
    const double mean = std::accumulate(all.begin(), all.end(), 0.0) / n;
    double sums[3] = {};
    for (float x : all) {
      for (int k = 0; k < 3; ++k) sums[k] += std::pow(x - mean, k + 2);
    }
    ranks.for_each([&](int rank) {
      const auto m = found[std::size_t(rank)]->download()[0];
      CHECK(m.count == n);
      if (n == 0) {
        CHECK(std::isnan(m.mean));
        CHECK(std::isnan(deviation[std::size_t(rank)]->download()[0]));
        return;
      }
      CHECK(std::fabs(m.mean - mean) <= 1e-12 * 30);
      for (int k = 0; k < 3; ++k) CHECK(std::fabs(m.sums[k] - sums[k]) <= 1e-10 * n * std::pow(30.0, k + 2));
      CHECK(std::fabs(deviation[std::size_t(rank)]->download()[0] - std::sqrt(sums[0] / n)) <= 1e-10);
    });
  });
}

TEST_CASE("Runs that go from one rank to the next", "[distributed]") {
  for (int length : {1, 7, 1000, 1 << 20}) {
    const auto make = [&](std::int64_t i) { return int(i / length); };
    for_all_parts<int>(make, [&](rank_set& ranks, const auto& parts, const std::vector<int>& all) {
      std::int64_t expected = 0;
      for (std::size_t i = 0; i < all.size(); ++i) expected += i == 0 || all[i] != all[i - 1];
      const auto found = find_result<std::int64_t>(ranks, [&](int rank, ncclComm_t comm, auto* out, const auto& how) {
        const auto& part = parts[std::size_t(rank)];
        return distributed::count_runs(comm, part.data(), part.size(), out, how);
      });
      CHECK(found == expected);
    });
  }
}

TEST_CASE("The workspace of calls across ranks is enough, and less is refused", "[distributed]") {
  const int count = test::rank_counts().back();
  const auto size = distributed::reduce_workspace_size<float>(5000, count, gpuprim::max_element);
  for (const bool is_enough : {true, false}) {
    rank_set ranks(count, is_enough ? size : gpuprim::workspace_size{size.zeroed_bytes, size.scratch_bytes - 1});
    const auto parts = ranks.make_parts<float>(std::vector<int>(std::size_t(count), 5000), small_number<float>);
    const auto found = ranks.make_outputs<gpuprim::extremum<float>>(1);
    gpuprim::distributed::group group;
    ranks.for_each([&](int rank) {
      const auto& part = parts[std::size_t(rank)];
      const cudaError_t error =
          distributed::all_reduce(ranks.comm(rank), part.data(), part.size(), found[std::size_t(rank)]->data(),
                                  gpuprim::max_element, ranks.options(rank, &group));
      CHECK(error == (is_enough ? cudaSuccess : cudaErrorInvalidValue));
    });
    CHECK(group.finish() == (is_enough ? cudaSuccess : cudaErrorInvalidValue));
    ranks.for_each([&](int rank) {
      CUDA_OK(cudaStreamSynchronize(ranks.stream(rank)));
      if (!is_enough) found[std::size_t(rank)]->check_untouched();
    });
  }
}

TEST_CASE("Groups of several threads exchange their results with each other", "[distributed][few_schedules][tsan]") {
  constexpr int n = 1000;
  const int count = test::rank_counts().back();
  rank_set ranks(count);
  const auto parts = ranks.make_parts<int>(std::vector<int>(std::size_t(count), n), small_number<int>);
  const auto sums = ranks.make_outputs<int>(1), scanned = ranks.make_outputs<int>(n);
  const auto drive = [&](int first, int end, cudaError_t* error) {
    distributed::group group;
    for (int rank = first; rank < end && *error == cudaSuccess; ++rank) {
      rank_set::enter(rank);
      const auto at = std::size_t(rank);
      const gpuprim::plus<> plus;
      const auto how = ranks.options(rank, &group);
      *error = distributed::all_reduce(ranks.comm(rank), parts[at].data(), n, sums[at]->data(), plus, how);
      if (*error != cudaSuccess) return;
      *error = distributed::inclusive_scan(ranks.comm(rank), parts[at].data(), n, scanned[at]->data(), plus, how);
    }
    if (*error == cudaSuccess) *error = group.finish();
  };
  cudaError_t of_first = cudaSuccess, of_others = cudaSuccess;
  std::thread first([&] { drive(0, (count + 1) / 2, &of_first); });
  drive((count + 1) / 2, count, &of_others);
  first.join();
  CUDA_OK(of_first);
  CUDA_OK(of_others);
  int before = 0;
  const std::vector<int> all = test::join_parts(parts);
  ranks.for_each([&](int rank) {
    CUDA_OK(cudaStreamSynchronize(ranks.stream(rank)));
    CHECK(sums[std::size_t(rank)]->download()[0] == std::accumulate(all.begin(), all.end(), 0));
    std::vector<int> expected(n);
    std::inclusive_scan(parts[std::size_t(rank)].host.begin(), parts[std::size_t(rank)].host.end(), expected.begin(),
                        std::plus<>{}, before);
    before = expected.back();
    CHECK(scanned[std::size_t(rank)]->download() == expected);
  });
}

TEST_CASE("Calls across one rank, in a graph that is launched again", "[distributed]") {
  rank_set ranks(1, {1 << 20, 1 << 16});
  const auto parts = ranks.make_parts<int>({4000}, small_number<int>);
  const auto sum = ranks.make_outputs<int>(1);
  const auto most = ranks.make_outputs<gpuprim::extremum<int>>(1);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_OK(cudaStreamBeginCapture(ranks.stream(0), cudaStreamCaptureModeThreadLocal));
  const auto& part = parts[0];
  CUDA_OK(distributed::all_reduce(ranks.comm(0), part.data(), part.size(), sum[0]->data(), gpuprim::plus{}, 7,
                                  ranks.options(0)));
  CUDA_OK(distributed::all_reduce(ranks.comm(0), part.data(), part.size(), most[0]->data(), gpuprim::max_element,
                                  ranks.options(0)));
  CUDA_OK(cudaStreamEndCapture(ranks.stream(0), &graph));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int shift : {0, 5}) {
    std::vector<int> values = part.host;
    for (int& x : values) x += shift;
    part.array->upload(values);
    CUDA_OK(cudaGraphLaunch(executable, ranks.stream(0)));
    CUDA_OK(cudaStreamSynchronize(ranks.stream(0)));
    CHECK(sum[0]->download()[0] == std::accumulate(values.begin(), values.end(), 7));
    CHECK(most[0]->download()[0].value == *std::max_element(values.begin(), values.end()));
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}
