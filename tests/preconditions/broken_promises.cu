// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `broken_promises <case> broken` calls a function as its @pre forbids, `broken_promises <case> kept` as it asks.
// Ends with 0 where nothing was noticed.
#include <gpuprim/gpuprim.cuh>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

constexpr int threads = 64;

/// Launches a kernel that takes one int: what it is asked to do wrong, or right.
template <class Kernel>
void launch(Kernel kernel, dim3 grid, int block, int argument) {
  cudaLaunchConfig_t shape{};
  shape.gridDim = grid;
  shape.blockDim = dim3(unsigned(block));
  if (cudaLaunchKernelEx(&shape, kernel, argument) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) {
    std::exit(2);
  }
}

// A line that a sentence must name carries the name of its case.
__global__ void block_size(int) {
  gpuprim::block_reduce<threads>(gpuprim::this_block{}, 1, gpuprim::plus{});  // [block_size]
}

__global__ void all_block_size(int) {
  gpuprim::block_all_reduce<threads>(gpuprim::this_block{}, 1, gpuprim::plus{});  // [all_block_size]
}

__global__ void block_count(int count) {
  gpuprim::block_reduce(gpuprim::this_block{}, 1, gpuprim::plus{}, count);  // [block_count]
}

__global__ void warp_count(int count) {
  gpuprim::warp_reduce(gpuprim::warp_tile<16>{}, 1, gpuprim::plus{}, count);  // [warp_count]
}

__global__ void scan_block_size(int) {
  gpuprim::block_inclusive_scan<threads>(gpuprim::this_block{}, 1, gpuprim::plus{});  // [scan_block_size]
}

__global__ void scan_count(int count) {
  int total = 0;
  gpuprim::block_exclusive_scan(gpuprim::this_block{}, 1, gpuprim::plus{}, 0, total, count);  // [scan_count]
}

__global__ void warp_scan_count(int count) {
  const gpuprim::warp_tile<16> tile;
  gpuprim::warp_inclusive_scan(tile, 1, gpuprim::plus{}, {}, count);  // [warp_scan_count]
}

struct is_less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sort_block_size(int) {
  int keys[] = {2, 1};
  gpuprim::block_sort<threads>(gpuprim::this_block{}, keys, is_less{});  // [sort_block_size]
}

__global__ void sort_count(int count) {
  int keys[] = {2, 1};
  gpuprim::block_sort<threads>(gpuprim::this_block{}, keys, is_less{}, count);  // [sort_count]
}

__global__ void half_a_sort(int callers) {
  int keys[] = {2, 1};
  if (int(threadIdx.x) >= callers) return;
  gpuprim::block_sort<threads>(gpuprim::this_block{}, keys, is_less{});  // [half_a_sort]
}

__global__ void radix_sort_count(int count) {
  int keys[] = {2, 1};
  gpuprim::block_radix_sort<threads>(gpuprim::this_block{}, keys, gpuprim::ascending, count);  // [radix_sort_count]
}

__global__ void radix_sort_bits(int end) {
  int keys[] = {2, 1};
  const auto order = gpuprim::descending.bits(8, end);
  gpuprim::block_radix_sort<threads>(gpuprim::this_block{}, keys, order);  // [radix_sort_bits]
}

__global__ void radix_rank_digit(int digit) {
  const unsigned digits[] = {2, unsigned(digit)};
  int ranks[2];
  gpuprim::block_radix_rank<threads, 4>(gpuprim::this_block{}, digits, ranks);  // [radix_rank_digit]
}

__global__ void warp_sort_count(int count) {
  int key = 1;
  gpuprim::warp_sort(gpuprim::warp_tile<16>{}, key, is_less{}, count);  // [warp_sort_count]
}

__global__ void merge_block_size(int) {
  int keys[] = {1, 1};
  gpuprim::block_merge<threads>(gpuprim::this_block{}, keys, 3, is_less{});  // [merge_block_size]
}

__global__ void merge_first_count(int count) {
  int keys[] = {1, 1};
  gpuprim::block_merge<threads>(gpuprim::this_block{}, keys, count, is_less{}, 100);  // [merge_first_count]
}

__global__ void merge_counts(int count) {
  GPUPRIM_SHARED(runs, int[6]);
  int merged[1];
  if (threadIdx.x < 6) runs[threadIdx.x] = 1;
  __syncthreads();
  gpuprim::block_merge<threads>(gpuprim::this_block{}, runs, count, runs + 3, 3, merged, is_less{});  // [merge_counts]
}

__global__ void half_a_scan(int callers) {
  int values[] = {1, 2};
  if (int(threadIdx.x) >= callers) return;
  gpuprim::block_inclusive_scan<threads>(gpuprim::this_block{}, values, gpuprim::plus{});  // [half_a_scan]
}

__global__ void compact_block_size(int) {
  GPUPRIM_SHARED(kept, int[96]);
  gpuprim::block_compact<threads>(gpuprim::this_block{}, 1, true, kept);  // [compact_block_size]
}

__global__ void compact_count(int count) {
  GPUPRIM_SHARED(kept, int[96]);
  gpuprim::block_compact<threads>(gpuprim::this_block{}, 1, true, kept, count);  // [compact_count]
}

__global__ void append_block_size(int) {
  gpuprim::append_queue<int> queue{};
  gpuprim::block_append<threads>(gpuprim::this_block{}, queue, 1, false);  // [append_block_size]
}

__global__ void top_k_block_size(int) {
  const int keys[] = {1};
  bool taken[1];
  gpuprim::block_top_k<threads>(gpuprim::this_block{}, keys, 1, taken);  // [top_k_block_size]
}

__global__ void half_a_partition(int callers) {
  if (int(threadIdx.x) >= callers) return;
  gpuprim::block_partition<threads>(gpuprim::this_block{}, true, false);  // [half_a_partition]
}

__global__ void exchange_block_size(int) {
  int values[] = {1, 2};
  gpuprim::block_blocked_to_striped<threads>(gpuprim::this_block{}, values);  // [exchange_block_size]
}

__global__ void half_an_exchange(int callers) {
  int values[] = {1, 2};
  if (int(threadIdx.x) >= callers) return;
  gpuprim::block_striped_to_blocked<threads>(gpuprim::this_block{}, values);  // [half_an_exchange]
}

__global__ void scatter_rank(int last) {
  int values[] = {1};
  const int ranks[] = {int(threadIdx.x) == threads - 1 ? last : int(threadIdx.x)};
  gpuprim::block_scatter_to_striped<threads>(gpuprim::this_block{}, values, ranks);  // [scatter_rank]
}

__global__ void tile_block_size(int) {
  const int values[] = {1, 2};
  GPUPRIM_SHARED(out, int[192]);
  using enum gpuprim::tile_transfer;
  gpuprim::block_store<threads, direct>(gpuprim::this_block{}, values, &out[0]);  // [tile_block_size]
}

__global__ void tile_count(int count) {
  int values[] = {1, 2};
  gpuprim::block_load<threads>(gpuprim::this_block{}, static_cast<const int*>(nullptr), values, count);  // [tile_count]
}

__global__ void shift_block_size(int) {
  gpuprim::block_shift_up<threads>(gpuprim::this_block{}, 1, 2);  // [shift_block_size]
}

__global__ void rotate_distance(int distance) {
  (void)gpuprim::block_rotate<threads>(gpuprim::this_block{}, 1, distance);  // [rotate_distance]
}

__global__ void memory_bytes(int bytes) {
  GPUPRIM_SHARED(memory, uint4[threads]);
  const gpuprim::block_with_memory block(&memory, bytes);
  (void)gpuprim::block_shift_up<threads>(block, 1, 0);  // [memory_bytes]
}

__global__ void run_time_bins(int bins) {
  GPUPRIM_SHARED(counts, unsigned[8]);
  const int bin[] = {1};
  gpuprim::block_histogram<threads>(gpuprim::this_block{}, bin, counts, bins);  // [run_time_bins]
}

__global__ void difference_count(int count) {
  const gpuprim::this_block block;
  int v[] = {1, 2};
  gpuprim::block_adjacent_difference<threads>(block, v, v, gpuprim::minus{}, {}, count);  // [difference_count]
}

__global__ void decode_length(int length) {
  const int values[] = {1}, lengths[] = {length};
  const auto forget = [](const auto&) {};
  gpuprim::block_run_length_decode<threads, 1>(gpuprim::this_block{}, values, lengths, forget);  // [decode_length]
}

__global__ void rows_count(int count) {
  gpuprim::uninitialized_array<int, 4> rows;
  for (int i = 0; i < 4; ++i) rows[i] = 1;
  gpuprim::warp_all_reduce_rows(rows, gpuprim::plus{}, count);  // [rows_count]
}

__global__ void histogram_block_size(int) {
  GPUPRIM_SHARED(counts, unsigned[4]);
  const int items[1] = {1};
  gpuprim::block_histogram<threads>(gpuprim::this_block{}, items, counts);  // [histogram_block_size]
}

__global__ void histogram_counters(int in_shared) {
  GPUPRIM_SHARED(counts, unsigned[4]);
  unsigned own[4] = {};
  const int items[1] = {1};
  gpuprim::block_histogram_add(items, in_shared ? counts : own);  // [histogram_counters]
}

__global__ void half_a_block(int callers) {
  if (int(threadIdx.x) >= callers) return;
  gpuprim::block_reduce<threads>(gpuprim::this_block{}, 1, gpuprim::plus{});  // [half_a_block]
}

__global__ void half_a_histogram(int callers) {
  GPUPRIM_SHARED(counts, unsigned[4]);
  const int items[1] = {1};
  if (int(threadIdx.x) >= callers) return;
  gpuprim::block_histogram(gpuprim::this_block{}, items, counts);  // [half_a_histogram]
}

__device__ long long grid_buffer[64];

__global__ void grid_dimensions(int) {
  const auto state = gpuprim::make_grid_reduce_state<int>(grid_buffer);
  gpuprim::grid_reduce<threads>(gpuprim::this_block{}, 1, gpuprim::plus{}, state, [](int) {});  // [grid_dimensions]
}

__global__ void half_a_grid(int callers) {
  if (int(threadIdx.x) >= callers) return;
  const auto state = gpuprim::make_grid_reduce_state<int>(grid_buffer);
  gpuprim::grid_reduce<threads>(gpuprim::this_block{}, 1, gpuprim::plus{}, state, [](int) {});  // [half_a_grid]
}

alignas(16) __device__ float elements[16];

__global__ void load_alignment(int first) {
  gpuprim::load_packed(elements + first);  // [load_alignment]
}

template <class T>
T* managed(int count) {
  void* memory = nullptr;
  if (cudaMallocManaged(&memory, std::size_t(count) * sizeof(T)) != cudaSuccess) std::exit(2);
  return static_cast<T*>(memory);
}

/// Calls `go` with `count` segments of one value, one of which, if it is told so, begins before the one before it.
template <class Go>
void offsets(int count, bool keeps, const Go& go) {
  int* bounds = managed<int>(count + 1);
  float *values = managed<float>(count), *results = managed<float>(count);
  for (int i = 0; i <= count; ++i) bounds[i] = i;
  for (int i = 0; i < count; ++i) values[i] = 1;
  if (!keeps) bounds[count / 2] = 0;
  if (go(values, bounds, results) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) std::exit(2);
}

void sum_segments(int count, bool keeps) {
  offsets(count, keeps, [&](const float* values, const int* bounds, float* results) {
    return gpuprim::segmented_reduce(values, bounds, count, results, gpuprim::plus{});
  });
}

/// Counts 64 samples between levels, of which, if it is told so, one is below the one before it.
void levels(bool keeps) {
  int *levels = managed<int>(5), *samples = managed<int>(64);
  unsigned* counts = managed<unsigned>(4);
  for (int i = 0; i < 5; ++i) levels[i] = 10 * i;
  for (int i = 0; i < 64; ++i) samples[i] = i;
  if (!keeps) levels[2] = 5;
  const cudaError_t error = gpuprim::histogram(samples, 64, counts, gpuprim::bin_ranges<int>{levels, 4});
  if (error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) std::exit(2);
}

const std::map<std::string, void (*)(bool)> cases = {
    {"block_size", [](bool keeps) { launch(block_size, 1, keeps ? threads : 96, 0); }},
    {"all_block_size", [](bool keeps) { launch(all_block_size, 1, keeps ? threads : 96, 0); }},
    {"half_a_block", [](bool keeps) { launch(half_a_block, 1, threads, keeps ? threads : threads / 2); }},
    {"half_a_histogram", [](bool keeps) { launch(half_a_histogram, 1, threads, keeps ? threads : threads / 2); }},
    {"half_a_grid", [](bool keeps) { launch(half_a_grid, 1, threads, keeps ? threads : threads / 2); }},
    {"block_count", [](bool keeps) { launch(block_count, 1, 50, keeps ? 0 : -1); }},
    {"scan_block_size", [](bool keeps) { launch(scan_block_size, 1, keeps ? threads : 96, 0); }},
    {"scan_count", [](bool keeps) { launch(scan_count, 1, 50, keeps ? 0 : -1); }},
    {"warp_scan_count", [](bool keeps) { launch(warp_scan_count, 1, threads, keeps ? 0 : -1); }},
    {"sort_block_size", [](bool keeps) { launch(sort_block_size, 1, keeps ? threads : 96, 0); }},
    {"sort_count", [](bool keeps) { launch(sort_count, 1, threads, keeps ? 0 : -1); }},
    {"half_a_sort", [](bool keeps) { launch(half_a_sort, 1, threads, keeps ? threads : threads / 2); }},
    {"radix_sort_count", [](bool keeps) { launch(radix_sort_count, 1, threads, keeps ? 0 : -1); }},
    {"radix_rank_digit", [](bool keeps) { launch(radix_rank_digit, 1, threads, keeps ? 15 : 16); }},
    {"radix_sort_bits", [](bool keeps) { launch(radix_sort_bits, 1, threads, keeps ? 32 : 33); }},
    {"merge_counts", [](bool keeps) { launch(merge_counts, 1, threads, keeps ? 3 : -1); }},
    {"warp_sort_count", [](bool keeps) { launch(warp_sort_count, 1, threads, keeps ? 0 : -1); }},
    {"merge_block_size", [](bool keeps) { launch(merge_block_size, 1, keeps ? threads : 96, 0); }},
    {"merge_first_count", [](bool keeps) { launch(merge_first_count, 1, threads, keeps ? 100 : 101); }},
    {"half_a_scan", [](bool keeps) { launch(half_a_scan, 1, threads, keeps ? threads : threads / 2); }},
    {"compact_block_size", [](bool keeps) { launch(compact_block_size, 1, keeps ? threads : 96, 0); }},
    {"compact_count", [](bool keeps) { launch(compact_count, 1, threads, keeps ? 0 : -1); }},
    {"top_k_block_size", [](bool keeps) { launch(top_k_block_size, 1, keeps ? threads : 96, 0); }},
    {"append_block_size", [](bool keeps) { launch(append_block_size, 1, keeps ? threads : 96, 0); }},
    {"half_a_partition", [](bool keeps) { launch(half_a_partition, 1, threads, keeps ? threads : threads / 2); }},
    {"exchange_block_size", [](bool keeps) { launch(exchange_block_size, 1, keeps ? threads : 96, 0); }},
    {"half_an_exchange", [](bool keeps) { launch(half_an_exchange, 1, threads, keeps ? threads : threads / 2); }},
    {"memory_bytes", [](bool keeps) { launch(memory_bytes, 1, threads, keeps ? threads * 4 : threads * 4 - 1); }},
    {"run_time_bins", [](bool keeps) { launch(run_time_bins, 1, threads, keeps ? 8 : -1); }},
    {"scatter_rank", [](bool keeps) { launch(scatter_rank, 1, threads, keeps ? threads - 1 : threads); }},
    {"tile_block_size", [](bool keeps) { launch(tile_block_size, 1, keeps ? threads : 96, 0); }},
    {"tile_count", [](bool keeps) { launch(tile_count, 1, threads, keeps ? 0 : -1); }},
    {"shift_block_size", [](bool keeps) { launch(shift_block_size, 1, keeps ? threads : 96, 0); }},
    {"rotate_distance", [](bool keeps) { launch(rotate_distance, 1, threads, keeps ? 1 - threads : threads); }},
    {"difference_count", [](bool keeps) { launch(difference_count, 1, threads, keeps ? 0 : -1); }},
    {"decode_length", [](bool keeps) { launch(decode_length, 1, threads, keeps ? 0 : -1); }},
    {"warp_count", [](bool keeps) { launch(warp_count, 1, threads, keeps ? 0 : -1); }},
    {"rows_count", [](bool keeps) { launch(rows_count, 1, 32, keeps ? 0 : -1); }},
    {"histogram_block_size", [](bool keeps) { launch(histogram_block_size, 1, keeps ? threads : 32, 0); }},
    {"histogram_counters", [](bool keeps) { launch(histogram_counters, 1, threads, keeps); }},
    {"grid_dimensions", [](bool keeps) { launch(grid_dimensions, keeps ? dim3(3) : dim3(3, 2), threads, 0); }},
    {"load_alignment", [](bool keeps) { launch(load_alignment, 1, threads, keeps ? 4 : 3); }},
    {"few_offsets", [](bool keeps) { sum_segments(100, keeps); }},
    {"some_offsets", [](bool keeps) { sum_segments(5000, keeps); }},
    {"many_offsets", [](bool keeps) { sum_segments(50000, keeps); }},
    {"histogram_levels", levels},
};

}  // namespace

int main(int argc, char** argv) {
  const auto found = cases.find(argc == 3 ? argv[1] : "");
  if (found == cases.end()) {
    std::fprintf(stderr, "usage: broken_promises <case> broken|kept\n");
    return 2;
  }
  found->second(std::string(argv[2]) == "kept");
}
