// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that is not there: every call of the others ends with an error, in bounded time.
#include "../support/ranks.cuh"

#include <gpuprim/distributed/matrix_reduce.cuh>
#include <gpuprim/distributed/reduce_by_key.cuh>
#include <gpuprim/distributed/segmented_reduce.cuh>
#include <gpuprim/distributed/sort.cuh>
#include <gpuprim/distributed/top_k.cuh>
#include <gpuprim/distributed/unique.cuh>

#if defined(SIMT_DEVICE)
#include "../../examples/distributed/world.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

namespace {

namespace distributed = gpuprim::distributed;
using test::last_fault_says;

constexpr int n = 100;
/// How long a call may wait for the others, and what no machine takes longer for.
constexpr double patience_s = 0.02, bound_s = 30;

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
/// Joins to the later of two: no operator of NCCL, and without an identity.
struct keep_last {
  __host__ __device__ int operator()(int, int b) const { return b; }
};

/// Ranks whose communicators do not block, as those of processes are to be made.
class patient_ranks {
 public:
  explicit patient_ranks(int ranks) : comms_(std::size_t(ranks)) {
    ncclUniqueId id;
    NCCL_OK(ncclGetUniqueId(&id));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const ncclResult_t made = ncclCommInitRankConfig(&comms_[std::size_t(rank)], ranks, id, rank, &config);
      REQUIRE((made == ncclSuccess || made == ncclInProgress));
    }
  }
  patient_ranks(const patient_ranks&) = delete;
  patient_ranks& operator=(const patient_ranks&) = delete;
  ~patient_ranks() {
    for (ncclComm_t comm : comms_) {
      if (comm != nullptr) (void)ncclCommAbort(comm);
    }
  }
  ncclComm_t& comm(int rank) { return comms_[std::size_t(rank)]; }

 private:
  std::vector<ncclComm_t> comms_;
};

/// What a rank's calls read and write.
struct rank_memory {
  test::device_array<int> in{std::vector<int>(n, 1)}, offsets{std::vector<int>{0, 10, n}};
  test::device_array<int> out{std::size_t(n)}, values{std::size_t(n)};
  test::device_array<std::int64_t> places{std::size_t(n)};
  test::device_array<unsigned> bins{10};
  test::device_array<distributed::selected_part> part{1};
};

/// Every call, as go(name, call): call(communicator, memory, options) makes it.
template <class Go>
void for_each_call(const Go& go) {
  const gpuprim::plus<> plus;
  using memory = rank_memory;
  using options = distributed::options;
  go("all_reduce", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::all_reduce(comm, m.in.data(), n, m.out.data(), plus, how);
  });
  go("all_reduce of records", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::all_reduce(comm, m.in.data(), n, m.out.data(), keep_last{}, 0, how);
  });
  go("all_reduce, reproducible", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::all_reduce(gpuprim::reproducible, comm, m.in.data(), n, m.out.data(), plus, how);
  });
  go("reduce", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::reduce(comm, 0, m.in.data(), n, m.out.data(), plus, how);
  });
  go("transform_reduce", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::transform_reduce(comm, 1, m.in.data(), n, m.out.data(), plus, is_odd{}, 0, how);
  });
  go("transform_all_reduce", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::transform_all_reduce(comm, m.in.data(), n, m.out.data(), plus, is_odd{}, 0, how);
  });
  go("exclusive_scan", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::exclusive_scan(comm, m.in.data(), n, m.out.data(), plus, how);
  });
  go("inclusive_scan", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::inclusive_scan(comm, m.in.data(), n, m.out.data(), plus, how);
  });
  go("histogram", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::histogram(comm, m.in.data(), n, m.bins.data(), gpuprim::even_bins{10, 0, 20}, how);
  });
  go("select_if", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::select_if(comm, m.in.data(), n, m.out.data(), m.part.data(), is_odd{}, how);
  });
  go("count_runs", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::count_runs(comm, m.in.data(), n, m.out.data(), how);
  });
  go("unique", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::unique(comm, m.in.data(), n, m.out.data(), m.part.data(), how);
  });
  go("reduce_by_key", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::reduce_by_key(comm, m.in.data(), m.in.data(), n, m.out.data(), m.values.data(), m.part.data(),
                                      plus, how);
  });
  go("segmented_reduce", [=](ncclComm_t comm, memory& m, const options& how) {
    const distributed::rank_segments where{m.offsets.data()};
    return distributed::segmented_reduce(comm, m.in.data(), n, where, 2, m.out.data(), plus, how);
  });
  go("row_reduce", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::row_reduce(comm, m.in.data(), 10, 10, m.out.data(), plus, how);
  });
  go("column_reduce of what NCCL cannot join", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::column_reduce(comm, m.in.data(), 10, 10, m.out.data(), keep_last{}, 0, how);
  });
  go("top_k", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::top_k(comm, m.in.data(), n, 5, m.out.data(), gpuprim::largest, how);
  });
  go("top_k_pairs", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::top_k_pairs(comm, m.in.data(), m.in.data(), n, 5, m.out.data(), m.values.data(),
                                    gpuprim::largest, how);
  });
  go("top_k_positions", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::top_k_positions(comm, m.in.data(), n, 5, m.out.data(), m.places.data(), gpuprim::largest, how);
  });
  go("sort", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::sort(comm, m.in.data(), n, m.out.data(), how);
  });
  go("sort_pairs", [=](ncclComm_t comm, memory& m, const options& how) {
    return distributed::sort_pairs(comm, m.in.data(), m.in.data(), n, m.out.data(), m.values.data(), how);
  });
}

/// Checks that a call of rank 0 ends as expected and in time.
template <class Call>
void check_end(const Call& call, cudaError_t expected, const char* words) {
  const double begin = gpuprim::detail::read_clock();
  CHECK(call() == expected);
  CHECK(gpuprim::detail::read_clock() - begin < bound_s);
  CHECK(last_fault_says(words));
}

/// What an example of a program says where its ranks do not meet.
template <class Go>
std::string words_of(const Go& go) {
  try {
    go();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("Every call ends where another rank does not make it", "[distributed]") {
  for_each_call([](const std::string& name, const auto& call) {
    CAPTURE(name);
    patient_ranks ranks(2);
    rank_memory own;
    check_end([&] { return call(ranks.comm(0), own, {.seconds = patience_s}); }, cudaErrorTimeout, "took too long");
    // The communicator is of no use afterwards, and says so at once or as late.
    check_end([&] { return call(ranks.comm(0), own, {.seconds = patience_s}); }, cudaErrorTimeout, "took too long");
    CHECK(distributed::wait(ranks.comm(0), nullptr, patience_s) == cudaErrorTimeout);
    CHECK(ranks.comm(0) == nullptr);
    check_end([&] { return call(ranks.comm(0), own, {}); }, cudaErrorInvalidValue, "the communicator is null");
  });
}

TEST_CASE("Every call ends where another rank has given its communicator up", "[distributed]") {
  for_each_call([](const std::string& name, const auto& call) {
    CAPTURE(name);
    patient_ranks ranks(2);
    rank_memory own;
    CHECK(ncclCommAbort(std::exchange(ranks.comm(1), nullptr)) == ncclSuccess);
    check_end([&] { return call(ranks.comm(0), own, {.seconds = patience_s}); }, cudaErrorTimeout, "took too long");
  });
}

TEST_CASE("Every call of a group ends where another rank does not make it", "[distributed]") {
  for_each_call([](const std::string& name, const auto& call) {
    CAPTURE(name);
    patient_ranks ranks(3);
    rank_memory first, second;
    distributed::group group;
    CUDA_OK(call(ranks.comm(0), first, {.group = &group, .seconds = patience_s}));
    CUDA_OK(call(ranks.comm(1), second, {.group = &group, .seconds = patience_s}));
    check_end([&] { return group.finish(); }, cudaErrorTimeout, "took too long");
  });
}

TEST_CASE("Every call ends where the process of another rank has ended", "[distributed]") {
  for_each_call([](const std::string& name, const auto& call) {
    CAPTURE(name);
    patient_ranks ranks(2);
    rank_memory own;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      nccl_stand_in::break_communicator(ranks.comm(1), ncclRemoteError);
    });
    check_end([&] { return call(ranks.comm(0), own, {.seconds = bound_s}); }, cudaErrorUnknown, "another rank failed");
    other.join();
    check_end([&] { return call(ranks.comm(0), own, {.seconds = bound_s}); }, cudaErrorUnknown, "another rank failed");
  });
}

TEST_CASE("Every call ends where the call of another rank was refused", "[distributed]") {
  for_each_call([](const std::string& name, const auto& call) {
    CAPTURE(name);
    patient_ranks ranks(2);
    rank_memory own, others;
    CHECK(call(ranks.comm(1), others, {.seconds = std::nan("")}) == cudaErrorInvalidValue);
    CHECK(last_fault_says("not a number"));
    check_end([&] { return call(ranks.comm(0), own, {.seconds = patience_s}); }, cudaErrorTimeout, "took too long");
  });
}

TEST_CASE("Every call ends where another rank comes late, and is done by both", "[distributed]") {
  for_each_call([](const std::string& name, const auto& call) {
    CAPTURE(name);
    patient_ranks ranks(2);
    rank_memory own, others;
    cudaError_t made = cudaErrorUnknown;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      made = call(ranks.comm(1), others, {.seconds = bound_s});
    });
    CHECK(call(ranks.comm(0), own, {.seconds = bound_s}) == cudaSuccess);
    other.join();
    CHECK(made == cudaSuccess);
  });
}

TEST_CASE("A communicator of which a rank never comes is given up", "[distributed]") {
  ncclUniqueId id;
  NCCL_OK(ncclGetUniqueId(&id));
  const double begin = gpuprim::detail::read_clock();
  CHECK(words_of([&] { const world::communicator never({0, 2, 0}, id, patience_s); }) ==
        "the ranks do not meet: the others have not come in time");
  CHECK(gpuprim::detail::read_clock() - begin < bound_s);
  ncclComm_t comm = nullptr;
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  NCCL_OK(ncclGetUniqueId(&id));
  REQUIRE(ncclCommInitRankConfig(&comm, 2, id, 0, &config) == ncclInProgress);
  rank_memory own;
  for_each_call([&](const std::string& name, const auto& call) {
    CAPTURE(name);
    check_end([&] { return call(comm, own, {.seconds = patience_s}); }, cudaErrorTimeout, "took too long");
  });
  own.out.check_untouched();
  own.part.check_untouched();
  CHECK(ncclCommAbort(comm) == ncclSuccess);
}

TEST_CASE("The file of an earlier run's id is refused by rank 0, and leads the others nowhere in bounded time",
          "[distributed]") {
  const std::string path = std::filesystem::temp_directory_path() / ("gpuprim_stale_id_" + std::to_string(getpid()));
  (void)world::share_id({0, 2, 0}, path, patience_s);  // of the earlier run, which has not removed it
  CHECK(words_of([&] { (void)world::share_id({0, 2, 0}, path, patience_s); }) ==
        path + " is there already; remove it, or name another");
  const ncclUniqueId stale = world::share_id({1, 2, 1}, path, patience_s);
  const double begin = gpuprim::detail::read_clock();
  CHECK(words_of([&] { const world::communicator none({1, 2, 1}, stale, patience_s); }) ==
        "the ranks do not meet: the others have not come in time");
  CHECK(std::filesystem::remove(path));
  CHECK(words_of([&] { (void)world::share_id({1, 2, 1}, path, patience_s); }) == "rank 0 has not written " + path);
  CHECK(gpuprim::detail::read_clock() - begin < bound_s);
}

#endif
