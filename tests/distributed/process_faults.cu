// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank of a communicator whose last rank fails: usage: process_faults FAULT, started by process_faults.py once a
// rank. FAULT: none; dies (the process ends before its call); late (it never calls); other (it makes another call);
// refused (its call is refused). Ranks that call say how their wait ended, and how long it took.
#include "../../examples/distributed/world.hpp"

#include <gpuprim/distributed.cuh>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

namespace distributed = gpuprim::distributed;

constexpr double limit_s = 5;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s (%s)\n", what, cudaGetErrorString(error), gpuprim::last_fault());
  std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::string fault = arguments[1], id_file = arguments[2];
  const world::place own = world::find_place();
  const bool is_last = own.rank == own.ranks - 1;
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "devices");
  check(cudaSetDevice(own.local_rank % devices), "device");
  world::communicator all(own, world::share_id(own, id_file, 60), 60);
  constexpr std::int64_t n = 1 << 20;
  int *in = nullptr, *sum = nullptr;
  gpuprim::extremum<int>* most = nullptr;
  check(cudaMalloc(&in, n * sizeof(int)), "allocate");
  check(cudaMemset(in, 0, n * sizeof(int)), "clear");
  check(cudaMalloc(&sum, sizeof *sum), "allocate");
  check(cudaMalloc(&most, sizeof *most), "allocate");
  // A first call, so that the ranks are connected when one fails.
  check(distributed::all_reduce(all.comm, in, n, sum, gpuprim::plus{}), "the first call");
  check(distributed::wait(all.comm, nullptr, 60), "the first wait");
  if (is_last && fault == "dies") _exit(0);
  if (is_last && fault == "late") {
    sleep(unsigned(3 * limit_s));
    _exit(0);
  }
  const double begin = gpuprim::detail::read_clock();
  cudaError_t error = cudaSuccess;
  if (is_last && fault == "refused") {
    error = distributed::all_reduce(all.comm, in, -1, most, gpuprim::max_element);
    std::printf("refused: %s\n", gpuprim::last_fault());
    std::fflush(stdout);
    sleep(unsigned(3 * limit_s));
    _exit(error == cudaErrorInvalidValue ? 0 : 1);
  }
  if (is_last && fault == "other") error = distributed::all_reduce(all.comm, in, n, sum, gpuprim::plus{});
  else error = distributed::all_reduce(all.comm, in, n, most, gpuprim::max_element);
  check(error, "the call");
  error = distributed::wait(all.comm, nullptr, limit_s);
  const double seconds = gpuprim::detail::read_clock() - begin;
  std::printf("%s after %.1f s: %s\n", error == cudaSuccess ? "done" : "failed", seconds,
              error == cudaSuccess ? "" : gpuprim::last_fault());
  std::fflush(stdout);
  _exit(seconds > limit_s + 2 || (error != cudaSuccess && all.comm != nullptr) ? 1 : 0);
}
