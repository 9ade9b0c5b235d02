// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank of a communicator whose last rank fails: usage: process_faults FAULT CALL ID_FILE, started by
// process_faults.py once a rank. FAULT: none; dies (the process ends before its call); late (it never calls); other (it
// makes another call); refused (its call is refused). CALL: reduce, sort, unique, reduce_by_key, segments or rows.
// Ranks that call say how their wait ended, and how long it took; ranks that do not meet, why.
#include "../../examples/distributed/world.hpp"

#include <gpuprim/distributed.cuh>
#include <gpuprim/distributed/matrix_reduce.cuh>
#include <gpuprim/distributed/reduce_by_key.cuh>
#include <gpuprim/distributed/segmented_reduce.cuh>
#include <gpuprim/distributed/sort.cuh>
#include <gpuprim/distributed/unique.cuh>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

namespace distributed = gpuprim::distributed;

constexpr double limit_s = 5;
constexpr std::int64_t n = 1 << 20;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s (%s)\n", what, cudaGetErrorString(error), gpuprim::last_fault());
  std::exit(1);
}

template <class T>
T* allocate(std::int64_t count) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, std::size_t(count) * sizeof(T)), "allocate");
  check(cudaMemset(memory, 0, std::size_t(count) * sizeof(T)), "clear");
  return memory;
}

/// What a rank's calls read and write.
struct rank_memory {
  int* const in = allocate<int>(n);
  int* const out = allocate<int>(n);
  int* const values = allocate<int>(n);
  std::int64_t* const offsets = allocate<std::int64_t>(2);
  gpuprim::extremum<int>* const most = allocate<gpuprim::extremum<int>>(1);
  distributed::selected_part* const part = allocate<distributed::selected_part>(1);
};

/// Makes a call of this name on `count` elements.
cudaError_t make_call(const std::string& name, ncclComm_t comm, const rank_memory& m, std::int64_t count) {
  const distributed::options how{.seconds = limit_s};
  const gpuprim::plus<> plus;
  if (name == "sort") return distributed::sort(comm, m.in, count, m.out, how);
  if (name == "unique") return distributed::unique(comm, m.in, count, m.out, m.part, how);
  if (name == "reduce_by_key") {
    return distributed::reduce_by_key(comm, m.in, m.in, count, m.out, m.values, m.part, plus, how);
  }
  if (name == "segments") {
    const distributed::rank_segments where{m.offsets};
    return distributed::segmented_reduce(comm, m.in, count, where, 1, m.out, plus, how);
  }
  if (name == "rows") return distributed::row_reduce(comm, m.in, 1024, count / 1024, m.out, plus, how);
  return distributed::all_reduce(comm, m.in, count, m.most, gpuprim::max_element, how);
}

/// Says how a rank's call or its wait ended.
int report(cudaError_t error, double begin, bool is_aborted) {
  const double seconds = gpuprim::detail::read_clock() - begin;
  std::printf("%s after %.1f s: %s\n", error == cudaSuccess ? "done" : "failed", seconds,
              error == cudaSuccess ? "" : gpuprim::last_fault());
  std::fflush(stdout);
  return seconds > 2 * limit_s + 2 || (error != cudaSuccess && !is_aborted) ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 4) return 2;
  const std::string fault = arguments[1], call = arguments[2], id_file = arguments[3];
  const world::place own = world::find_place();
  const bool is_last = own.rank == own.ranks - 1;
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "devices");
  check(cudaSetDevice(own.local_rank % devices), "device");
  // Ranks of which some never come do not wait for a minute.
  const double patience_s = fault == "never" || fault == "stale" ? limit_s : 60;
  world::communicator all(own, world::share_id(own, id_file, patience_s), patience_s);
  const rank_memory memory;
  // A first call, so that the ranks are connected when one fails.
  check(distributed::all_reduce(all.comm, memory.in, n, memory.out, gpuprim::plus{}), "the first call");
  check(distributed::wait(all.comm, nullptr, 60), "the first wait");
  if (is_last && fault == "dies") _exit(0);
  if (is_last && fault == "late") {
    sleep(unsigned(4 * limit_s));
    _exit(0);
  }
  const double begin = gpuprim::detail::read_clock();
  if (is_last && fault == "refused") {
    const cudaError_t error = make_call(call, all.comm, memory, -1024);
    std::printf("refused: %s\n", gpuprim::last_fault());
    std::fflush(stdout);
    sleep(unsigned(4 * limit_s));
    _exit(error == cudaErrorInvalidValue ? 0 : 1);
  }
  cudaError_t error = cudaSuccess;
  if (is_last && fault == "other") {
    error = distributed::all_reduce(all.comm, memory.in, n, memory.out, gpuprim::plus{});
  } else {
    error = make_call(call, all.comm, memory, n);
  }
  // A call that has failed says why; the wait behind it ends what is in the stream.
  const cudaError_t waited = distributed::wait(all.comm, nullptr, limit_s);
  _exit(report(error != cudaSuccess ? error : waited, begin, all.comm == nullptr));
} catch (const std::exception& error) {
  std::printf("failed: %s\n", error.what());
  return 0;
}
