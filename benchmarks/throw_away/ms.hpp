#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <functional>
// kind: 0 u32 1 u64 2 f32 3 f64 4 i16 5 u8 6 half ; values: 0 none 4 u32
struct lib { const char* name; cudaError_t (*sort)(int kind, int values, const void* in, const void* vin, long long n, void* out, void* vout, cudaStream_t s);
  cudaError_t (*seg)(int kind, int values, const void* in, const void* vin, const int* off, long long segs, long long n, long long fixed, void* out, void* vout, cudaStream_t s); };
lib lib_new(); lib lib_old(); lib lib_cub32(); lib lib_cub64();
