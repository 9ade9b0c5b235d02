// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory of four kinds and what copies from and to it reach: pageable memory goes through a pinned buffer of the
// driver; pinned memory (cudaHostAlloc) is copied by the device alone; cudaHostRegister pins memory that is there
// already, which takes a time of its own; write-combined memory is for the host to write and the device to read: the
// host's caches do not hold it, so NVIDIA's guide expects fast writes and slow reads. Both are timed, the reads of the
// first MiB at most.
// Source: "Pinned Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

bool show(const char* name, unsigned* host, int n) {
  const device_array<unsigned> device(static_cast<std::size_t>(n));
  const std::size_t bytes = std::size_t(n) * sizeof(unsigned);
  const double wrote = host_time_us([&] {
    for (int i = 0; i < n; ++i) host[i] = unsigned(i) * 7u + 1u;
  });
  // [copies]
  const double in = time_us([&] { check(cudaMemcpyAsync(device.data(), host, bytes, cudaMemcpyHostToDevice)); });
  const double out = time_us([&] { check(cudaMemcpyAsync(host, device.data(), bytes, cudaMemcpyDeviceToHost)); });
  // [copies]
  bool right = true;
  const int some = std::min(n, 1 << 18);
  const double begin = host_us();
  for (int i = 0; i < some; ++i) right &= host[i] == unsigned(i) * 7u + 1u;
  const double read = host_us() - begin;
  right &= device.on_host()[std::size_t(n) - 1] == unsigned(n - 1) * 7u + 1u;
  std::printf("%-15s to the device %s, to the host %s, written by the host %s, read by the host %s%s\n", name,
              rate(double(bytes), in).c_str(), rate(double(bytes), out).c_str(), rate(double(bytes), wrote).c_str(),
              rate(4.0 * some, read).c_str(), right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 24));
  const std::size_t bytes = std::size_t(n) * sizeof(unsigned);
  std::vector<unsigned> pageable(static_cast<std::size_t>(n));
  bool right = show("pageable", pageable.data(), n);
  {
    const pinned_array<unsigned> pinned(pageable.size());
    right &= show("pinned", pinned.data(), n);
  }
  // [register]
  const double begin = host_us();
  check(cudaHostRegister(pageable.data(), bytes, cudaHostRegisterDefault));
  const double registered = host_us();
  right &= show("registered", pageable.data(), n);
  const double end = host_us();
  check(cudaHostUnregister(pageable.data()));
  // [register]
  std::printf("to register took %s, to undo it %s\n", figure(registered - begin, "us").c_str(),
              figure(host_us() - end, "us").c_str());
  const pinned_array<unsigned> combined(pageable.size(), cudaHostAllocWriteCombined);
  right &= show("write-combined", combined.data(), n);
  return verdict(right);
}
