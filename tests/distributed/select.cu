// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

namespace {

namespace distributed = gpuprim::distributed;
using test::rank_set;

struct is_wanted {
  __host__ __device__ bool operator()(std::int64_t x) const { return x % 3 == 1; }
};

}  // namespace

TEST_CASE("What all ranks select, and where each rank's part stands", "[distributed][few_schedules][tsan]") {
  for (int count : test::rank_counts()) {
    rank_set ranks(count, distributed::select_workspace_size<int>(20000, count));
    for (const auto& sizes : test::part_sizes(count)) {
      CAPTURE(count, sizes);
      const auto parts = ranks.make_parts<int>(sizes, [](std::int64_t i) { return int(i * 31 % 1009); });
      const auto places = ranks.make_outputs<distributed::selected_part>(1);
      const auto kept = ranks.make_outputs<int>(20000);
      ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
        const auto own = std::size_t(rank);
        return distributed::select_if(comm, parts[own].data(), parts[own].size(), kept[own]->data(),
                                      places[own]->data(), is_wanted{}, how);
      });
      std::int64_t offset = 0;
      std::vector<std::vector<int>> expected;
      for (const auto& part : parts) {
        expected.emplace_back();
        std::copy_if(part.host.begin(), part.host.end(), std::back_inserter(expected.back()), is_wanted{});
        offset += std::int64_t(expected.back().size());
      }
      const std::int64_t total = offset;
      offset = 0;
      for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const auto place = places[rank]->download()[0];
        const auto own = std::int64_t(expected[rank].size());
        CHECK(place.count == own);
        CHECK(place.offset == offset);
        CHECK(place.total == total);
        auto found = kept[rank]->download();
        found.resize(std::size_t(own));
        CHECK(found == expected[rank]);
        places[rank]->check_guards();
        parts[rank].array->check_unchanged();
        offset += own;
      }
    }
  }
}

TEST_CASE("The histogram of the samples of all ranks", "[distributed]") {
  constexpr int bins = 50;
  const auto check = [&]<class Counter>() {
    for (int count : test::rank_counts()) {
      rank_set ranks(count, distributed::histogram_workspace_size);
      for (const auto& sizes : test::part_sizes(count)) {
        CAPTURE(count, sizes, sizeof(Counter));
        const auto parts = ranks.make_parts<float>(sizes, [](std::int64_t i) { return float(i * 7 % 110) - 5; });
        const auto counts = ranks.make_outputs<Counter>(bins);
        ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
          const auto own = std::size_t(rank);
          const gpuprim::even_bins even{bins, 0.0f, 100.0f};
          return distributed::histogram(comm, parts[own].data(), parts[own].size(), counts[own]->data(), even, how);
        });
        std::vector<Counter> expected(bins);
        for (float x : test::join_parts(parts)) {
          if (x >= 0 && x < 100) ++expected[std::size_t(x / 2)];
        }
        for (const auto& own : counts) {
          CHECK(own->download() == expected);
          own->check_guards();
        }
      }
    }
  };
  check.operator()<unsigned>();
  check.operator()<unsigned long long>();
}

TEST_CASE("A part that lies in the input of a select is refused, and nothing is written", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<std::int64_t>({100}, [](std::int64_t i) { return i; });
  const auto kept = ranks.make_outputs<std::int64_t>(100);
  auto* const part = reinterpret_cast<distributed::selected_part*>(parts[0].data() + 10);
  CHECK(distributed::select_if(ranks.comm(0), parts[0].data(), 100, kept[0]->data(), part, is_wanted{},
                               ranks.options(0)) == cudaErrorInvalidValue);
  CHECK(std::string(gpuprim::last_fault()) == "the part lies in the input");
  CUDA_OK(cudaStreamSynchronize(ranks.stream(0)));
  parts[0].array->check_unchanged();
  kept[0]->check_untouched();
}
