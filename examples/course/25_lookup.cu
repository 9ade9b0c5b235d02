// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small lookup table in the registers of a warp and in shared memory, each timed. Registers hold up to 128 bytes, one
// 4-byte entry for each lane, and a shuffle asks for an entry. Shared memory holds more, but lanes that ask for
// different entries of one bank wait for each other.
//   25_lookup [N]
// Source: the warp shuffle functions of NVIDIA's "CUDA C++ Programming Guide".
#include "../measure.hpp"

#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

constexpr int largest_in_registers = 32, largest_in_shared = 1024, block_size = 256;

// [kernels]
__global__ void lookup_in_registers(const float* table, int entries, const int* index, int n, float* out) {
  const int lane = int(threadIdx.x % 32);
  const float entry = lane < entries ? table[lane] : 0.0f;
  const int first = int(blockIdx.x * blockDim.x + threadIdx.x) - lane;  // the same for the whole warp, as is `start`
  for (int start = first; start < n; start += int(gridDim.x * blockDim.x)) {
    const int i = start + lane;
    const int wanted = i < n ? index[i] : 0;  // a lane beyond the end still answers the others
    const float found = __shfl_sync(0xffffffffu, entry, wanted);
    if (i < n) out[i] = found;
  }
}

__global__ void lookup_in_shared(const float* table, int entries, const int* index, int n, float* out) {
  GPUPRIM_SHARED(copy, float[largest_in_shared]);
  for (int i = int(threadIdx.x); i < entries; i += int(blockDim.x)) copy[i] = table[i];
  __syncthreads();
  const int threads = int(gridDim.x * blockDim.x);
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += threads) out[i] = copy[index[i]];
}
// [kernels]

bool check(const char* place, void (*lookup)(const float*, int, const int*, int, float*), int entries, int n) {
  std::vector<float> table, want;
  std::vector<int> index;
  for (int i = 0; i < entries; ++i) table.push_back(float(i * i % 977) / 8);
  for (int i = 0; i < n; ++i) {
    index.push_back(int(unsigned(i) * 2654435761u % unsigned(entries)));
    want.push_back(table[index.back()]);
  }
  const measure::device_array<float> device_table(table), out(want.size());
  const measure::device_array<int> device_index(index);
  out.poison();
  const int blocks = (n - 1) / (4 * block_size) + 1;  // about four lookups a thread
  measure::event_timer timer;
  const double us = timer.us([&](int) {
    return gpuprim::launch(lookup, blocks, block_size, nullptr, device_table.data(), entries, device_index.data(), n,
                           out.data());
  });
  const bool right = out.on_host() == want;
  std::printf("%d entries in %s, %d lookups: %s: %s\n", entries, place, n, measure::figure(us, "us").c_str(),
              right ? "right" : "WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int largest = measure::size_to_run(count, arguments, 4999);
  bool right = true;
  for (int n : {1, 33, largest}) {
    for (int entries : {1, 5, 31, largest_in_registers}) {
      right &= check("registers", lookup_in_registers, entries, n);
    }
    for (int entries : {1, 32, 33, 256, 1023, largest_in_shared}) {
      right &= check("shared memory", lookup_in_shared, entries, n);
    }
  }
  return right ? 0 : 1;
}
