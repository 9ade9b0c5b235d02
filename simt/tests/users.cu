// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as users write them, in CUDA's own syntax and without this project's headers: reductions, scans, sorts,
// histograms, groups, shuffles, queues, and the memory that such programs use.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 128;

/// An array in device memory.
template <class T>
class array {
 public:
  explicit array(const std::vector<T>& from) : size_(from.size()) {
    REQUIRE(cudaMalloc(&data_, size_ * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { (void)cudaFree(data_); }

  T* data() const { return data_; }
  /// What the kernels before have left there.
  std::vector<T> wait() const {
    std::vector<T> all(size_);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(cudaMemcpy(all.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return all;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

std::vector<int> numbers(int n) {
  std::vector<int> all(n);
  for (int i = 0; i < n; ++i) all[i] = int((unsigned(i) * 2654435761u >> 7) % 1000) - 300;
  return all;
}

int sum_of(const std::vector<int>& all) { return std::accumulate(all.begin(), all.end(), 0); }

std::vector<int> inclusive_sums(std::vector<int> all) {
  std::partial_sum(all.begin(), all.end(), all.begin());
  return all;
}

// ---- reductions ----
__global__ void reduce_in_shared(const int* in, int n, int* out) {
  __shared__ int partial[threads];
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += in[i];
  partial[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void reduce_by_shuffles(const int* in, int n, int* out) {
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += in[i];
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_down_sync(0xffffffffu, own, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, own);
}

__global__ void reduce_in_one_pass(const int* in, int n, volatile int* partial, unsigned* ticket, int* out) {
  __shared__ int sums[threads];
  __shared__ bool is_last;
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += in[i];
  sums[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < threads; ++i) all += sums[i];
    partial[blockIdx.x] = all;
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) all += partial[block];
    *out = all;
  }
}

// ---- scans ----
__global__ void scan_by_doubling(int* data, int n) {
  extern __shared__ int lines[];
  int from = 0, to = n;
  lines[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int i = int(threadIdx.x);
    lines[to + i] = lines[from + i] + (i >= offset ? lines[from + i - offset] : 0);
    from = n - from;
    to = n - to;
    __syncthreads();
  }
  data[threadIdx.x] = lines[from + threadIdx.x];
}

__global__ void scan_up_and_down(const int* in, int* out) {
  __shared__ int tree[2 * threads];
  const int i = int(threadIdx.x);
  tree[2 * i] = in[2 * i];
  tree[2 * i + 1] = in[2 * i + 1];
  int offset = 1;
  for (int pairs = threads; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    if (i < pairs) tree[offset * (2 * i + 2) - 1] += tree[offset * (2 * i + 1) - 1];
  }
  if (i == 0) tree[2 * threads - 1] = 0;
  for (int pairs = 1; pairs <= threads; pairs *= 2) {
    offset /= 2;
    __syncthreads();
    if (i < pairs) {
      const int left = offset * (2 * i + 1) - 1, right = offset * (2 * i + 2) - 1;
      const int before = tree[left];
      tree[left] = tree[right];
      tree[right] += before;
    }
  }
  __syncthreads();
  out[2 * i] = tree[2 * i];
  out[2 * i + 1] = tree[2 * i + 1];
}

__device__ int scan_warp(int own) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, own, offset);
    if (int(threadIdx.x) % 32 >= offset) own += before;
  }
  return own;
}

__global__ void scan_by_shuffles(int* data) {
  __shared__ int sums[threads / 32];
  int own = scan_warp(data[threadIdx.x]);
  if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = own;
  __syncthreads();
  for (unsigned warp = 0; warp < threadIdx.x / 32; ++warp) own += sums[warp];
  data[threadIdx.x] = own;
}

// ---- sorts ----
__global__ void sort_bitonic(int* data) {
  __shared__ int keys[threads];
  const unsigned i = threadIdx.x;
  keys[i] = data[i];
  __syncthreads();
  for (unsigned length = 2; length <= threads; length *= 2) {
    for (unsigned distance = length / 2; distance > 0; distance /= 2) {
      const unsigned other = i ^ distance;
      if (other > i && (keys[i] > keys[other]) == ((i & length) == 0)) {
        const int kept = keys[i];
        keys[i] = keys[other];
        keys[other] = kept;
      }
      __syncthreads();
    }
  }
  data[i] = keys[i];
}

__global__ void sort_by_bits(unsigned* data) {
  __shared__ unsigned keys[threads];
  __shared__ int zeros_of[threads / 32];
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  unsigned key = data[threadIdx.x];
  for (int bit = 0; bit < 10; ++bit) {
    const unsigned zeros = __ballot_sync(0xffffffffu, (key >> bit & 1) == 0);
    if (lane == 0) zeros_of[warp] = __popc(zeros);
    __syncthreads();
    int before = __popc(zeros & ((1u << lane) - 1)), all = 0;
    for (int w = 0; w < threads / 32; ++w) {
      if (w < warp) before += zeros_of[w];
      all += zeros_of[w];
    }
    const bool is_one = (key >> bit & 1) != 0;
    keys[is_one ? all + int(threadIdx.x) - before : before] = key;
    __syncthreads();
    key = keys[threadIdx.x];
  }
  data[threadIdx.x] = key;
}

// ---- histograms ----
__global__ void count_bins(const int* in, int n, unsigned* bins) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[unsigned(in[i]) % 16], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// ---- groups ----
__global__ void reduce_by_tiles(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  int own = in[block.group_index().x * block.size() + block.thread_rank()];
  for (unsigned offset = tile.size() / 2; offset > 0; offset /= 2) own += tile.shfl_down(own, offset);
  if (tile.thread_rank() == 0) atomicAdd(out, own);
}

__global__ void keep_positive(const int* in, int n, int* out, int* count) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || in[i] <= 0) return;
  const cg::coalesced_group those = cg::coalesced_threads();
  int first = 0;
  if (those.thread_rank() == 0) first = atomicAdd(count, int(those.size()));
  out[those.shfl(first, 0) + int(those.thread_rank())] = in[i];
}

__global__ void sum_of_neighbours(const int* in, int* between, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int n = int(grid.size()), i = int(grid.thread_rank());
  between[i] = in[i] + in[(i + 1) % n];
  grid.sync();
  out[i] = between[i] + between[(i + n - 1) % n];
}

// ---- queues ----
__global__ void take_tasks(int* next, int tasks, int* done) {
  __shared__ int task;
  for (;;) {
    if (threadIdx.x == 0) task = atomicAdd(next, 1);
    __syncthreads();
    const int mine = task;
    __syncthreads();
    if (mine >= tasks) return;
    if (threadIdx.x == mine % blockDim.x) atomicAdd(&done[mine], mine);
  }
}

// ---- shuffles, pitched memory and symbols ----
__global__ void transpose_by_shuffles(const int* square, int* out) {
  // Each lane has a row of four in a square of 4 * 4.
  int row[4];
  for (int i = 0; i < 4; ++i) row[i] = square[4 * (threadIdx.x % 4) + i];
  for (int i = 0; i < 4; ++i) {
    const int from = (int(threadIdx.x) + i) % 4;
    int got = 0;
    for (int j = 0; j < 4; ++j) {
      const int value = __shfl_sync(0xffffffffu, row[j], from, 4);
      if (j == int(threadIdx.x) % 4) got = value;
    }
    if (threadIdx.x < 4) out[4 * threadIdx.x + from] = got;
  }
}

__constant__ int weights[3];
__device__ int calls;

__global__ void weigh_rows(const char* in, std::size_t pitch, int columns, int* out) {
  const int row = int(blockIdx.x), column = int(threadIdx.x);
  const int* line = reinterpret_cast<const int*>(in + row * pitch);
  int all = 0;
  for (int i = -1; i <= 1; ++i) {
    if (column + i >= 0 && column + i < columns) all += weights[i + 1] * line[column + i];
  }
  out[row * columns + column] = all;
  if (column == 0) atomicAdd(&calls, 1);
}

}  // namespace

TEST_CASE("Reductions of users") {
  const int n = 5001, blocks = 5;
  const auto all = numbers(n);
  const array<int> in(all), partial(std::vector<int>(blocks, -1)), out(std::vector<int>(1, 0));
  const array<unsigned> ticket(std::vector<unsigned>(1, 0));
  reduce_in_shared<<<blocks, threads>>>(in.data(), n, partial.data());
  CHECK(sum_of(partial.wait()) == sum_of(all));
  reduce_by_shuffles<<<blocks, threads>>>(in.data(), n, out.data());
  CHECK(out.wait()[0] == sum_of(all));
  reduce_in_one_pass<<<blocks, threads>>>(in.data(), n, partial.data(), ticket.data(), out.data());
  CHECK(out.wait()[0] == sum_of(all));
  CHECK(ticket.wait()[0] == 0);
}

TEST_CASE("Scans of users") {
  const auto all = numbers(threads), twice = numbers(2 * threads);
  const array<int> doubled(all), shuffled(all), in(twice), out(twice);
  scan_by_doubling<<<1, threads, 2 * threads * sizeof(int)>>>(doubled.data(), threads);
  CHECK(doubled.wait() == inclusive_sums(all));
  scan_by_shuffles<<<1, threads>>>(shuffled.data());
  CHECK(shuffled.wait() == inclusive_sums(all));
  scan_up_and_down<<<1, threads>>>(in.data(), out.data());
  std::vector<int> before = inclusive_sums(twice);
  before.insert(before.begin(), 0);
  before.pop_back();
  CHECK(out.wait() == before);
}

TEST_CASE("Sorts of users") {
  auto all = numbers(threads);
  std::vector<unsigned> bits;
  for (const int x : all) bits.push_back(unsigned(x + 300));
  const array<int> keys(all);
  const array<unsigned> short_keys(bits);
  sort_bitonic<<<1, threads>>>(keys.data());
  std::sort(all.begin(), all.end());
  CHECK(keys.wait() == all);
  sort_by_bits<<<1, threads>>>(short_keys.data());
  std::sort(bits.begin(), bits.end());
  CHECK(short_keys.wait() == bits);
}

TEST_CASE("Histograms of users") {
  const auto all = numbers(3000);
  const array<int> in(all);
  const array<unsigned> bins(std::vector<unsigned>(16, 0));
  count_bins<<<4, threads>>>(in.data(), 3000, bins.data());
  std::vector<unsigned> expected(16, 0);
  for (const int x : all) ++expected[unsigned(x) % 16];
  CHECK(bins.wait() == expected);
}

TEST_CASE("Groups of users") {
  const int n = 4 * threads;
  const auto all = numbers(n);
  const array<int> in(all), between(all), out(all), sum(std::vector<int>(1, 0)), count(std::vector<int>(1, 0));
  reduce_by_tiles<<<4, threads>>>(in.data(), sum.data());
  CHECK(sum.wait()[0] == sum_of(all));

  keep_positive<<<4, threads>>>(in.data(), n, out.data(), count.data());
  std::vector<int> positive, kept = out.wait();
  for (const int x : all) {
    if (x > 0) positive.push_back(x);
  }
  REQUIRE(count.wait()[0] == int(positive.size()));
  kept.resize(positive.size());
  std::sort(positive.begin(), positive.end());
  std::sort(kept.begin(), kept.end());
  CHECK(kept == positive);

  int *from = in.data(), *middle = between.data(), *to = out.data();
  void* arguments[] = {&from, &middle, &to};
  REQUIRE(cudaLaunchCooperativeKernel((void*)sum_of_neighbours, 4, threads, arguments) == cudaSuccess);
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = all[(i + n - 1) % n] + 2 * all[i] + all[(i + 1) % n];
  CHECK(out.wait() == expected);
}

TEST_CASE("Queues of users") {
  const int tasks = 300;
  const array<int> next(std::vector<int>(1, 0)), done(std::vector<int>(tasks, 0));
  take_tasks<<<3, 64>>>(next.data(), tasks, done.data());
  std::vector<int> each(tasks);
  std::iota(each.begin(), each.end(), 0);
  CHECK(done.wait() == each);
}

TEST_CASE("Shuffles, pitched memory and symbols of users") {
  std::vector<int> square(16), transposed(16);
  std::iota(square.begin(), square.end(), 0);
  for (int i = 0; i < 16; ++i) transposed[i] = i % 4 * 4 + i / 4;
  const array<int> in(square), turned(std::vector<int>(16, -1));
  transpose_by_shuffles<<<1, 32>>>(in.data(), turned.data());
  CHECK(turned.wait() == transposed);

  const int rows = 3, columns = 37;
  const int shares[] = {1, -2, 3};
  int none = 0, called = 0;
  REQUIRE(cudaMemcpyToSymbol(weights, shares, sizeof(shares)) == cudaSuccess);
  REQUIRE(cudaMemcpyToSymbol(calls, &none, sizeof(none)) == cudaSuccess);
  const auto all = numbers(rows * columns);
  const array<int> out(all);
  char* pitched = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch((void**)&pitched, &pitch, columns * sizeof(int), rows) == cudaSuccess);
  REQUIRE(cudaMemcpy2D(pitched, pitch, all.data(), columns * sizeof(int), columns * sizeof(int), rows,
                       cudaMemcpyHostToDevice) == cudaSuccess);
  weigh_rows<<<rows, columns>>>(pitched, pitch, columns, out.data());
  std::vector<int> expected;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int* line = all.data() + row * columns;
      expected.push_back((column > 0 ? line[column - 1] : 0) - 2 * line[column] +
                         (column + 1 < columns ? 3 * line[column + 1] : 0));
    }
  }
  CHECK(out.wait() == expected);
  REQUIRE(cudaMemcpyFromSymbol(&called, calls, sizeof(called)) == cudaSuccess);
  CHECK(called == rows);
  CHECK(cudaFree(pitched) == cudaSuccess);
}
