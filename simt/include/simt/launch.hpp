// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel launches and the questions about kernels: the parts of the runtime that know a kernel's parameter
// types.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <simt/device_interface.hpp>
#include <simt/runtime_api.hpp>

namespace simt {

// A kernel with its arguments, ready to be run by any number of CUDA threads, now or from a graph.
struct kernel_call {
  const void* kernel = nullptr;
  void (*run)(const void* bound) = nullptr;
  std::shared_ptr<const void> bound;
  int host_argument = 0;  // the first, counted from 1, that points to host memory
};

using kernel_binder = kernel_call (*)(const void* kernel, void** arguments);

// Lets cudaLaunchKernel and friends find the parameter types behind a `const void*`.
void register_kernel(const void* kernel, kernel_binder);

// Whether an address is of memory of the host that no GPU reaches: not from cudaMalloc and its kind, not registered,
// and no variable of the program, any of which may be a __device__ one.
bool is_host_memory(const void*);

cudaError_t launch(const cudaLaunchConfig_t&, kernel_call);
cudaError_t launch_untyped(const cudaLaunchConfig_t&, const void* kernel, void** arguments);
cudaError_t function_attributes(cudaFuncAttributes*, const void* kernel);
cudaError_t set_function_attribute(const void* kernel, cudaFuncAttribute, int value);
cudaError_t max_active_blocks(int* blocks, const void* kernel, int block_threads, std::size_t dynamic_shared_bytes);
cudaError_t max_active_clusters(int* clusters, const void* kernel, const cudaLaunchConfig_t*);
cudaError_t max_potential_cluster_size(int* cluster_size, const void* kernel, const cudaLaunchConfig_t*);
int largest_block(const void* kernel);

template <class T>
bool is_host_pointer(const T& argument) {
  if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) {
    return is_host_memory(const_cast<const void*>(static_cast<const volatile void*>(argument)));
  } else {
    return false;
  }
}

template <class Call>
void run_bound(const void* call) {
  (*static_cast<const Call*>(call))();
}
template <class Call>
void delete_bound(const void* call) {
  delete static_cast<const Call*>(call);
}

// Programs have hundreds of kernels, so what depends on their parameters is kept small: kernels with the same
// parameters share all of it, a closure holds the arguments, and one type of shared_ptr serves them all.
template <class... Parameters>
kernel_call bind(void (*kernel)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  static_assert((std::is_copy_constructible_v<Parameters> && ...), "simt: a kernel parameter must be copyable");
  int position = 0, host_argument = 0;
  ((++position, host_argument == 0 && is_host_pointer(arguments) ? void(host_argument = position) : void()), ...);
  // Every parameter is passed by value: each CUDA thread gets copies of its own.
  auto call = [kernel, ... own = std::move(arguments)] { kernel(own...); };
  const void* bound = new auto(std::move(call));
  return {reinterpret_cast<const void*>(kernel), &run_bound<decltype(call)>,
          std::shared_ptr<const void>(bound, &delete_bound<decltype(call)>), host_argument};
}

template <class... Parameters>
const void* identify(void (*kernel)(Parameters...)) {
  auto* address = reinterpret_cast<const void*>(kernel);
  register_kernel(address, [](const void* untyped, [[maybe_unused]] void** arguments) {
    auto* typed = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(untyped));
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return simt::bind(typed, *static_cast<Parameters*>(arguments[Index])...);
    }(std::index_sequence_for<Parameters...>{});
  });
  return address;
}
// An address, which may be a number or nullptr where a cast to a pointer was left out.
template <class Address>
  requires(!std::is_function_v<std::remove_pointer_t<Address>>)
const void* identify(Address kernel) {
  return (const void*)kernel;
}

}  // namespace simt

// ---- launches ----
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "simt: wrong number of kernel arguments");
  return simt::launch(*config, simt::bind(kernel, std::forward<Arguments>(arguments)...));
}

template <class Kernel>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, Kernel kernel, void** arguments) {
  return simt::launch_untyped(*config, simt::identify(kernel), arguments);
}

template <class Kernel>
cudaError_t cudaLaunchKernel(Kernel kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr) {
  cudaLaunchConfig_t config{grid, block, dynamic_shared_bytes, stream, nullptr, 0};
  return simt::launch_untyped(config, simt::identify(kernel), arguments);
}

template <class Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr) {
  cudaLaunchAttribute cooperative{cudaLaunchAttributeCooperative, {}};
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t config{grid, block, dynamic_shared_bytes, stream, &cooperative, 1};
  return simt::launch_untyped(config, simt::identify(kernel), arguments);
}

// ---- functions ----
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return simt::function_attributes(attributes, simt::identify(kernel));
}

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return simt::set_function_attribute(simt::identify(kernel), attribute, value);
}

template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel* kernel, cudaFuncCache) {
  simt::identify(kernel);
  return cudaSuccess;
}

// A kernel's address stands for it in the one context, too.
template <class Kernel>
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, Kernel* kernel) {
  *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(simt::identify(kernel)));
  return cudaSuccess;
}

// ---- occupancy ----
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int block_threads,
                                                          std::size_t dynamic_shared_bytes) {
  return simt::max_active_blocks(blocks, simt::identify(kernel), block_threads, dynamic_shared_bytes);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel* kernel, int block_threads,
                                                                   std::size_t dynamic_shared_bytes, unsigned int) {
  return simt::max_active_blocks(blocks, simt::identify(kernel), block_threads, dynamic_shared_bytes);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Kernel* kernel, const cudaLaunchConfig_t* config) {
  return simt::max_active_clusters(clusters, simt::identify(kernel), config);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, Kernel* kernel, const cudaLaunchConfig_t* config) {
  return simt::max_potential_cluster_size(size, simt::identify(kernel), config);
}

// The block size, a multiple of the warp, with the highest occupancy; ties go to the larger block.
template <class BytesOfBlock, class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block_threads, Kernel* kernel,
                                                           BytesOfBlock bytes_of_block, int block_limit = 0) {
  int device = 0, multiprocessors = 0;
  if (cudaError_t error = cudaGetDevice(&device)) return error;
  if (cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)) {
    return error;
  }
  int largest = simt::largest_block(simt::identify(kernel));
  if (block_limit > 0 && block_limit < largest) largest = block_limit;
  int best_threads = 0;
  *min_grid = *block_threads = 0;
  for (int rounded = (largest + warpSize - 1) / warpSize * warpSize; rounded > 0; rounded -= warpSize) {
    int threads = rounded < largest ? rounded : largest;
    int blocks = 0;
    if (cudaError_t error =
            simt::max_active_blocks(&blocks, simt::identify(kernel), threads, std::size_t(bytes_of_block(threads)))) {
      return error;
    }
    if (blocks * threads > best_threads) {
      best_threads = blocks * threads;
      *min_grid = blocks * multiprocessors;
      *block_threads = threads;
    }
  }
  return cudaSuccess;
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_threads, Kernel* kernel,
                                               std::size_t dynamic_shared_bytes = 0, int block_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      min_grid, block_threads, kernel, [=](int) { return dynamic_shared_bytes; }, block_limit);
}
