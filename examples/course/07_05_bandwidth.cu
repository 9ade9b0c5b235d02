// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Effective bandwidth: the bytes that a pass must move over its time, whatever it moves in fact; in decimal GB.
// Beside the theoretical one of the data sheet stands the measured limit of the same GPU in the same run, which is
// what a pass can be asked for. Inputs take turns, so that together they are larger than the L2 cache.
//   07_05_bandwidth [N]
// Source: "Bandwidth" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "../measure.hpp"

#include <gpuprim/reduce.cuh>

#include <memory>

__global__ void scale(const float* in, int n, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = 3 * in[i];
}

/// Two transfers a clock, bits to bytes; 0 where the driver does not say.
double theoretical_gb_per_s() {
  int device = 0, khz = 0, bits = 0;
  measure::check(cudaGetDevice(&device));
  measure::check(cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, device));
  measure::check(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device));
  return 2e-6 * khz * (bits / 8.0);
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, measure::usual_size(10007, 1 << 27)), sets = 4, block_size = 256;
  std::vector<float> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[i] = float(i % 3);
  const double sum = double(n / 3) * 3 + (n % 3 == 2);
  std::vector<std::unique_ptr<measure::device_array<float>>> in;
  for (int i = 0; i < sets; ++i) in.push_back(std::make_unique<measure::device_array<float>>(values));
  const measure::device_array<float> out(values.size()), total(1);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<float>(n));
  const std::size_t bytes = values.size() * sizeof(float);
  measure::event_timer timer;

  // [bytes]
  const double copy_us = timer.us([&](int i) {
    return cudaMemcpyAsync(out.data(), in[std::size_t(i % sets)]->data(), bytes, cudaMemcpyDeviceToDevice, nullptr);
  });
  const double copy_limit = measure::gb_per_s(2.0 * double(bytes), copy_us);  // each byte is read and written
  const double scale_us = timer.us([&](int i) {
    return gpuprim::launch(scale, (n + block_size - 1) / block_size, block_size, nullptr,
                           in[std::size_t(i % sets)]->data(), n, out.data());
  });
  const double scaling = measure::gb_per_s(2.0 * double(bytes), scale_us);
  const double sum_us = timer.us([&](int i) {
    return gpuprim::reduce(in[std::size_t(i % sets)]->data(), n, total.data(), gpuprim::plus{}, 0.0f,
                           {.workspace = &ws});
  });
  const double summing = measure::gb_per_s(double(bytes), sum_us);  // only read
  // [bytes]
  bool right = true;
  const std::vector<float> scaled = out.on_host();
  for (int i = 0; i < n; ++i) right &= scaled[i] == 3 * values[i];
  right &= std::abs(double(total.on_host()[0]) - sum) <= 1e-5 * sum;
  if (measure::on_gpu) {
    std::printf("theoretical %.0f GB/s; copy %.0f GB/s, the limit of passes that read and write\n",
                theoretical_gb_per_s(), copy_limit);
    std::printf("scale %.0f GB/s, %.1f %% of that limit; sum %.0f GB/s, reading alone\n", scaling,
                100 * scaling / copy_limit, summing);
  }
  std::printf("%d values: %s\n", n, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
