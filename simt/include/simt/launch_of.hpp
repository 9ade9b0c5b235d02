// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuda_syntax.sed makes of kernel<<<grid, block, shared, stream>>>(...).
#pragma once

#include <simt/launch.hpp>

namespace simt {

template <class... Parameters>
auto launch_of(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes = 0,
               cudaStream_t stream = nullptr) {
  return [=](std::type_identity_t<Parameters>... arguments) {
    const cudaLaunchConfig_t config{grid, block, shared_bytes, stream, nullptr, 0};
    (void)cudaLaunchKernelEx(&config, kernel, arguments...);
  };
}

}  // namespace simt
