// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between the host and the device, from pageable and from pinned memory. The driver copies pageable memory by
// way of a pinned buffer of its own, and the call then waits; pinned memory the GPU reads and writes itself. Pinned
// memory is taken from the whole machine and slow to allocate: keep it and use it again.
//   29_pinned [N]
// Source: "Pinned Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "../measure.hpp"

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 10007);
  const std::size_t bytes = std::size_t(n) * sizeof(int);
  const measure::device_array<int> device(static_cast<std::size_t>(n));
  std::vector<int> pageable_in(static_cast<std::size_t>(n)), pageable_out(static_cast<std::size_t>(n));
  // [pinned]
  int *pinned_in = nullptr, *pinned_out = nullptr;
  measure::check(cudaMallocHost(&pinned_in, bytes));
  measure::check(cudaMallocHost(&pinned_out, bytes));
  // [pinned]
  struct {
    const char* name;
    int *in, *out;
  } const kinds[] = {{"pageable", pageable_in.data(), pageable_out.data()}, {"pinned", pinned_in, pinned_out}};
  measure::event_timer timer;
  bool right = true;
  int seed = 0;
  for (const auto& kind : kinds) {
    ++seed;
    for (int i = 0; i < n; ++i) {
      kind.in[i] = i * seed;
      kind.out[i] = -1;
    }
    device.poison();
    const double in_us = timer.us(
        [&](int) { return cudaMemcpyAsync(device.data(), kind.in, bytes, cudaMemcpyHostToDevice, nullptr); }, 1);
    const double out_us = timer.us(
        [&](int) { return cudaMemcpyAsync(kind.out, device.data(), bytes, cudaMemcpyDeviceToHost, nullptr); }, 1);
    measure::check(cudaStreamSynchronize(nullptr));
    const bool same = std::equal(kind.in, kind.in + n, kind.out);
    std::printf("%s: %s to the device, %s to the host: %s\n", kind.name,
                measure::rate(double(bytes), in_us).c_str(),
                measure::rate(double(bytes), out_us).c_str(), same ? "right" : "WRONG");
    right &= same;
  }
  measure::check(cudaFreeHost(pinned_in));
  measure::check(cudaFreeHost(pinned_out));
  return right ? 0 : 1;
}
