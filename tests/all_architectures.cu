// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled, not run, for every architecture family: each level of reduce, with the types and operators that take
// different paths (whole words, half precision, structs, operators that do not commute, computed iterators).
#include <gpuprim/gpuprim.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace {

struct vector3 {
  float x, y, z;
};

struct add3 {
  __host__ __device__ vector3 operator()(vector3 a, vector3 b) const { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
};

template <class T, class Op>
cudaError_t whole_pass(const T* in, std::int64_t n, T* out, T init, gpuprim::workspace& workspace) {
  const cudaError_t tuned = gpuprim::reduce(in, n, out, Op{}, init, {.workspace = &workspace});
  if (tuned != cudaSuccess) return tuned;
  return gpuprim::reduce<Op, 256, 4>(in, n, out, Op{}, init, {.workspace = &workspace});
}

struct is_odd {
  __host__ __device__ bool operator()(float x) const { return int(x) & 1; }
};

/// The family: each kind of projection, accumulator and kernel.
cudaError_t family(const float* in, const signed char* bytes, const double* doubles, std::int64_t n, void* out) {
  auto to = [&]<class T>(T*) { return static_cast<T*>(out); };
  const auto plus = gpuprim::plus<>{};
  cudaError_t e = gpuprim::transform_reduce(in, in + n, n, to(static_cast<float*>(nullptr)), plus,
                                            gpuprim::multiplies<>{}, 0.0f);
  if (e == cudaSuccess) e = gpuprim::min_element(in, n, to(static_cast<gpuprim::extremum<float>*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::max_element(bytes, n, to(static_cast<gpuprim::extremum<signed char>*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::all_moments(in, n, to(static_cast<gpuprim::moments*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::accurate_sum(doubles, n, to(static_cast<double*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::norm_2(doubles, n, to(static_cast<double*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::find_if(in, n, to(static_cast<std::int64_t*>(nullptr)), is_odd{});
  if (e == cudaSuccess) e = gpuprim::is_sorted(in, n, to(static_cast<bool*>(nullptr)));
  const auto query = gpuprim::fused(plus, gpuprim::mean, gpuprim::counted(is_odd{}));
  if (e == cudaSuccess) (void)gpuprim::reduce_into_value(in, n, query);
  return e;
}

/// Each kind of bins and of kernels.
cudaError_t histograms(const float* in, const unsigned char* bytes, const std::int64_t* wide, std::int64_t n,
                       unsigned* counts) {
  cudaError_t e = gpuprim::histogram(in, n, counts, gpuprim::even_bins{100, 0.0f, 1.0f});
  if (e == cudaSuccess) e = gpuprim::histogram(in, n, counts, gpuprim::bin_ranges{in, 100});
  if (e == cudaSuccess) e = gpuprim::histogram(wide, n, counts, gpuprim::even_bins{100, 0, 1000});
  const std::array two{counts, counts};
  if (e == cudaSuccess) e = gpuprim::histogram<4>(bytes, n, two, gpuprim::even_bins{256, 0, 256});
  return e;
}

__global__ void levels(const unsigned* in, unsigned* out) {
  const gpuprim::this_block block;
  const unsigned value = in[block.thread_rank()];
  const unsigned smallest = gpuprim::warp_all_reduce(gpuprim::warp_tile<32>{}, value, gpuprim::minimum<>{});
  const unsigned sum = gpuprim::warp_reduce(gpuprim::warp_tile<8>{}, value - smallest, gpuprim::plus<>{});
  const unsigned run = gpuprim::warp_segmented_reduce(gpuprim::warp_tile<16>{}, sum, value > 9, gpuprim::plus<>{});
  GPUPRIM_SHARED(counts, unsigned[64]);
  const float samples[] = {float(run)};
  gpuprim::block_histogram<256>(block, samples, counts, gpuprim::bin_finder<float>(gpuprim::even_bins{64, 0.0f, 9.0f}));
  unsigned scanned = 0;
  gpuprim::block_exclusive_scan<256>(block, counts[run % 64], gpuprim::plus<>{}, gpuprim::total_to{scanned});
  gpuprim::block_inclusive_scan<1024>(block, float(run), gpuprim::plus<>{});
  const unsigned total = gpuprim::block_reduce<256>(block, scanned, gpuprim::bit_or<>{});
  const unsigned all = gpuprim::block_all_reduce(block, total, gpuprim::maximum<>{});
  if (block.thread_rank() == 0) *out = all;
}

}  // namespace

int main() {
  gpuprim::workspace workspace;
  const bool instantiated =
      gpuprim::launch(levels, 1, 256, nullptr, static_cast<const unsigned*>(nullptr), nullptr) == cudaSuccess ||
      whole_pass<float, gpuprim::plus<>>(nullptr, 0, nullptr, 0.0f, workspace) == cudaSuccess ||
      whole_pass<int, gpuprim::minimum<>>(nullptr, 0, nullptr, 0, workspace) == cudaSuccess ||
      whole_pass<double, gpuprim::maximum<>>(nullptr, 0, nullptr, 0.0, workspace) == cudaSuccess ||
      whole_pass<vector3, add3>(nullptr, 0, nullptr, {}, workspace) == cudaSuccess ||
      gpuprim::reduce<float>(static_cast<const __half*>(nullptr), 0, static_cast<float*>(nullptr), gpuprim::plus<>{},
                             0.0f) == cudaSuccess ||
      gpuprim::reduce<float>(static_cast<const __nv_bfloat16*>(nullptr), 0, static_cast<float*>(nullptr),
                             gpuprim::plus<>{}, 0.0f) == cudaSuccess ||
      gpuprim::reduce(static_cast<const signed char*>(nullptr), 0, static_cast<std::int64_t*>(nullptr),
                      gpuprim::plus<>{}, 0) == cudaSuccess ||
      gpuprim::reduce(gpuprim::reproducible, static_cast<const float*>(nullptr), 0, static_cast<float*>(nullptr),
                      gpuprim::plus<>{}, 0.0f) == cudaSuccess ||
      gpuprim::reduce(gpuprim::unordered, static_cast<const int*>(nullptr), 0, static_cast<int*>(nullptr),
                      gpuprim::maximum<>{}, 0) == cudaSuccess ||
      gpuprim::segmented_reduce(static_cast<const float*>(nullptr), static_cast<const int*>(nullptr), 0,
                                static_cast<float*>(nullptr), gpuprim::plus<>{}, 0.0f) == cudaSuccess ||
      gpuprim::column_reduce(static_cast<const float*>(nullptr), 0, 0, static_cast<float*>(nullptr),
                             gpuprim::plus<>{}, 0.0f) == cudaSuccess ||
      gpuprim::dot(static_cast<const short*>(nullptr), static_cast<const short*>(nullptr), 0,
                   static_cast<std::int64_t*>(nullptr)) == cudaSuccess ||
      gpuprim::squared_norm(static_cast<const __nv_fp8_e4m3*>(nullptr), 0, static_cast<float*>(nullptr)) ==
          cudaSuccess ||
      gpuprim::reduce_by_key(static_cast<const int*>(nullptr), static_cast<const float*>(nullptr), 0,
                             static_cast<int*>(nullptr), static_cast<float*>(nullptr), static_cast<int*>(nullptr),
                             gpuprim::plus<>{}) == cudaSuccess ||
      gpuprim::run_length_encode(static_cast<const int*>(nullptr), 0, static_cast<int*>(nullptr),
                                 static_cast<int*>(nullptr), static_cast<int*>(nullptr)) == cudaSuccess ||
      family(nullptr, nullptr, nullptr, 0, nullptr) == cudaSuccess ||
      histograms(nullptr, nullptr, nullptr, 0, nullptr) == cudaSuccess;
  return instantiated ? 0 : 1;
}
