// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaError_t and the calls that report errors.
#pragma once

enum cudaError {
#define SIMT_CUDA_ERROR(name, value, text) name = value,
#include <simt/error_list.hpp>
#undef SIMT_CUDA_ERROR
};
using cudaError_t = cudaError;

// The last error of this host thread, which cudaGetLastError resets. When the device itself has failed (a
// kernel trapped), every call that needs it fails again until cudaDeviceReset.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
