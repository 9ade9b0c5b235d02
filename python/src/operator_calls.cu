// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with an operator of the user's, whose kernel (gpuprim/_operators.cuh) _operators.py has compiled.
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/grid/tile_counts.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/grid/tile_rows.cuh>
#include <gpuprim/launch/host_result.cuh>
#include <gpuprim/launch/memory_lease.cuh>

#include <algorithm>
#include <memory>
#include <vector>

#include "core.hpp"

#if defined(SIMT_DEVICE)
#include <dlfcn.h>
#endif

namespace gpuprim_python {
namespace {

using gpuprim::detail::tile_look_back;

constexpr int block_size = 256;

/// A kernel on its device, and how many of its blocks are resident there at a time.
struct loaded_kernel {
  const void* kernel;
  std::int64_t resident;
};

constexpr const char* kernel_name = "gpuprim_operator";

#if defined(SIMT_DEVICE)
/// The code is the path of a shared object, which makes its kernel known when it is loaded.
const void* find_kernel(const std::string& code) {
  void* const library = dlopen(code.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const kernel = library ? dlsym(library, kernel_name) : nullptr;
  if (!kernel) throw std::runtime_error(std::string("gpuprim: the compiled operator cannot be loaded: ") + dlerror());
  return kernel;
}
#else
/// The code is a cubin.
const void* find_kernel(const std::string& code) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  check_runtime("load", cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check_runtime("load", cudaLibraryGetKernel(&kernel, library, kernel_name));
  return reinterpret_cast<const void*>(kernel);
}
#endif

const loaded_kernel& at_address(address handle) { return *reinterpret_cast<const loaded_kernel*>(handle); }

/// Launches a kernel with its arguments, which are of exactly the types of its parameters.
template <class... Arguments>
cudaError_t launch(const loaded_kernel& loaded, std::int64_t blocks, const scope& on, Arguments... arguments) {
  void* all[] = {&arguments...};
  return cudaLaunchKernel(loaded.kernel, dim3(unsigned(blocks)), dim3(block_size), all, 0, on.stream);
}

/// Memory that the blocks of a launch share. It is zero before the launch.
template <class Launch>
void with_memory(const char* call, std::int64_t bytes, const scope& on, const Launch& launch_with) {
  gpuprim::detail::memory_lease lease({bytes, 0}, on.how());
  if (lease.error()) check_runtime(call, lease.refusal().code);
  check_runtime(call, lease.finish(launch_with(lease.zeroed())).code);
}

/// As `tile` of _operators.cuh.
std::int64_t count_tiles(std::int64_t n, std::int64_t bytes) {
  const std::int64_t items = block_size * (bytes == 8 ? 8 : 16), tiles = (n + items - 1) / items;
  if (tiles > gpuprim::detail::tile_order::most_tiles) throw std::invalid_argument("gpuprim: the array is too long");
  return tiles;
}

using raw_input = input<std::uint8_t>;
using raw_output = output<std::uint8_t>;

}  // namespace

address load_operator(const std::string& code, place at) {
  const scope on("load", at);
  const void* const kernel = find_kernel(code);
  int device = 0, multiprocessors = 0, blocks = 0;
  check_runtime("load", cudaGetDevice(&device));
  check_runtime("load", cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  check_runtime("load", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
  // It stays loaded: graphs may hold the kernel.
  return reinterpret_cast<address>(new loaded_kernel{kernel, std::int64_t(blocks) * multiprocessors});
}

void transform_by(address kernel, const std::vector<address>& in, const std::vector<std::int64_t>& bytes,
                  std::int64_t n, address out, std::int64_t out_bytes, place at) {
  const scope on("transform", at);
  std::vector<std::unique_ptr<raw_input>> inputs;
  for (std::size_t i = 0; i < in.size(); ++i) inputs.push_back(std::make_unique<raw_input>(in[i], n * bytes[i]));
  const raw_output to(out, n * out_bytes);
  std::uint8_t* const result = to.get();
  std::vector<const std::uint8_t*> elements;
  for (const auto& one : inputs) elements.push_back(one->get());
  std::vector<void*> arguments = {&n, const_cast<std::uint8_t**>(&result)};
  for (const auto*& one : elements) arguments.push_back(const_cast<std::uint8_t**>(&one));
  const std::int64_t blocks = (n + 8 * block_size - 1) / (8 * block_size);
  if (blocks > 0x7fffffff) throw std::invalid_argument("gpuprim.transform: the array is too long");
  check_runtime("transform", cudaLaunchKernel(at_address(kernel).kernel, dim3(unsigned(blocks)), dim3(block_size),
                                              arguments.data(), 0, on.stream));
  to.keep();
}

void reduce_by(address kernel, std::int64_t bytes, address in, std::int64_t n, std::uint64_t initial, address out,
               place at) {
  const scope on("reduce", at);
  const raw_input from(in, n * bytes);
  const raw_output to(out, bytes);
  const auto& loaded = at_address(kernel);
  // Enough elements for each thread that the blocks' values do not count.
  const std::int64_t most = (n * bytes + 32 * 1024 - 1) / (32 * 1024);
  const std::int64_t blocks = std::max<std::int64_t>(1, std::min(most, loaded.resident));
  visit_words(bytes, "reduce", [&]<class Word>(Word*) {
    using part = gpuprim::detail::maybe<Word>;
    with_memory("reduce", gpuprim::grid_reduce_bytes<part>(blocks), on,
                [&](void* memory) { return launch(loaded, blocks, on, from.get(), n, initial, to.get(), memory); });
  });
  to.keep();
}

void scan_by(address kernel, std::int64_t bytes, address in, std::int64_t n, std::uint64_t initial, address out,
             place at) {
  const scope on("scan", at);
  const raw_input from(in, n * bytes);
  const raw_output to(out, n * bytes);
  const auto& loaded = at_address(kernel);
  const std::int64_t tiles = count_tiles(n, bytes), blocks = std::min(tiles, loaded.resident);
  visit_words(bytes, "scan", [&]<class Word>(Word*) {
    using look_back = tile_look_back<gpuprim::detail::tile_rows<Word>>;
    with_memory("scan", look_back::bytes(tiles), on,
                [&](void* memory) { return launch(loaded, blocks, on, from.get(), n, initial, to.get(), memory); });
  });
  to.keep();
}

std::int64_t select_by(address kernel, std::int64_t bytes, address in, std::int64_t n, address out, place at) {
  const scope on("select_if", at);
  const raw_input from(in, n * bytes);
  const raw_output to(out, n * bytes);
  const auto& loaded = at_address(kernel);
  const std::int64_t tiles = count_tiles(n, bytes), blocks = std::min(tiles, loaded.resident);
  gpuprim::detail::host_result* result = nullptr;
  const std::int64_t memory_bytes = tile_look_back<gpuprim::detail::tile_counts>::bytes(tiles);
  check_runtime("select_if", gpuprim::detail::host_result::find(sizeof(std::int64_t), memory_bytes, result));
  auto* const count = static_cast<std::int64_t*>(result->memory());
  check_runtime("select_if", launch(loaded, blocks, on, from.get(), n, to.get(), count, result->scratch().data()));
  check_runtime("select_if", cudaStreamSynchronize(on.stream));
  to.keep(*count * bytes);
  return *count;
}

#if !defined(SIMT_DEVICE)
int find_architecture(int device) {
  int major = 0, minor = 0;
  check_runtime("compile", cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  check_runtime("compile", cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return 10 * major + minor;
}
#endif

}  // namespace gpuprim_python
