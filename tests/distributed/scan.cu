// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

namespace {

namespace distributed = gpuprim::distributed;
using test::rank_set;

/// Joins to the later of two, but counts both: associative, does not commute, and has no identity.
struct tagged {
  int last, count;
  friend bool operator==(const tagged&, const tagged&) = default;
};
struct keep_last {
  __host__ __device__ tagged operator()(tagged a, tagged b) const { return {b.last, a.count + b.count}; }
};

/// An output that is no pointer, and gives no reference to a number.
struct doubling_output {
  std::int64_t* to;
  __host__ __device__ const doubling_output& operator*() const { return *this; }
  __host__ __device__ void operator=(int value) const { *to = 2 * std::int64_t(value); }
};

/// The outputs of all ranks behind each other.
template <class T>
std::vector<T> collect(const std::vector<std::unique_ptr<test::device_array<T>>>& outputs) {
  std::vector<T> all;
  for (const auto& own : outputs) {
    own->check_guards();
    const auto part = own->download();
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

template <class T>
std::vector<std::unique_ptr<test::device_array<T>>> outputs_like(rank_set& ranks, const std::vector<int>& sizes) {
  std::vector<std::unique_ptr<test::device_array<T>>> outputs;
  ranks.for_each([&](int rank) {
    outputs.push_back(std::make_unique<test::device_array<T>>(std::size_t(sizes[std::size_t(rank)])));
  });
  return outputs;
}

/// Calls go(ranks, sizes) for all numbers of ranks and sizes of parts.
template <class Go>
void for_all_sizes(const Go& go) {
  for (int count : test::rank_counts()) {
    rank_set ranks(count, distributed::scan_workspace_size<tagged, tagged>(10000, count));
    for (const auto& sizes : test::part_sizes(count)) {
      CAPTURE(count, sizes);
      go(ranks, sizes);
    }
  }
}

}  // namespace

TEST_CASE("Scans of the elements of all ranks, with the total", "[distributed][few_schedules][tsan]") {
  for_all_sizes([&](rank_set& ranks, const std::vector<int>& sizes) {
    const auto parts = ranks.make_parts<int>(sizes, [](std::int64_t i) { return int(i * 37 % 23) - 7; });
    const auto all = test::join_parts(parts);
    const auto before = outputs_like<std::int64_t>(ranks, sizes), up_to = outputs_like<std::int64_t>(ranks, sizes);
    const auto from_ten = outputs_like<std::int64_t>(ranks, sizes);
    const auto totals = ranks.make_outputs<std::int64_t>(1);
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto own = std::size_t(rank);
      const auto out = gpuprim::with_total(before[own]->data(), totals[own]->data());
      return distributed::exclusive_scan<std::int64_t>(comm, parts[own].data(), parts[own].size(), out, gpuprim::plus{},
                                                       std::int64_t{10}, how);
    });
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto own = std::size_t(rank);
      return distributed::inclusive_scan<std::int64_t>(comm, parts[own].data(), parts[own].size(), up_to[own]->data(),
                                                       gpuprim::plus{}, how);
    });
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto own = std::size_t(rank);
      return distributed::inclusive_scan(comm, parts[own].data(), parts[own].size(), from_ten[own]->data(),
                                         gpuprim::plus{}, std::int64_t{10}, how);
    });
    std::vector<std::int64_t> expected_before, expected_up_to, expected_from_ten;
    std::int64_t sum = 0;
    for (int x : all) {
      expected_before.push_back(sum + 10);
      expected_up_to.push_back(sum += x);
      expected_from_ten.push_back(sum + 10);
    }
    CHECK(collect(before) == expected_before);
    CHECK(collect(up_to) == expected_up_to);
    CHECK(collect(from_ten) == expected_from_ten);
    for (const auto& total : totals) CHECK(total->download()[0] == sum + 10);
  });
}

TEST_CASE("Scans by an operator without an identity, in place", "[distributed]") {
  for_all_sizes([&](rank_set& ranks, const std::vector<int>& sizes) {
    const auto make = [](std::int64_t i) { return tagged{int(i), 1}; };
    const auto parts = ranks.make_parts<tagged>(sizes, make), others = ranks.make_parts<tagged>(sizes, make);
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto& part = parts[std::size_t(rank)];
      return distributed::inclusive_scan(comm, part.data(), part.size(), part.data(), keep_last{}, how);
    });
    ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
      const auto& part = others[std::size_t(rank)];
      return distributed::exclusive_scan(comm, part.data(), part.size(), part.data(), keep_last{}, tagged{-1, 100},
                                         how);
    });
    int i = 0;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
      const auto up_to = parts[rank].array->download(), before = others[rank].array->download();
      for (std::size_t k = 0; k < up_to.size(); ++k, ++i) {
        if (!(up_to[k] == tagged{i, i + 1})) FAIL_CHECK("inclusive at " << i);
        if (!(before[k] == tagged{i - 1, i + 100})) FAIL_CHECK("exclusive at " << i);
      }
    }
  });
}

TEST_CASE("A scan from the identity, without a workspace and without a group", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<float>({777}, [](std::int64_t i) { return float(i % 5); });
  const auto out = outputs_like<float>(ranks, {777});
  CUDA_OK(distributed::exclusive_scan(ranks.comm(0), parts[0].data(), 777, out[0]->data(), gpuprim::plus{},
                                      ranks.options(0)));
  CUDA_OK(cudaStreamSynchronize(ranks.stream(0)));
  std::vector<float> expected;
  float sum = 0;
  for (float x : parts[0].host) {
    expected.push_back(sum);
    sum += x;
  }
  CHECK(out[0]->download() == expected);
}

TEST_CASE("The total of a scan across ranks goes to an output that is no pointer", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({150}, [](std::int64_t) { return 1; });
  const auto out = ranks.make_outputs<int>(150);
  const auto totals = ranks.make_outputs<std::int64_t>(1);
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    const auto own = std::size_t(rank);
    const auto to = gpuprim::with_total(out[own]->data(), doubling_output{totals[own]->data()});
    return distributed::inclusive_scan(comm, parts[own].data(), parts[own].size(), to, gpuprim::plus{}, how);
  });
  for (const auto& own : totals) CHECK(own->download()[0] == 300);
}
