// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two GPUs: what the library keeps of one must not come to the other.
#include "../support/device.cuh"

#include <gpuprim/histogram.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/segmented_reduce.cuh>

#include <array>
#include <thread>

namespace {

constexpr int segments = 5, n = 100000 * segments;  // few and long: in parts, which blocks mail

bool has_two_devices() {
  int devices = 0;
  CUDA_OK(cudaGetDeviceCount(&devices));
  return devices >= 2;
}

/// Memory of the current device.
struct data {
  test::device_array<int> in{std::vector<int>(n, 1)}, sums{segments}, counts{256};
  gpuprim::workspace workspace{gpuprim::segmented_reduce_workspace_bytes<int>()};
};

/// True if calls of all kinds are right on a device: with memory that the thread keeps, with the workspace that the
/// library keeps, with one of the caller's.
bool call_on(int device, data& on) {
  bool right = cudaSetDevice(device) == cudaSuccess;
  right = right && gpuprim::reduce_value(on.in.data(), n, gpuprim::plus{}) == n;
  right = right && gpuprim::reduce(on.in.data(), n, on.sums.data(), gpuprim::plus{}, device) == cudaSuccess;
  right = right && on.sums.download()[0] == n + device;
  for (auto* workspace : {static_cast<gpuprim::workspace*>(nullptr), &on.workspace}) {
    right =
        right && gpuprim::segmented_reduce(on.in.data(), gpuprim::fixed_length{n / segments}, segments, on.sums.data(),
                                           gpuprim::plus{}, device, {.workspace = workspace}) == cudaSuccess;
    right = right && on.sums.download() == std::vector<int>(segments, n / segments + device);
  }
  const gpuprim::even_bins bins{256, 0, 256};
  right = right && gpuprim::histogram(on.in.data(), n, on.counts.data(), bins) == cudaSuccess;
  return right && on.counts.download()[1] == n;
}

}  // namespace

TEST_CASE("calls by turns on two devices", "[launch][gpu]") {
  if (!has_two_devices()) SKIP("there is one GPU");
  CUDA_OK(cudaSetDevice(1));
  data second;
  CUDA_OK(cudaSetDevice(0));
  data first;
  for (int round = 0; round < 3; ++round) {
    CHECK(call_on(0, first));
    CHECK(call_on(1, second));
  }
  CUDA_OK(cudaSetDevice(0));
}

TEST_CASE("calls at the same time on two devices, by threads that take turns between them", "[launch][gpu]") {
  if (!has_two_devices()) SKIP("there is one GPU");
  std::array<bool, 2> right{true, true};
  std::array<std::thread, 2> threads;
  for (int own = 0; own < 2; ++own) {
    threads[std::size_t(own)] = std::thread([&right, own] {
      CUDA_OK(cudaSetDevice(own));
      data near;
      CUDA_OK(cudaSetDevice(1 - own));
      data far;
      bool& all = right[std::size_t(own)];
      for (int round = 0; round < 20; ++round) all = all && call_on(own, near) && call_on(1 - own, far);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right[0]);
  CHECK(right[1]);
}
