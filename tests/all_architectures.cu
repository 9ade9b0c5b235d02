// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled, not run, for every architecture family: each host call, and each level of reduce, with the types and
// operators that take different paths (whole words, half precision, structs, operators that do not commute, computed
// iterators).
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
  using extrema = gpuprim::tuple<gpuprim::extremum<float>, gpuprim::extremum<float>>;
  auto to = [&]<class T>(T*) { return static_cast<T*>(out); };
  const auto plus = gpuprim::plus<>{};
  cudaError_t e =
      gpuprim::transform_reduce(in, in + n, n, to(static_cast<float*>(nullptr)), plus, gpuprim::multiplies<>{}, 0.0f);
  if (e == cudaSuccess) e = gpuprim::min_element(in, n, to(static_cast<gpuprim::extremum<float>*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::max_element(bytes, n, to(static_cast<gpuprim::extremum<signed char>*>(nullptr)));
  const gpuprim::fixed_length rows{9};
  auto* const places = to(static_cast<int*>(nullptr));
  if (e == cudaSuccess) {
    e = gpuprim::segmented_min_element(in, rows, n, to(static_cast<float*>(nullptr)) + n, places);
  }
  if (e == cudaSuccess) {
    e = gpuprim::segmented_max_element(bytes, rows, n, to(static_cast<signed char*>(nullptr)) + n, places);
  }
  if (e == cudaSuccess) e = gpuprim::all_moments(in, n, to(static_cast<gpuprim::moments*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::accurate_sum(doubles, n, to(static_cast<double*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::norm_2(doubles, n, to(static_cast<double*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::find_if(in, n, to(static_cast<std::int64_t*>(nullptr)), is_odd{});
  if (e == cudaSuccess) e = gpuprim::is_sorted(in, n, to(static_cast<bool*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::minmax_element(in, n, to(static_cast<extrema*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::norm_1(in, n, to(static_cast<double*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::norm_infinity(bytes, n, to(static_cast<double*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::count_if(in, n, to(static_cast<std::int64_t*>(nullptr)), is_odd{});
  if (e == cudaSuccess) e = gpuprim::equal(in, in, n, to(static_cast<bool*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::mismatch(in, in, n, to(static_cast<std::int64_t*>(nullptr)));
  if (e == cudaSuccess) e = gpuprim::reduce_into(in, n, to(static_cast<float*>(nullptr)), plus);
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

struct point_and_byte {
  __host__ __device__ gpuprim::tuple<vector3, unsigned char> operator()(vector3 v, unsigned char c) const {
    return {{v.y, v.z, v.x}, c};
  }
};

struct byte_of_position {
  __host__ __device__ unsigned char operator()(std::int64_t i) const { return static_cast<unsigned char>(i); }
};

struct put_byte {
  unsigned char* out;
  __host__ __device__ void operator()(unsigned char c) const { out[c] = c; }
};

/// Each form of a streaming pass and of a transposition.
cudaError_t streams(const vector3* in, const unsigned char* bytes, std::int64_t n, vector3* out, unsigned char* also) {
  const vector3* const* const ranges = nullptr;
  vector3* const* const range_outs = nullptr;
  cudaError_t e = gpuprim::transform(gpuprim::inputs(in, bytes), n, gpuprim::outputs(out, also), point_and_byte{});
  if (e == cudaSuccess) e = gpuprim::adjacent_difference(bytes, n, also);
  if (e == cudaSuccess) e = gpuprim::copy(in, n, out);
  if (e == cudaSuccess) e = gpuprim::copy_batched(ranges, range_outs, bytes, 0);
  if (e == cudaSuccess) e = gpuprim::fill(also, n, 'a');
  if (e == cudaSuccess) e = gpuprim::generate(also, n, byte_of_position{});
  if (e == cudaSuccess) e = gpuprim::for_each(bytes, n, put_byte{also});
  if (e == cudaSuccess) e = gpuprim::replace_if(bytes, n, also, is_odd{}, 'a');
  if (e == cudaSuccess) e = gpuprim::gather(in, bytes, n, out);
  if (e == cudaSuccess) e = gpuprim::scatter(in, bytes, n, out);
  if (e == cudaSuccess) e = gpuprim::gather_if(in, bytes, bytes, n, out, is_odd{});
  if (e == cudaSuccess) e = gpuprim::scatter_if(in, bytes, bytes, n, out, is_odd{});
  if (e == cudaSuccess) e = gpuprim::transform_if(bytes, n, also, is_odd{}, is_odd{});
  if (e == cudaSuccess) e = gpuprim::sequence(also, n);
  if (e == cudaSuccess) e = gpuprim::reverse(in, n, out);
  if (e == cudaSuccess) e = gpuprim::shuffle(in, n, out, 1);
  if (e == cudaSuccess) e = gpuprim::adjacent_difference_right(bytes, n, also);
  if (e == cudaSuccess) e = gpuprim::adjacent_difference_in_place(also, n);
  if (e == cudaSuccess) e = gpuprim::adjacent_difference_right_in_place(also, n);
  if (e == cudaSuccess) e = gpuprim::lower_bound(bytes, n, bytes, n, also);
  if (e == cudaSuccess) e = gpuprim::upper_bound(bytes, n, bytes, n, also);
  if (e == cudaSuccess) e = gpuprim::lower_bound_of_sorted(bytes, n, bytes, n, also);
  if (e == cudaSuccess) e = gpuprim::upper_bound_of_sorted(bytes, n, bytes, n, also);
  if (e == cudaSuccess) e = gpuprim::transpose(in, n, n, out);
  if (e == cudaSuccess) e = gpuprim::transpose(bytes, n, n, also);
  return e;
}

struct minus_value {
  __host__ __device__ int operator()(int x) const { return -x; }
};

/// Each kind of scan: of numbers, of an operator that does not commute, of runs of keys, of segments and of columns.
cudaError_t scans(const unsigned char* bytes, const vector3* points, const int* keys, std::int64_t n, int* out,
                  vector3* points_out) {
  const auto plus = gpuprim::plus<>{};
  const vector3 zero{};
  const gpuprim::segment_offsets by_offsets{keys, n};
  cudaError_t e = gpuprim::exclusive_scan(bytes, n, out, plus);
  if (e == cudaSuccess) e = gpuprim::inclusive_scan(points, n, points_out, add3{});
  if (e == cudaSuccess) e = gpuprim::exclusive_scan(gpuprim::reproducible, bytes, n, out, plus);
  if (e == cudaSuccess) e = gpuprim::transform_exclusive_scan(keys, n, out, plus, minus_value{}, 0);
  if (e == cudaSuccess) e = gpuprim::transform_inclusive_scan(keys, n, out, plus, minus_value{});
  if (e == cudaSuccess) e = gpuprim::exclusive_scan_by_key(keys, points, n, points_out, add3{}, zero);
  if (e == cudaSuccess) e = gpuprim::inclusive_scan_by_key(keys, bytes, n, out, plus);
  if (e == cudaSuccess) e = gpuprim::segmented_exclusive_scan(points, by_offsets, n, points_out, add3{}, zero);
  if (e == cudaSuccess) e = gpuprim::segmented_inclusive_scan(bytes, gpuprim::fixed_length{9}, n, out, plus);
  if (e == cudaSuccess) e = gpuprim::column_exclusive_scan(points, n, 9, points_out, add3{}, zero);
  if (e == cudaSuccess) e = gpuprim::column_inclusive_scan(bytes, n, 9, out, plus);
  return e;
}

/// Sorts by digits, of segments too.
cudaError_t sorts(const float* in, const unsigned char* bytes, const int* offsets, std::int64_t n, float* out,
                  unsigned char* also) {
  cudaError_t e = gpuprim::sort_pairs(in, bytes, n, out, also, gpuprim::descending);
  if (e == cudaSuccess) e = gpuprim::sort(bytes, n, also);
  if (e == cudaSuccess) e = gpuprim::segmented_sort(in, gpuprim::segment_offsets{offsets, n}, n, out);
  if (e == cudaSuccess) e = gpuprim::segmented_sort_pairs(bytes, in, gpuprim::fixed_length{9}, n, also, out);
  if (e == cudaSuccess) e = gpuprim::segmented_sort(gpuprim::double_buffer{out, out + n}, gpuprim::fixed_length{9}, n);
  return e;
}

struct root_of_positive {
  __host__ __device__ gpuprim::maybe<float> operator()(float x) const {
    return x > 0 ? gpuprim::maybe<float>{sqrtf(x)} : gpuprim::maybe<float>{};
  }
};

/// Selects that look at one element, at its predecessor and at a flag, and partitions.
cudaError_t selects(const float* in, const unsigned char* bytes, std::int64_t n, float* out, unsigned char* also,
                    int* count) {
  cudaError_t e = gpuprim::select_if(in, n, out, count, is_odd{});
  if (e == cudaSuccess) e = gpuprim::unique(bytes, n, also, count);
  if (e == cudaSuccess) e = gpuprim::partition_if(in, n, gpuprim::outputs(out, out + n), count, is_odd{});
  if (e == cudaSuccess) e = gpuprim::select_flagged(in, bytes, n, out, count);
  if (e == cudaSuccess) e = gpuprim::select_indices(in, n, count + 1, count, is_odd{});
  if (e == cudaSuccess) e = gpuprim::transform_select(in, n, out, count, root_of_positive{});
  if (e == cudaSuccess) e = gpuprim::unique_by_key(bytes, in, n, also, out, count);
  if (e == cudaSuccess) e = gpuprim::partition_flagged(in, bytes, n, out, count);
  if (e == cudaSuccess) e = gpuprim::stable_partition_if(in, n, out, count, is_odd{});
  return e;
}

/// The k largest of an array and of rows, alone, with values and with their positions, and the n-th.
cudaError_t top_ks(const float* in, const unsigned char* bytes, std::int64_t n, float* out, unsigned char* also,
                   int* positions) {
  cudaError_t e = gpuprim::top_k(in, n, 10, out);
  if (e == cudaSuccess) e = gpuprim::top_k_positions(bytes, n, 10, also, positions, gpuprim::smallest.sorted());
  const gpuprim::fixed_length rows{n};
  if (e == cudaSuccess) e = gpuprim::top_k_pairs(in, bytes, n, 10, out, also);
  if (e == cudaSuccess) e = gpuprim::segmented_top_k(in, rows, 10, 10, out);
  const gpuprim::segment_bounds apart{positions, positions, n};
  const gpuprim::k_of_segments each{positions, 10};
  if (e == cudaSuccess) e = gpuprim::segmented_top_k(in, apart, n, each, out);
  if (e == cudaSuccess) e = gpuprim::segmented_top_k_pairs(in, bytes, rows, 10, 10, out, also);
  if (e == cudaSuccess) e = gpuprim::segmented_top_k_positions(bytes, rows, 10, 10, also, positions);
  if (e == cudaSuccess) e = gpuprim::nth_element(in, n, n / 2, out);
  if (e == cudaSuccess) e = gpuprim::segmented_nth_element(in, rows, 10, n / 2, out);
  if (e == cudaSuccess) e = gpuprim::segmented_nth_element(bytes, apart, n, positions, also, gpuprim::largest);
  return e;
}

struct is_left {
  __host__ __device__ bool operator()(const vector3& a, const vector3& b) const { return a.x < b.x; }
};

/// Merges and merge sorts of numbers, of structs and of pairs, and the set operations.
cudaError_t merges(const vector3* in, const int* keys, std::int64_t n, vector3* out, int* keys_out) {
  cudaError_t e = gpuprim::merge_sort(in, n, out, is_left{});
  if (e == cudaSuccess) e = gpuprim::merge_sort_pairs(keys, in, n, keys_out, out);
  if (e == cudaSuccess) e = gpuprim::merge(in, n, in, n, out, is_left{});
  if (e == cudaSuccess) e = gpuprim::merge_pairs(keys, keys, n, keys, keys, n, keys_out, keys_out + n);
  if (e == cudaSuccess) e = gpuprim::set_union(keys, n, keys, n, keys_out, keys_out + n);
  if (e == cudaSuccess) e = gpuprim::set_intersection(keys, n, keys, n, keys_out, keys_out + n);
  if (e == cudaSuccess) e = gpuprim::set_difference(keys, n, keys, n, keys_out, keys_out + n);
  if (e == cudaSuccess) e = gpuprim::set_symmetric_difference(keys, n, keys, n, keys_out, keys_out + n);
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
  GPUPRIM_SHARED(kept, unsigned[256]);
  scanned += unsigned(gpuprim::block_compact<256>(block, value, value > smallest, kept));
  scanned += unsigned(gpuprim::block_partition<256>(block, value > 9, value > 5).place);
  const gpuprim::append_queue<unsigned> queue{out, 1, reinterpret_cast<unsigned long long*>(out + 2)};
  gpuprim::block_append<256>(block, queue, value, scanned > 9);
  gpuprim::warp_append(gpuprim::warp_tile<32>{}, queue, value, scanned > 7);
  scanned += gpuprim::warp_compact(gpuprim::warp_tile<16>{}, scanned, value > 3).value;
  gpuprim::task_pool pool{queue.count, 100};
  while (pool.next(gpuprim::warp_tile<32>{}) >= 0) ++scanned;
  unsigned moved[] = {scanned, value, run, 1}, flags[4];
  const int ranks[] = {int(value), -1, int(run), int(sum)};
  gpuprim::block_blocked_to_striped<256>(block, moved);
  gpuprim::block_scatter_to_blocked<256>(block, moved, ranks);
  gpuprim::warp_striped_to_blocked(gpuprim::warp_tile<32>{}, moved);
  gpuprim::block_flag_heads<256>(block, moved, flags, [](unsigned a, unsigned b) { return a != b; });
  gpuprim::block_run_length_decode<256, 2>(block, moved, flags, [&](const auto& items) { scanned += items.values[0]; });
  const auto is_less = [](unsigned a, unsigned b) { return a < b; };
  gpuprim::thread_sort(moved, is_less);
  gpuprim::warp_sort(gpuprim::warp_tile<32>{}, moved, flags, is_less);
  gpuprim::warp_merge(gpuprim::warp_tile<16>{}, moved, is_less);
  gpuprim::block_sort<256>(block, moved, flags, is_less);
  gpuprim::block_merge<256>(block, moved, 100, is_less);
  scanned += moved[0] + flags[1];
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
      gpuprim::segmented_reduce(static_cast<const float*>(nullptr), static_cast<const int*>(nullptr), 0,
                                static_cast<float*>(nullptr), gpuprim::plus<>{}, 0.0f) == cudaSuccess ||
      gpuprim::column_reduce(static_cast<const float*>(nullptr), 0, 0, static_cast<float*>(nullptr), gpuprim::plus<>{},
                             0.0f) == cudaSuccess ||
      gpuprim::dot<__nv_bfloat16>(static_cast<const __nv_bfloat16*>(nullptr),
                                  static_cast<const __nv_bfloat16*>(nullptr), 0,
                                  static_cast<__nv_bfloat16*>(nullptr)) == cudaSuccess ||
      gpuprim::dot(static_cast<const short*>(nullptr), static_cast<const short*>(nullptr), 0,
                   static_cast<std::int64_t*>(nullptr)) == cudaSuccess ||
      gpuprim::squared_norm(static_cast<const __nv_fp8_e4m3*>(nullptr), 0, static_cast<float*>(nullptr)) ==
          cudaSuccess ||
      gpuprim::reduce_by_key(static_cast<const int*>(nullptr), static_cast<const float*>(nullptr), 0,
                             static_cast<int*>(nullptr), static_cast<float*>(nullptr), static_cast<int*>(nullptr),
                             gpuprim::plus<>{}) == cudaSuccess ||
      gpuprim::run_length_encode(static_cast<const int*>(nullptr), 0, static_cast<int*>(nullptr),
                                 static_cast<int*>(nullptr), static_cast<int*>(nullptr)) == cudaSuccess ||
      gpuprim::non_trivial_runs(static_cast<const int*>(nullptr), 0, static_cast<int*>(nullptr),
                                static_cast<int*>(nullptr), static_cast<int*>(nullptr)) == cudaSuccess ||
      family(nullptr, nullptr, nullptr, 0, nullptr) == cudaSuccess ||
      histograms(nullptr, nullptr, nullptr, 0, nullptr) == cudaSuccess ||
      streams(nullptr, nullptr, 0, nullptr, nullptr) == cudaSuccess ||
      scans(nullptr, nullptr, nullptr, 0, nullptr, nullptr) == cudaSuccess ||
      sorts(nullptr, nullptr, nullptr, 0, nullptr, nullptr) == cudaSuccess ||
      selects(nullptr, nullptr, 0, nullptr, nullptr, nullptr) == cudaSuccess ||
      top_ks(nullptr, nullptr, 0, nullptr, nullptr, nullptr) == cudaSuccess ||
      merges(nullptr, nullptr, 0, nullptr, nullptr) == cudaSuccess;
  return instantiated ? 0 : 1;
}
