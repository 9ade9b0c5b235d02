// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans over device memory: the offsets of the rows of a sparse matrix from their lengths, a running mean, a polynomial
// by Horner's rule, and sums that begin anew with each key.
#include <gpuprim/scan.cuh>

#include <cstdio>
#include <vector>

constexpr int n = 100000;

struct mean_so_far {  // count and sum
  int count;
  float sum;
};
struct join_means {
  __host__ __device__ mean_so_far operator()(const mean_so_far& a, const mean_so_far& b) const {
    return {a.count + b.count, a.sum + b.sum};
  }
};
struct one_value {
  __host__ __device__ mean_so_far operator()(float x) const { return {1, x}; }
};

struct step {  // y -> y * x + coefficient, as a function of y: scale * y + offset
  float scale, offset;
};
struct then {  // first a, then b: associative, but the order matters
  __host__ __device__ step operator()(const step& a, const step& b) const {
    return {a.scale * b.scale, a.offset * b.scale + b.offset};
  }
};
struct horner {
  float x;
  __host__ __device__ step operator()(float coefficient) const { return {x, coefficient}; }
};

template <class T>
T* upload(const std::vector<T>& values) {
  T* data = nullptr;
  (void)cudaMalloc(&data, values.size() * sizeof(T));
  (void)cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return data;
}
template <class T>
T download(const T* from) {
  T value{};
  (void)cudaMemcpy(&value, from, sizeof(T), cudaMemcpyDeviceToHost);
  return value;
}

int main() {
  std::vector<int> lengths, keys;
  std::vector<float> values;
  for (int i = 0; i < n; ++i) {
    lengths.push_back(i % 7);
    keys.push_back(i / 1000);
    values.push_back(float(i % 5));
  }
  int *row_lengths = upload(lengths), *runs = upload(keys), *offsets = upload(std::vector<int>(n + 1));
  float *x = upload(values), *sums = upload(values);
  auto* const means = upload(std::vector<mean_so_far>(n, mean_so_far{}));
  auto* const polynomial = upload(std::vector<step>(n, step{}));

  // [offsets]
  // Row i begins at offsets[i]; the total, which is the number of all elements, is the last offset.
  cudaError_t error = gpuprim::exclusive_scan(row_lengths, n, gpuprim::with_total(offsets, offsets + n),
                                              gpuprim::plus{});
  // [offsets]
  // [transform]
  if (error == cudaSuccess) error = gpuprim::transform_inclusive_scan(x, n, means, join_means{}, one_value{});
  if (error == cudaSuccess) error = gpuprim::transform_inclusive_scan(x, n, polynomial, then{}, horner{0.5f});
  // [transform]
  // [by_key]
  if (error == cudaSuccess) error = gpuprim::inclusive_scan_by_key(runs, x, n, sums, gpuprim::plus{});
  // [by_key]
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(error), gpuprim::last_fault());
    return 1;
  }
  int elements = 0;
  float horners = 0;
  for (int i = 0; i < n; ++i) {
    elements += lengths[std::size_t(i)];
    horners = horners * 0.5f + values[std::size_t(i)];
  }
  const mean_so_far all = download(means + n - 1);
  const step value = download(polynomial + n - 1);
  const bool right = download(offsets + n) == elements && all.count == n && all.sum == 2.0f * n &&
                     value.offset == horners && download(sums + 999) == 2000 && download(sums + 1000) == 0;
  std::printf("%d elements, mean %g, polynomial %g: %s\n", elements, double(all.sum / float(all.count)),
              double(value.offset), right ? "right" : "wrong");
  for (void* data : {(void*)row_lengths, (void*)runs, (void*)offsets, (void*)x, (void*)sums, (void*)means,
                     (void*)polynomial}) {
    (void)cudaFree(data);
  }
  return right ? 0 : 1;
}
