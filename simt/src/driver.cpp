// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's functions, and its one context.
#include <cuda.h>

#include <cstring>
#include <vector>

#include <simt/launch.hpp>

#include "host.hpp"

namespace simt {
namespace {

unsigned long long context_id = 0;
bool has_context = false;

}  // namespace

void make_context() {
  if (!has_context) ++context_id;
  has_context = true;
}

void end_context() { has_context = false; }

}  // namespace simt

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  std::lock_guard lock(simt::device_mutex());
  if (context || !id) return CUresult(cudaErrorInvalidValue);
  if (!simt::has_context) return CUresult(cudaErrorDeviceUninitialized);
  *id = simt::context_id;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction function, void** parameters, void**) {
  std::vector<cudaLaunchAttribute> attributes;
  for (unsigned i = 0; i < c->numAttrs; ++i) {
    attributes.push_back({cudaLaunchAttributeID(c->attrs[i].id), c->attrs[i].value});
  }
  const cudaLaunchConfig_t config{dim3(c->gridDimX, c->gridDimY, c->gridDimZ),
                                  dim3(c->blockDimX, c->blockDimY, c->blockDimZ),
                                  c->sharedMemBytes,
                                  c->hStream,
                                  attributes.data(),
                                  c->numAttrs};
  const cudaError_t before = cudaPeekAtLastError();
  const cudaError_t error = cudaLaunchKernelExC(&config, function, parameters);
  if (error != cudaSuccess) {
    (void)cudaGetLastError();
    (void)simt::report(before);
  }
  return CUresult(error);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  if (!name || !function) return simt::report(cudaErrorInvalidValue);
  *function = nullptr;
  if (std::strcmp(name, "cuCtxGetId") == 0) *function = reinterpret_cast<void*>(&cuCtxGetId);
  if (std::strcmp(name, "cuLaunchKernelEx") == 0) *function = reinterpret_cast<void*>(&cuLaunchKernelEx);
  if (std::strcmp(name, "cuPointerGetAttribute") == 0) *function = reinterpret_cast<void*>(&cuPointerGetAttribute);
  if (result) *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
