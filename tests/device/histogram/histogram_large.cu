// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of more than 2^32 samples, with more bins than fit shared memory on a full grid, and CUB as a further
// oracle.
#include "../../support/histogram_check.cuh"

#include <cub/device/device_histogram.cuh>

namespace {

/// Remainders of the position by 11, or 7 everywhere.
enum class content { remainders, sevens };

template <class T>
__global__ void fill(T* out, std::int64_t n, content what) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = what == content::sevens ? T(7) : T(i % 11);
}

template <class T>
void check_large(std::int64_t n, content what) {
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < std::size_t(n) * sizeof(T) + (1u << 30)) SKIP("the GPU has too little memory");
  T* data = nullptr;
  CUDA_OK(cudaMalloc(&data, std::size_t(n) * sizeof(T)));
  fill<<<1024, 256>>>(data, n, what);
  CUDA_OK(cudaGetLastError());
  test::device_array<std::int64_t> counts(10);
  CUDA_OK(gpuprim::histogram(static_cast<const T*>(data), n, counts.data(), gpuprim::even_bins{10, 1, 11}));
  const auto got = counts.download();
  CUDA_OK(cudaFree(data));
  for (std::int64_t bin = 0; bin < 10; ++bin) {
    const std::int64_t value = bin + 1, of_all = (n - value + 10) / 11;
    CHECK(got[std::size_t(bin)] == (what == content::remainders ? of_all : value == 7 ? n : 0));
  }
}

/// Computed samples, which need no memory.
struct eighths : gpuprim::detail::input_iterator_types<int> {
  __host__ __device__ int operator[](std::int64_t i) const { return int(i & 7); }
};

/// Calls CUB, and gpuprim, and compares.
template <class T, class Cub, class Bins>
void compare(const std::vector<T>& samples, Bins bins, const Cub& call_cub) {
  CAPTURE(samples.size(), bins.count);
  test::device_array<T> input(samples);
  test::device_array<unsigned> ours(std::size_t(bins.count)), theirs(std::size_t(bins.count));
  std::size_t bytes = 0;
  CUDA_OK(call_cub(nullptr, bytes, input.data(), theirs.data()));
  test::device_array<char> storage(bytes);
  CUDA_OK(call_cub(storage.data(), bytes, input.data(), theirs.data()));
  CUDA_OK(gpuprim::histogram(static_cast<const T*>(input.data()), std::int64_t(samples.size()), ours.data(), bins));
  CHECK(bool(ours.download() == theirs.download()));
}

template <class T, class Level>
void compare_even(std::int64_t n, gpuprim::even_bins<Level> bins) {
  const auto samples = test::make_samples<T>(n);
  compare(samples, bins, [&](void* storage, std::size_t& bytes, const T* in, unsigned* out) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, in, out, bins.count + 1, bins.lower, bins.upper, n);
  });
}

template <class T>
void compare_ranges(std::int64_t n, const std::vector<T>& levels) {
  const auto samples = test::make_samples<T>(n);
  test::device_array<T> on_device(levels);
  const gpuprim::bin_ranges bins{static_cast<const T*>(on_device.data()), int(levels.size()) - 1};
  compare(samples, bins, [&](void* storage, std::size_t& bytes, const T* in, unsigned* out) {
    return cub::DeviceHistogram::HistogramRange(storage, bytes, in, out, bins.count + 1, bins.levels, n);
  });
}

}  // namespace

TEST_CASE("histogram of more than 2^32 samples", "[device][large][gpu]") {
  check_large<unsigned char>((std::int64_t{1} << 33) + 5, content::remainders);
  check_large<signed char>((std::int64_t{1} << 32) + 3, content::sevens);
  check_large<float>((std::int64_t{1} << 32) + 3, content::sevens);
}

TEST_CASE("histogram of more samples than the multiprocessors could count in 32 bits", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 40) + 3;
  test::device_array<std::int64_t> counts(1);
  CUDA_OK(gpuprim::histogram(eighths{}, n, counts.data(), gpuprim::even_bins{1, 0, 8}));
  CHECK(counts.download()[0] == n);
}

TEST_CASE("histogram agrees with CUB", "[device][gpu]") {
  const std::int64_t n = 3000017;
  for (int count : {1, 10, 256, 2048, 50000, 70000, 300000, 1 << 20}) {
    compare_even<float>(n, gpuprim::even_bins{count, -0.9f, 0.8f});
    compare_even<double>(n, gpuprim::even_bins{count, -0.9, 0.8});
    compare_even<int>(n, gpuprim::even_bins{count, -1000000, 2000000000});
    if (count < 1 << 16)
      compare_even<unsigned short>(n, gpuprim::even_bins{count, 100, 50000});  // more, and CUB 3.0 errs
    compare_even<std::int64_t>(n, gpuprim::even_bins{count, -1000ll, 1ll << 40});
  }
  compare_even<unsigned char>(n, gpuprim::even_bins{77, 3, 250});
  for (int count : {2, 300, 14000, 60000, 200000}) {
    std::vector<float> levels;
    for (int i = 0; i < count; ++i) levels.push_back(-0.9f + 1.7f * float(i) / float(count));
    compare_ranges(n, levels);
    for (float& level : levels) level = level * level * level;
    compare_ranges(n, levels);
  }
}

TEST_CASE("histogram of a full grid", "[device][gpu]") {
  const auto samples = test::make_samples<float>((1 << 22) + 13);
  test::check_even(samples, gpuprim::even_bins{100000, -1.0f, 1.0f}, 4);
  test::check_even(samples, gpuprim::even_bins{256, -1.0f, 1.0f}, 8);
  test::check_even(std::vector<float>((1 << 22) + 13, 0.25f), gpuprim::even_bins{100000, -1.0f, 1.0f});
}
