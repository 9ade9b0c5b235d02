// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchKernel((void*)kernel, ...): programs cast a kernel to its address because CUDA looks kernels up by it. A
// host compiler keeps no list of kernels, and the type is all that says how to call one. Macros see the call before
// the cast is made, and leave it out.
#pragma once

#include <simt/launch.hpp>

// `(type) kernel` becomes `kernel`; what does not begin with brackets, or ends with them, stays as it is.
#define SIMT_NOTHING(...)
#define SIMT_COMMA(...) ,
#define SIMT_NOTHING_IF_SECOND(first, ...) __VA_OPT__(SIMT_NOTHING)
#define SIMT_EXPAND_ARGUMENTS(macro, ...) macro(__VA_ARGS__)
#define SIMT_WITHOUT_CAST(kernel, ...) \
  SIMT_EXPAND_ARGUMENTS(SIMT_NOTHING_IF_SECOND, SIMT_COMMA kernel) kernel, __VA_ARGS__

#define cudaLaunchKernel(...) cudaLaunchKernel(SIMT_WITHOUT_CAST(__VA_ARGS__))
#define cudaLaunchCooperativeKernel(...) cudaLaunchCooperativeKernel(SIMT_WITHOUT_CAST(__VA_ARGS__))
#define cudaLaunchKernelExC(config, ...) cudaLaunchKernelExC(config, SIMT_WITHOUT_CAST(__VA_ARGS__))
