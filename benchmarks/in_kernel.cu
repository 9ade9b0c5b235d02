// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cycles, registers and shared bytes of reduces inside a kernel, beside CUB and cooperative groups.
// `in_kernel [results.json]` prints Markdown tables, writes the file and fails if a result is wrong.
//
// A kernel runs a chain of reduces: rank 0 puts the result, less a constant, back as its own next value, so that
// every reduce waits for the one before, and one wrong result shows in the last. The clock is read around the chain.
// All keep one contract: rank 0 gets the result, and the next call may follow at once; CUB's block reduces need a
// barrier for that, which is counted. "alone" is one block on the GPU, "full" as many as fit on every multiprocessor.
#include "support/results.hpp"

#include <gpuprim/block/block_reduce.cuh>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int reduces = 256;
constexpr int launches = 15;

using bench::check;

struct gpuprim_warp {
  static constexpr const char* name = "gpuprim::warp_reduce";
  template <int, class T>
  __device__ static T sum(T v) { return gpuprim::warp_reduce(gpuprim::warp_tile<32>{}, v, gpuprim::plus{}); }
};

struct cub_warp {
  static constexpr const char* name = "cub::WarpReduce";
  template <int Block, class T>
  __device__ static T sum(T v) {
    using reduce = cub::WarpReduce<T>;
    __shared__ typename reduce::TempStorage storage[Block / 32];  // empty: no barrier is counted for it
    return reduce(storage[threadIdx.x / 32]).Sum(v);
  }
};

struct cg_warp {
  static constexpr const char* name = "cg::reduce";
  template <int, class T>
  __device__ static T sum(T v) {
    namespace cg = cooperative_groups;
    return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), v, cg::plus<T>());
  }
};

struct gpuprim_block {
  static constexpr const char* name = "gpuprim::block_reduce";
  template <int Block, class T>
  __device__ static T sum(T v) { return gpuprim::block_reduce<Block>(gpuprim::this_block{}, v, gpuprim::plus{}); }
};

template <cub::BlockReduceAlgorithm Algorithm>
struct cub_block {
  static constexpr const char* name = Algorithm == cub::BLOCK_REDUCE_RAKING ? "cub::BlockReduce raking"
                                      : Algorithm == cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY
                                          ? "cub::BlockReduce raking, commutative"
                                          : "cub::BlockReduce warp reductions";
  template <int Block, class T>
  __device__ static T sum(T v) {
    using reduce = cub::BlockReduce<T, Block, Algorithm>;
    __shared__ typename reduce::TempStorage storage;
    const T result = reduce(storage).Sum(v);
    __syncthreads();
    return result;
  }
};

/// Group: the threads of one reduce, a warp or the block.
template <class Contender, int Group, int Block, class T>
__global__ void __launch_bounds__(Block) chain(const T* in, T rest, T* out, long long* cycles) {
  const int rank = int(threadIdx.x) % Group;
  T value = in[rank], result = value;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < reduces; ++i) {
    result = Contender::template sum<Block>(value);
    if (rank == 0) value = result - rest;
  }
  __syncthreads();
  const long long end = clock64();
  if (rank == 0) out[(blockIdx.x * Block + threadIdx.x) / Group] = result;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}

struct row {
  std::string reduce, type;
  int block, blocks_per_multiprocessor, registers, shared_bytes;
  double alone, full;
};

template <class T>
T* upload(const std::vector<T>& values) {
  T* data = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&data), values.size() * sizeof(T)), "allocate");
  check(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  return data;
}

/// Cycles a reduce: the mean over the blocks of a launch, the median over the launches.
template <class Contender, int Group, int Block, class T>
double measure(int blocks) {
  std::vector<T> in(Group);
  T total = 0;
  for (int i = 0; i < Group; ++i) total += in[i] = T(i % 5 + 1);
  const T rest = total - in[0] - 1;  // each result is one more than the one before
  const int results = blocks * (Block / Group);
  T *device_in = upload(in), *device_out = upload(std::vector<T>(results));
  long long* device_cycles = upload(std::vector<long long>(blocks));

  std::vector<double> means;
  for (int launch = -2; launch < launches; ++launch) {
    check(cudaMemset(device_out, 0xff, results * sizeof(T)), "poison");
    chain<Contender, Group, Block><<<blocks, Block>>>(device_in, rest, device_out, device_cycles);
    check(cudaDeviceSynchronize(), Contender::name);
    std::vector<long long> cycles(blocks);
    std::vector<T> out(results);
    check(cudaMemcpy(cycles.data(), device_cycles, blocks * sizeof(long long), cudaMemcpyDeviceToHost), "copy");
    check(cudaMemcpy(out.data(), device_out, results * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    for (T got : out) {
      if (got == total + T(reduces - 1)) continue;
      std::fprintf(stderr, "%s, block %d: %g instead of %g\n", Contender::name, Block, double(got),
                   double(total + T(reduces - 1)));
      std::exit(1);
    }
    double sum = 0;
    for (long long c : cycles) sum += double(c);
    if (launch >= 0) means.push_back(sum / blocks / reduces);  // those before warm up
  }
  for (void* data : {(void*)device_in, (void*)device_out, (void*)device_cycles}) check(cudaFree(data), "free");
  std::nth_element(means.begin(), means.begin() + launches / 2, means.end());
  return means[launches / 2];
}

template <class Contender, int Group, int Block, class T>
void add_row(std::vector<row>& rows, const char* type) {
  const auto kernel = chain<Contender, Group, Block, T>;
  cudaFuncAttributes attributes;
  int per_multiprocessor = 0, multiprocessors = 0;
  check(cudaFuncGetAttributes(&attributes, kernel), "attributes");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, Block, 0), "occupancy");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");
  rows.push_back({Contender::name, type, Block, per_multiprocessor, attributes.numRegs,
                  int(attributes.sharedSizeBytes), measure<Contender, Group, Block, T>(1),
                  measure<Contender, Group, Block, T>(multiprocessors * per_multiprocessor)});
}

constexpr std::size_t warp_contenders = 3, block_contenders = 4;

template <int Block, class T>
void add_rows(std::vector<row>& rows, const char* type) {
  add_row<gpuprim_warp, 32, Block, T>(rows, type);
  add_row<cub_warp, 32, Block, T>(rows, type);
  add_row<cg_warp, 32, Block, T>(rows, type);
  add_row<gpuprim_block, Block, Block, T>(rows, type);
  add_row<cub_block<cub::BLOCK_REDUCE_RAKING>, Block, Block, T>(rows, type);
  add_row<cub_block<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>, Block, Block, T>(rows, type);
  add_row<cub_block<cub::BLOCK_REDUCE_WARP_REDUCTIONS>, Block, Block, T>(rows, type);
}

template <class T>
void add_type(std::vector<row>& rows, const char* type) {
  add_rows<128, T>(rows, type);
  add_rows<256, T>(rows, type);
  add_rows<1024, T>(rows, type);
}

void write_json(const char* path, const std::vector<row>& rows) {
  std::FILE* file = bench::open_results(path, CUB_VERSION);
  std::fprintf(file, ",\n \"reduces\": %d,\n \"launches\": %d,\n \"statistic\": \"median\",\n \"rows\": [", reduces,
               launches);
  const char* separator = "\n";
  for (const row& r : rows) {
    std::fprintf(file,
                 "%s  {\"reduce\": \"%s\", \"type\": \"%s\", \"block\": %d, \"alone_cycles\": %.1f, "
                 "\"full_cycles\": %.1f, \"blocks_per_multiprocessor\": %d, \"registers\": %d, \"shared_bytes\": %d}",
                 separator, r.reduce.c_str(), r.type.c_str(), r.block, r.alone, r.full, r.blocks_per_multiprocessor,
                 r.registers, r.shared_bytes);
    separator = ",\n";
  }
  std::fprintf(file, "\n ]\n}\n");
  std::fclose(file);
}

/// One table of the rows from `begin` on that share a type and a block, gpuprim first, and the next ones like them.
void print_table(const std::vector<row>& rows, std::size_t begin, std::size_t contenders) {
  std::printf("\n| type | block |");
  for (std::size_t i = 0; i < contenders; ++i) std::printf(" %s |", rows[begin + i].reduce.c_str());
  std::printf("\n|---|---|");
  for (std::size_t i = 0; i < contenders; ++i) std::printf("---|");
  for (std::size_t i = begin; i < rows.size(); i += warp_contenders + block_contenders) {
    std::printf("\n| %s | %d |", rows[i].type.c_str(), rows[i].block);
    for (std::size_t j = i; j < i + contenders; ++j) {
      std::printf(" %.0f / %.0f (%d, %d) |", rows[j].alone, rows[j].full, rows[j].registers, rows[j].shared_bytes);
    }
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<row> rows;
  add_type<int>(rows, "i32");
  add_type<float>(rows, "f32");
  add_type<double>(rows, "f64");
  std::printf("Cycles alone / full (registers, shared bytes)\n");
  print_table(rows, 0, warp_contenders);
  print_table(rows, warp_contenders, block_contenders);
  if (argc > 1) write_json(argv[1], rows);
}
