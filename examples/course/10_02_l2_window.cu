// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A window of memory that the L2 cache shall keep while other data streams past it. The set-aside part of the cache
// holds so many bytes: a window that is larger thrashes it if all of its accesses are to stay (hit ratio 1); a hit
// ratio of set-aside over window lets a part of it stay. GPUs of compute capability 8.0 and newer.
//   10_02_l2_window [MEBIBYTES TO STREAM]
// Source: the L2 set-aside part of NVIDIA's "CUDA C++ Best Practices Guide".
// GPU only: the host SIMT device has no caches.
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

constexpr int block_size = 256;

__global__ void step(int* window, int window_count, int* streamed, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  streamed[i] += 1;
  atomicAdd(&window[i % window_count], 1);  // again and again
}

// [window]
void keep_in_l2(cudaStream_t stream, void* begin, std::size_t bytes, float hit_ratio) {
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.base_ptr = begin;
  value.accessPolicyWindow.num_bytes = bytes;
  value.accessPolicyWindow.hitRatio = hit_ratio;  // this share of the accesses
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  measure::check(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
}

void let_go_of_l2(cudaStream_t stream) {
  keep_in_l2(stream, nullptr, 0, 0);  // no window for what comes
  measure::check(cudaStreamSynchronize(stream));
  measure::check(cudaCtxResetPersistingL2Cache());  // and normal lines of what was kept
}
// [window]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, measure::usual_size(4, 256), 4096) << 18;  // ints in so many MiB
  int device = 0, set_aside = 0, largest_window = 0;
  measure::check(cudaGetDevice(&device));
  measure::check(cudaDeviceGetAttribute(&set_aside, cudaDevAttrMaxPersistingL2CacheSize, device));
  measure::check(cudaDeviceGetAttribute(&largest_window, cudaDevAttrMaxAccessPolicyWindowSize, device));
  if (set_aside == 0) {
    std::printf("this GPU cannot set a part of its L2 cache aside\n");
    return 0;
  }
  std::size_t before = 0;
  measure::check(cudaDeviceGetLimit(&before, cudaLimitPersistingL2CacheSize));
  measure::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t(set_aside)));
  std::printf("set aside: %.1f MB\n", 1e-6 * set_aside);
  cudaStream_t stream = nullptr;
  measure::check(cudaStreamCreate(&stream));
  const measure::device_array<int> streamed(static_cast<std::size_t>(n));
  measure::event_timer timer;
  bool right = true;
  for (int percent : {25, 50, 75, 100, 125, 150}) {  // of the set-aside part
    const std::size_t bytes = std::min(std::size_t(set_aside) / 100 * percent / 4 * 4, std::size_t(largest_window));
    const int window_count = int(std::min(bytes / sizeof(int), std::size_t(n)));
    const measure::device_array<int> window(bytes / sizeof(int));
    const float tuned = percent <= 100 ? 1.0f : 100.0f / float(percent);
    double us[3];
    int form = 0;
    for (float ratio : {0.0f, 1.0f, tuned}) {
      if (ratio > 0) keep_in_l2(stream, window.data(), bytes, ratio);
      measure::check(cudaMemsetAsync(window.data(), 0, bytes, stream));
      measure::check(cudaMemsetAsync(streamed.data(), 0, std::size_t(n) * sizeof(int), stream));
      int runs = 0;
      us[form++] = timer.us(
          [&](int) {
            ++runs;
            return gpuprim::launch(step, (n + block_size - 1) / block_size, block_size, stream, window.data(),
                                   window_count, streamed.data(), n);
          },
          2, stream);
      let_go_of_l2(stream);
      const int turns = (n - 1) / window_count + 1;  // of the first element
      const std::vector<int> passed = streamed.on_host();
      right &= std::all_of(passed.begin(), passed.end(), [&](int x) { return x == runs; });
      right &= window.on_host()[0] == runs * turns;
    }
    std::printf("window %.1f MB: %.1f us, kept whole %.1f us, kept by a ratio of %.2f %.1f us: %s\n",
                1e-6 * double(bytes), us[0], us[1], double(tuned), us[2], right ? "right" : "WRONG");
  }
  measure::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, before));
  measure::check(cudaStreamDestroy(stream));
  return right ? 0 : 1;
}
