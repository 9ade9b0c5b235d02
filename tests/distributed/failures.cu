// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/ranks.cuh"

#include <cmath>
#include <string>

#if defined(SIMT_DEVICE)
#include <thread>
#endif

namespace {

namespace distributed = gpuprim::distributed;
using test::last_fault_says, test::rank_set;

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

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
  CHECK(distributed::count_runs(none, in, 100, static_cast<int*>(nullptr), how) == cudaErrorInvalidValue);
  CHECK(last_fault_says("the communicator is null"));
  CHECK(distributed::count_runs(comm, in, 100, static_cast<int*>(nullptr), how) == cudaErrorInvalidValue);
  CHECK(last_fault_says("the output is a null pointer"));
  sum[0]->check_untouched();
}

/// Scans of one rank that are refused: at once, and in a group too, whose finish says so once.
TEST_CASE("A scan that cannot be made is refused before the other ranks are waited for", "[distributed]") {
  constexpr int n = 100000;
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({n}, [](std::int64_t i) { return int(i); });
  const auto out = ranks.make_outputs<int>(n), total = ranks.make_outputs<int>(1);
  int* const in = parts[0].data();
  int* const none = nullptr;
  const auto refuses = [&](const auto& to, std::int64_t count, const char* words, gpuprim::workspace* workspace) {
    distributed::group group;
    for (distributed::group* g : {static_cast<distributed::group*>(nullptr), &group}) {
      const distributed::options how{ranks.stream(0), workspace, g};
      CHECK(distributed::exclusive_scan(ranks.comm(0), in, count, to, gpuprim::plus<>{}, how) == cudaErrorInvalidValue);
      CHECK(last_fault_says(words));
      CHECK(distributed::inclusive_scan(ranks.comm(0), in, count, to, gpuprim::plus<>{}, how) == cudaErrorInvalidValue);
      CHECK(last_fault_says(words));
    }
    CHECK(group.finish() == cudaErrorInvalidValue);
    CHECK(last_fault_says(words));
    CUDA_OK(group.finish());
    out[0]->check_untouched();
    total[0]->check_untouched();
  };
  const auto size = distributed::scan_workspace_size<int>(n, 1);
  gpuprim::workspace without_zeroed({0, size.scratch_bytes}), without_scratch({size.zeroed_bytes, 0});
  const auto all = gpuprim::with_total(out[0]->data(), total[0]->data());
  refuses(gpuprim::with_total(none, total[0]->data()), n, "null pointer", nullptr);
  refuses(none, n, "null pointer", nullptr);
  refuses(all, -1, "the count is negative", nullptr);
  refuses(out[0]->data(), -1, "the count is negative", nullptr);
  refuses(all, n, "workspace is too small", &without_zeroed);
  refuses(out[0]->data(), n, "workspace is too small", &without_zeroed);
  refuses(all, n, "workspace is too small", &without_scratch);
  refuses(in + 1, n, "the output overlaps the input", nullptr);
  refuses(gpuprim::with_total(out[0]->data(), in), n, "the total lies in the input", nullptr);
  refuses(gpuprim::with_total(out[0]->data(), out[0]->data() + 5), n, "the total lies in the output", nullptr);
  parts[0].array->check_unchanged();
}

TEST_CASE("Calls of a group do not share scratch memory", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto most = ranks.make_outputs<gpuprim::extremum<int>>(2);
  gpuprim::workspace shared(distributed::reduce_workspace_size<int>(100, 1, gpuprim::max_element));
  distributed::group group;
  const distributed::options how{ranks.stream(0), &shared, &group};
  gpuprim::extremum<int>* const out = most[0]->data();
  CUDA_OK(distributed::all_reduce(ranks.comm(0), parts[0].data(), 100, out, gpuprim::max_element, how));
  CHECK(distributed::all_reduce(ranks.comm(0), parts[0].data(), 50, out + 1, gpuprim::max_element, how) ==
        cudaErrorInvalidValue);
  CHECK(last_fault_says("another call of the group holds the workspace"));
  CHECK(group.finish() == cudaErrorInvalidValue);
  CHECK(last_fault_says("another call of the group holds the workspace"));
  for (const auto& [n, to] : {std::pair{100, out}, {50, out + 1}}) {
    CUDA_OK(distributed::all_reduce(ranks.comm(0), parts[0].data(), n, to, gpuprim::max_element, how));
    CUDA_OK(group.finish());
  }
  const auto found = most[0]->download();
  CHECK(found[0] == gpuprim::extremum<int>{99, 99});
  CHECK(found[1] == gpuprim::extremum<int>{49, 49});
}

TEST_CASE("A wait that cannot begin leaves the communicator as it is", "[distributed]") {
  rank_set ranks(1);
  const auto parts = ranks.make_parts<int>({100}, [](std::int64_t i) { return int(i); });
  const auto sum = ranks.make_outputs<int>(1);
  ncclComm_t& comm = ranks.comm(0);
  CHECK(distributed::wait(comm, ranks.stream(0), std::nan("")) == cudaErrorInvalidValue);
  CHECK(last_fault_says("not a number"));
  REQUIRE(comm != nullptr);
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(ranks.stream(0), cudaStreamCaptureModeThreadLocal));
  const cudaError_t called =
      distributed::all_reduce(comm, parts[0].data(), 100, sum[0]->data(), gpuprim::plus{}, ranks.options(0));
  const cudaError_t waited = distributed::wait(comm, ranks.stream(0), 1);
  CUDA_OK(cudaStreamEndCapture(ranks.stream(0), &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(called);
  CHECK(waited == cudaErrorStreamCaptureUnsupported);
  CHECK(last_fault_says("captured into a graph"));
  REQUIRE(comm != nullptr);
#if defined(SIMT_DEVICE)
  CHECK(distributed::wait(comm, reinterpret_cast<cudaStream_t>(&graph), 1) == cudaErrorInvalidResourceHandle);
  CHECK(last_fault_says("this is no stream"));
  nccl_stand_in::move_to_device(comm, 1);
  CHECK(distributed::wait(comm, ranks.stream(0), 1) == cudaErrorInvalidDevice);
  CHECK(distributed::all_reduce(comm, parts[0].data(), 100, sum[0]->data(), gpuprim::plus{}, ranks.options(0)) ==
        cudaErrorInvalidDevice);
  CHECK(last_fault_says("not that of the communicator"));
  nccl_stand_in::move_to_device(comm, 0);
#endif
  REQUIRE(comm != nullptr);
  (void)cudaGetLastError();
  CUDA_OK(distributed::all_reduce(comm, parts[0].data(), 100, sum[0]->data(), gpuprim::plus{}, ranks.options(0)));
  CUDA_OK(distributed::wait(comm, ranks.stream(0), 10));
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(sum[0]->download()[0] == 4950);
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

TEST_CASE("Ranks that are threads of their own", "[distributed]") {
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

TEST_CASE("A group of which a call was refused does not wait for the rank that is missing", "[distributed]") {
  rank_set ranks(2);
  const auto parts = ranks.make_parts<int>({100, 100}, [](std::int64_t i) { return int(i); });
  const auto sums = ranks.make_outputs<int>(100);
  const auto bins = ranks.make_outputs<unsigned>(10);
  const auto places = ranks.make_outputs<distributed::selected_part>(1);
  const gpuprim::plus<> plus;
  distributed::group group;
  const auto call_each = [&](const auto& call, std::int64_t n_of_last) {
    std::vector<cudaError_t> made;
    ranks.for_each([&](int rank) {
      const auto at = std::size_t(rank);
      made.push_back(call(rank, parts[at].data(), rank == 0 ? 100 : n_of_last, at, ranks.options(rank, &group)));
    });
    return made;
  };
  const auto check = [&](const auto& call) {
    CHECK(call_each(call, -1) == std::vector{cudaSuccess, cudaErrorInvalidValue});
    CHECK(group.finish() == cudaErrorInvalidValue);
    CHECK(call_each(call, 100) == std::vector{cudaSuccess, cudaSuccess});
    CUDA_OK(group.finish());
  };
  check([&](int rank, const int* in, std::int64_t n, std::size_t at, const auto& how) {
    return distributed::histogram(ranks.comm(rank), in, n, bins[at]->data(), gpuprim::even_bins{10, 0, 200}, how);
  });
  check([&](int rank, const int* in, std::int64_t n, std::size_t at, const auto& how) {
    return distributed::select_if(ranks.comm(rank), in, n, sums[at]->data(), places[at]->data(), is_odd{}, how);
  });
  check([&](int rank, const int* in, std::int64_t n, std::size_t at, const auto& how) {
    return distributed::inclusive_scan(ranks.comm(rank), in, n, sums[at]->data(), plus, how);
  });
  check([&](int rank, const int* in, std::int64_t n, std::size_t at, const auto& how) {
    return distributed::all_reduce(ranks.comm(rank), in, n, sums[at]->data(), plus, how);
  });
  ranks.for_each([&](int rank) {
    CUDA_OK(cudaStreamSynchronize(ranks.stream(rank)));
    CHECK(sums[std::size_t(rank)]->download()[0] == 199 * 100);
  });
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

TEST_CASE("A call waits for a communicator that is in progress", "[distributed]") {
  rank_set ranks(1);
  const test::device_array<int> in(std::vector<int>(100, 3)), out(1);
  for (int root : {0, 1}) {
    nccl_stand_in::delay_next_call(ranks.comm(0), 5);
    CHECK(ncclAllReduce(in.data(), out.data(), 1, ncclInt32, ncclSum, ranks.comm(0), ranks.stream(0)) ==
          ncclInProgress);
    CHECK(distributed::reduce(ranks.comm(0), root, in.data(), 100, out.data(), gpuprim::plus{}, ranks.options(0)) ==
          (root == 0 ? cudaSuccess : cudaErrorInvalidValue));
    CUDA_OK(cudaStreamSynchronize(ranks.stream(0)));
    CHECK(out.download()[0] == (root == 0 ? 300 : 3));
  }
  CHECK(last_fault_says("the root is no rank"));
}

TEST_CASE("A wait does not end before a communicator has enqueued its work", "[distributed]") {
  rank_set ranks(1);
  const test::device_array<int> in(std::vector<int>(1, 7)), out(1);
  for (double seconds : {60.0, 0.0}) {
    nccl_stand_in::delay_next_call(ranks.comm(0), seconds > 0 ? 50 : 1 << 30);
    CHECK(ncclAllReduce(in.data(), out.data(), 1, ncclInt32, ncclSum, ranks.comm(0), ranks.stream(0)) ==
          ncclInProgress);
    CHECK(distributed::wait(ranks.comm(0), ranks.stream(0), seconds) == (seconds > 0 ? cudaSuccess : cudaErrorTimeout));
    ncclResult_t state = ncclSuccess;
    if (seconds > 0) NCCL_OK(ncclCommGetAsyncError(ranks.comm(0), &state));
    CHECK(state == ncclSuccess);
  }
  CHECK(ranks.comm(0) == nullptr);
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
