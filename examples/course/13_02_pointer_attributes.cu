// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One address space for host and devices (unified virtual addressing): an address says where its memory is. So
// cudaPointerGetAttributes can tell, cudaMemcpyDefault needs no direction, and pinned memory has one address on both
// sides.
// Source: "Unified Virtual Addressing" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

bool show(const char* name, const void* pointer, cudaMemoryType want) {
  // [attributes]
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, pointer));
  // [attributes]
  const char* types[] = {"not known to CUDA", "host memory", "device memory", "managed memory"};
  const auto seen = [&](const void* address) {
    return address == nullptr ? "no address" : address == pointer ? "the same address" : "another address";
  };
  std::printf("%-16s %s; for the host %s, for the device %s\n", name, types[attributes.type],
              seen(attributes.hostPointer), seen(attributes.devicePointer));
  return attributes.type == want;
}

int main() {
  constexpr int n = 1000;
  std::printf("unified addressing: %s\n", attribute(cudaDevAttrUnifiedAddressing) ? "yes" : "no");
  std::vector<int> pageable(n), registered(n);
  const device_array<int> device(n);
  const pinned_array<int> pinned(n, cudaHostAllocMapped);
  int* managed = nullptr;
  check(cudaMallocManaged(&managed, n * sizeof(int)));
  check(cudaHostRegister(registered.data(), n * sizeof(int), cudaHostRegisterMapped));
  bool right = show("vector", pageable.data(), cudaMemoryTypeUnregistered);
  right &= show("cudaHostRegister", registered.data(), cudaMemoryTypeHost);
  right &= show("cudaHostAlloc", pinned.data(), cudaMemoryTypeHost);
  right &= show("cudaMalloc", device.data(), cudaMemoryTypeDevice);
  right &= show("in its middle", device.data() + n / 2, cudaMemoryTypeDevice);
  right &= show("cudaMallocManaged", managed, cudaMemoryTypeManaged);

  // [default]
  for (int i = 0; i < n; ++i) pinned[i] = 3 * i;
  check(cudaMemcpy(device.data(), pinned.data(), n * sizeof(int), cudaMemcpyDefault));  // to the device
  check(cudaMemcpy(managed, device.data(), n * sizeof(int), cudaMemcpyDefault));
  check(cudaMemcpy(pageable.data(), managed, n * sizeof(int), cudaMemcpyDefault));  // to the host
  // [default]
  for (int i = 0; i < n; ++i) right &= pageable[i] == 3 * i;
  check(cudaHostUnregister(registered.data()));
  check(cudaFree(managed));
  return verdict(right);
}
