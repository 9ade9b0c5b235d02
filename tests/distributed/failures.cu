// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

#include <string>

#if defined(SIMT_DEVICE)
#include <thread>
#endif

namespace {

namespace distributed = gpuprim::distributed;
using test::rank_set;

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

bool last_fault_says(const char* words) { return std::string(gpuprim::last_fault()).find(words) != std::string::npos; }

}  // namespace

TEST_CASE("A call that cannot be made is refused before anything is done", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto sum = ranks.make_outputs<int>(1);
  const int* const in = parts[0].data();
  int* const out = sum[0]->data();
  const gpuprim::plus<> plus;
  const auto how = ranks.options(0);
  CHECK(distributed::all_reduce(nullptr, in, 100, out, plus, how) == cudaErrorInvalidValue);
  CHECK(last_fault_says("the communicator is null"));
  ncclComm_t comm = ranks.comm(0);
  CHECK(distributed::all_reduce(comm, in, -1, out, plus, how) == cudaErrorInvalidValue);
  CHECK(last_fault_says("the count is negative"));
  CHECK(distributed::all_reduce(comm, static_cast<const int*>(nullptr), 5, out, plus, how) == cudaErrorInvalidValue);
  CHECK(last_fault_says("null pointer"));
  CHECK(distributed::all_reduce(comm, in, 100, static_cast<int*>(nullptr), plus, how) == cudaErrorInvalidValue);
  CHECK(distributed::reduce(comm, 1, in, 100, out, plus, how) == cudaErrorInvalidValue);
  CHECK(last_fault_says("the root is no rank"));
  CHECK(distributed::all_reduce<int>(comm, in, 100, out, plus, 0.5, how) == cudaErrorInvalidValue);
  CHECK(last_fault_says("initial value"));
  CHECK(distributed::select_if(comm, in, 100, out, nullptr, is_odd{}, how) == cudaErrorInvalidValue);
  CHECK(distributed::histogram(comm, in, 100, static_cast<unsigned*>(nullptr), gpuprim::even_bins{5, 0, 10}, how) ==
        cudaErrorInvalidValue);
  CHECK(distributed::exclusive_scan(comm, in, -5, out, plus, how) == cudaErrorInvalidValue);
  ncclComm_t none = nullptr;
  CHECK(distributed::wait(none, nullptr, 1) == cudaErrorInvalidValue);
  sum[0]->check_untouched();
}

TEST_CASE("A group that is dropped leaves its outputs alone", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto most = ranks.make_outputs<gpuprim::extremum<int>>(1);
  {
    distributed::group group;
    CUDA_OK(group.finish());  // of no calls
    CUDA_OK(distributed::all_reduce(ranks.comm(0), parts[0].data(), 100, most[0]->data(), gpuprim::max_element,
                                    ranks.options(0, &group)));
  }
  most[0]->check_untouched();
}

TEST_CASE("A wait ends where all is done", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto sum = ranks.make_outputs<int>(1);
  CUDA_OK(
      distributed::all_reduce(ranks.comm(0), parts[0].data(), 100, sum[0]->data(), gpuprim::plus{}, ranks.options(0)));
  CUDA_OK(distributed::wait(ranks.comm(0), ranks.stream(0), 10));
  CHECK(ranks.comm(0) != nullptr);
  CHECK(sum[0]->download()[0] == 4950);
}

#if defined(SIMT_DEVICE)

TEST_CASE("Ranks that are threads of their own", "[distributed][few_schedules]") {
  constexpr int count = 3, n = 500;
  ncclUniqueId id;
  NCCL_OK(ncclGetUniqueId(&id));
  std::vector<int> ones(n, 1);
  std::vector<std::unique_ptr<test::device_array<int>>> in, out;
  for (int rank = 0; rank < count; ++rank) {
    in.push_back(std::make_unique<test::device_array<int>>(ones));
    out.push_back(std::make_unique<test::device_array<int>>(1));
  }
  std::vector<cudaError_t> errors(count, cudaErrorUnknown);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ncclComm_t comm = nullptr;
      if (ncclCommInitRank(&comm, count, id, rank) != ncclSuccess) return;
      const auto own = std::size_t(rank);
      errors[own] = distributed::all_reduce(comm, in[own]->data(), n - rank, out[own]->data(), gpuprim::plus{});
      (void)ncclCommDestroy(comm);
    });
  }
  for (auto& thread : threads) thread.join();
  for (int rank = 0; rank < count; ++rank) {
    CHECK(errors[std::size_t(rank)] == cudaSuccess);
    CHECK(out[std::size_t(rank)]->download()[0] == 3 * n - 3);
  }
}

TEST_CASE("A communicator that has failed is refused, and a wait aborts it", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({100, 100}, [](std::int64_t i) { return int(i); });
  const auto sum = ranks.make_outputs<int>(1);
  nccl_stand_in::break_communicator(ranks.comm(0), ncclRemoteError);
  for (int rank : {0, 1}) {
    CHECK(distributed::all_reduce(ranks.comm(rank), parts[0].data(), 100, sum[0]->data(), gpuprim::plus{},
                                  ranks.options(rank)) == cudaErrorUnknown);
    CHECK(last_fault_says("another rank failed"));
  }
  CHECK(distributed::wait(ranks.comm(0), ranks.stream(0), 1) == cudaErrorUnknown);
  CHECK(last_fault_says("another rank failed"));
  CHECK(ranks.comm(0) == nullptr);
  sum[0]->check_untouched();
}

TEST_CASE("A communicator that does not block", "[distributed]") {
  for (int questions : {1, 2, 50}) {
    rank_set ranks(2);
    const auto parts = ranks.make_parts<int>({100, 200}, [](std::int64_t i) { return int(i); });
    const auto most = ranks.make_outputs<gpuprim::extremum<int>>(1);
    nccl_stand_in::delay_next_call(ranks.comm(0), questions);
    ranks.call([&](int rank, ncclComm_t comm, const distributed::options& how) {
      const auto own = std::size_t(rank);
      return distributed::all_reduce(comm, parts[own].data(), parts[own].size(), most[own]->data(),
                                     gpuprim::max_element, how);
    });
    for (const auto& own : most) CHECK(own->download()[0] == gpuprim::extremum<int>{299, 299});
  }
}

TEST_CASE("Calls that differ between ranks break the communicator", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({100, 100}, [](std::int64_t i) { return int(i); });
  const auto sum = ranks.make_outputs<int>(1);
  const auto most = ranks.make_outputs<gpuprim::extremum<int>>(1);
  distributed::group group;
  CUDA_OK(distributed::all_reduce(ranks.comm(0), parts[0].data(), 100, sum[0]->data(), gpuprim::plus{},
                                  ranks.options(0, &group)));
  CUDA_OK(distributed::all_reduce(ranks.comm(1), parts[1].data(), 100, most[1]->data(), gpuprim::max_element,
                                  ranks.options(1, &group)));
  (void)group.finish();
  CHECK(distributed::all_reduce(ranks.comm(0), parts[0].data(), 100, sum[0]->data(), gpuprim::plus{},
                                ranks.options(0)) == cudaErrorInvalidValue);
  CHECK(last_fault_says("not allowed"));
}

#endif
