// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program may ask cudaGetDriverEntryPointByVersion for: three functions of the driver.
#pragma once

#include <simt/runtime_types.hpp>

struct CUctx_st;
using CUcontext = CUctx_st*;
using CUdeviceptr = unsigned long long;
using CUfunction = cudaFunction_t;

// The numbers are cudaError_t's.
enum CUresult : int { CUDA_SUCCESS = 0 };

enum CUpointer_attribute { CU_POINTER_ATTRIBUTE_BUFFER_ID = 7 };

enum CUlaunchAttributeID {
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
};

struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  cudaLaunchAttributeValue value;
};

struct CUlaunchConfig {
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  cudaStream_t hStream;
  CUlaunchAttribute* attrs;
  unsigned int numAttrs;
};

// Of the one context: most calls of the runtime make it, and a reset ends it.
CUresult cuCtxGetId(CUcontext context, unsigned long long* id);
// The number of an allocation, which none gets again.
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer);
// Leaves the runtime's last error alone.
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra);
