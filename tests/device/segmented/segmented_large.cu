// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than 2^32 values, and CUB as a further oracle for many and long segments. Needs a GPU with 6 GB of
// memory.
#include "../../support/segmented_check.cuh"

#include <cub/device/device_segmented_reduce.cuh>

namespace {

template <class T>
__global__ void fill_values(T* out, std::int64_t n, int every) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = T(i % every == 0);
}

/// Device memory without canaries: they would double the time.
template <class T>
struct plain_array {
  T* data = nullptr;
  plain_array(std::int64_t n, int every) {
    CUDA_OK(cudaMalloc(reinterpret_cast<void**>(&data), std::size_t(n) * sizeof(T)));
    fill_values<<<1024, 256>>>(data, n, every);
    CUDA_OK(cudaDeviceSynchronize());
  }
  ~plain_array() { (void)cudaFree(data); }
  plain_array(const plain_array&) = delete;
};

constexpr int every = 5;

/// Multiples of 5 from `begin` on, before `end`.
std::int64_t count_between(std::int64_t begin, std::int64_t end) {
  return (end + every - 1) / every - (begin + every - 1) / every;
}

void check_counts(const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& offsets) {
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != count_between(offsets[i], offsets[i + 1]);
  CHECK(wrong == 0);
}

/// Offsets of `count` segments of which every `period`th is long.
std::vector<int> mixed_offsets(int count, int most, int period, int long_one) {
  std::vector<int> offsets{0};
  for (int i = 0; i < count; ++i) {
    const int length =
        i % period == period / 2 ? long_one : int(test::scramble(std::uint64_t(i)) % std::uint64_t(most));
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

template <class T>
void compare_with_cub(const std::vector<int>& lengths_as_offsets) {
  const auto segments = std::int64_t(lengths_as_offsets.size()) - 1;
  CAPTURE(segments, lengths_as_offsets.back());
  const plain_array<T> input(lengths_as_offsets.back(), 3);
  test::device_array<int> offsets(lengths_as_offsets);
  test::device_array<T> ours(static_cast<std::size_t>(segments)), again(static_cast<std::size_t>(segments)),
      theirs(static_cast<std::size_t>(segments));
  const int *begins = offsets.data(), *ends = begins + 1;
  std::size_t bytes = 0;
  CUDA_OK(cub::DeviceSegmentedReduce::Sum(nullptr, bytes, input.data, theirs.data(), segments, begins, ends));
  test::device_array<char> temporary(bytes);
  CUDA_OK(cub::DeviceSegmentedReduce::Sum(temporary.data(), bytes, input.data, theirs.data(), segments, begins, ends));
  CUDA_OK(gpuprim::segmented_reduce(input.data, begins, segments, ours.data(), gpuprim::plus{}));
  auto wanted = theirs.download();
  CHECK(ours.download() == wanted);
  CUDA_OK(gpuprim::segmented_reduce(input.data, gpuprim::segment_bounds{begins, ends}, segments, again.data(),
                                    gpuprim::plus{}));
  CHECK(again.download() == wanted);
  // In reverse, so that none follows the one before it.
  const auto& in_order = lengths_as_offsets;
  test::device_array<int> from(std::vector<int>(in_order.rbegin() + 1, in_order.rend()));
  test::device_array<int> to(std::vector<int>(in_order.rbegin(), in_order.rend() - 1));
  CUDA_OK(gpuprim::segmented_reduce(input.data, gpuprim::segment_bounds{from.data(), to.data()}, segments, again.data(),
                                    gpuprim::plus{}));
  std::reverse(wanted.begin(), wanted.end());
  CHECK(again.download() == wanted);
}

}  // namespace

TEST_CASE("segmented_reduce and column_reduce of more than 2^32 values", "[device][large][gpu]") {
  constexpr std::int64_t giant = (std::int64_t{1} << 32) + 7, columns = 1024, rows = giant / columns + 1;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < std::size_t(giant) + (1u << 30)) SKIP("the GPU has too little memory");
  const plain_array<signed char> input(giant + (1 << 21), every);
  std::vector<std::int64_t> offsets{0};
  for (int i = 0; i < 2001; ++i) offsets.push_back(offsets.back() + (i == 1000 ? giant : i % 700));
  test::device_array<std::int64_t> where(offsets), output(2001);
  for (int repeat = 0; repeat < 2; ++repeat) {
    CUDA_OK(gpuprim::segmented_reduce<std::int64_t>(input.data, where.data(), 2001, output.data(), gpuprim::plus{}));
    check_counts(output.download(), offsets);
  }
  test::device_array<std::int64_t> ends(std::vector<std::int64_t>(offsets.begin() + 1, offsets.end()));
  CUDA_OK(gpuprim::segmented_reduce<std::int64_t>(input.data, gpuprim::segment_bounds{where.data(), ends.data()}, 2001,
                                                  output.data(), gpuprim::plus{}));
  check_counts(output.download(), offsets);

  std::vector<std::int64_t> by_row;
  for (std::int64_t i = 0; i <= rows; ++i) by_row.push_back(i * columns);
  test::device_array<std::int64_t> row_sums(static_cast<std::size_t>(rows)), column_sums(columns);
  CUDA_OK(gpuprim::segmented_reduce<std::int64_t>(input.data, gpuprim::fixed_length{columns}, rows, row_sums.data(),
                                                  gpuprim::plus{}));
  check_counts(row_sums.download(), by_row);
  const std::int64_t third = giant / 3;  // in parts
  test::device_array<std::int64_t> thirds(3);
  CUDA_OK(gpuprim::segmented_reduce<std::int64_t>(input.data, gpuprim::fixed_length{third}, 3, thirds.data(),
                                                  gpuprim::plus{}));
  check_counts(thirds.download(), {0, third, 2 * third, 3 * third});
  CUDA_OK(gpuprim::column_reduce<std::int64_t>(input.data, rows, columns, column_sums.data(), gpuprim::plus{}));
  std::int64_t sum = 0;
  for (std::int64_t of_column : column_sums.download()) {
    CHECK(std::abs(of_column - rows / every) <= 1);  // each 5th row, 1024 being prime to 5
    sum += of_column;
  }
  CHECK(sum == count_between(0, rows * columns));
}

TEST_CASE("segmented_reduce agrees with CUB", "[device][gpu]") {
  for (const auto& lengths : test::length_mixes()) {
    if (!lengths.empty()) compare_with_cub<int>(test::make_offsets<int>(lengths));
  }
  for (int most : {2, 9, 40, 300, 3000}) {
    compare_with_cub<float>(mixed_offsets(3000000 / most, most, 100000, 2000000));
    compare_with_cub<double>(mixed_offsets(1000000 / most, most, 1000, 20000));
  }
  compare_with_cub<int>(mixed_offsets(3000, 30000, 1000, 1));       // for whole blocks, many shares
  compare_with_cub<int>(mixed_offsets(500, 20000, 500, 40000000));  // with one giant among them
}
