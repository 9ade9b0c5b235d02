// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which GPUs a program sees, and which it takes. CUDA_VISIBLE_DEVICES is a list of numbers or UUIDs: only these are
// seen, in this order, and numbered anew from 0; what stands behind a number that does not exist is not seen either,
// and an empty list hides all. Without it the fastest comes first, or the first on the bus if CUDA_DEVICE_ORDER is
// PCI_BUS_ID. Both are read when CUDA starts, so a process is forked for each list. Where GPUs differ, cudaChooseDevice
// finds the one that fits a description best.
// GPU only: the SIMT device is a single one, which reads no such variable.
// Source: "CUDA Environment Variables" in NVIDIA's "CUDA C++ Programming Guide"; the deployment chapters of its "Best
// Practices Guide".
#include "course.hpp"

#include <functional>

#include <sys/wait.h>
#include <unistd.h>

using namespace course;

int count_devices() {
  int devices = 0;
  const cudaError_t e = cudaGetDeviceCount(&devices);
  return e == cudaErrorNoDevice ? 0 : e == cudaSuccess ? devices : -1;
}

int bus_of(int device) {
  int bus = 0;
  check(cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, device));
  return bus;
}

/// Runs `ask` in a process that sees the GPUs of `list`, or those that this one would see if it is null.
int in_a_process(const char* list, const std::function<int()>& ask) {
  std::fflush(stdout);
  const pid_t child = fork();  // before this process calls CUDA
  if (child == 0) {
    if (list != nullptr) setenv("CUDA_VISIBLE_DEVICES", list, 1);
    const int answer = ask();
    std::fflush(stdout);
    _exit(answer);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main() {
  const int all = in_a_process(nullptr, [] {
    const int devices = count_devices();
    for (int device = 0; device < devices; ++device) {
      cudaDeviceProp about{};
      check(cudaGetDeviceProperties(&about, device));
      std::printf("device %d: %s on bus %d\n", device, about.name, bus_of(device));
    }
    return devices;
  });
  bool right = all > 0;
  const struct {
    const char* list;
    int want;
  } lists[] = {{"", 0}, {"0", 1}, {"0,99", 1}, {"99,0", 0}};
  for (const auto [list, want] : lists) {
    const int seen = in_a_process(list, count_devices);
    right &= seen == want;
    std::printf("CUDA_VISIBLE_DEVICES=\"%s\": %d GPUs\n", list, seen);
  }
  if (all > 1) {  // another order: the first one is then what was the second
    const int second = in_a_process("0,1", [] { return bus_of(1); });
    right &= in_a_process("1,0", [] { return bus_of(0); }) == second;
  }
  right &= in_a_process(nullptr, [] {
             cudaDeviceProp wanted{};
             wanted.major = 8;  // this compute capability or a newer one
             wanted.totalGlobalMem = std::size_t(8) << 30;
             int device = -1;
             check(cudaChooseDevice(&device, &wanted));
             std::printf("the one for at least 8 GiB and compute capability 8.0: device %d\n", device);
             return device >= 0 && device < count_devices() ? 0 : 1;
           }) == 0;
  return verdict(right);
}
