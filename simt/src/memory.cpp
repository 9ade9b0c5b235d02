// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation and copies. Every allocation is known by address, so that a copy that leaves its allocation, a
// free of something else and a copy in the wrong direction get the errors that CUDA gives.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cuda.h>

#include <simt/runtime_templates.hpp>

#include "address_checker.hpp"
#include "device_model.hpp"
#include "garbage.hpp"
#include "host.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

struct allocation {
  std::size_t bytes;
  cudaMemoryType type;
  bool owned;  // false for host memory that was only registered
  static inline unsigned long long last_id = 0;
  unsigned long long id = ++last_id;
};

constexpr std::size_t alignment = 256;

// By first address. Never destroyed, so that leak detection sees memory as still reachable.
std::map<std::uintptr_t, allocation>& allocations() {
  static auto& all = *new std::map<std::uintptr_t, allocation>;
  return all;
}

std::size_t device_bytes_in_use = 0;

std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

const std::pair<const std::uintptr_t, allocation>* find(const void* pointer) {
  auto& all = allocations();
  auto after = all.upper_bound(number(pointer));
  if (after == all.begin()) return nullptr;
  --after;
  bool inside = number(pointer) - after->first < after->second.bytes || number(pointer) == after->first;
  return inside ? &*after : nullptr;
}

cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  race::quiet quiet;
  bool on_device = type != cudaMemoryTypeHost;
  if (on_device && bytes > current_model().memory_bytes - device_bytes_in_use) return cudaErrorMemoryAllocation;
  void* memory = allocate_garbage(bytes, alignment);
  if (!memory) return cudaErrorMemoryAllocation;
  allocations()[number(memory)] = {bytes, type, true};
  if (on_device) device_bytes_in_use += bytes;
  ++the_machine().counters.allocations;
  ++the_machine().counters.live_allocations;
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t release(void* pointer, bool host) {
  race::quiet quiet;
  auto& all = allocations();
  auto found = all.find(number(pointer));
  if (found == all.end() || !found->second.owned) return cudaErrorInvalidValue;
  if ((found->second.type == cudaMemoryTypeHost) != host) return cudaErrorInvalidValue;
  if (!host) device_bytes_in_use -= found->second.bytes;
  all.erase(found);
  note_freed(pointer);
  --the_machine().counters.live_allocations;
  std::free(pointer);
  return cudaSuccess;
}

bool device_accessible(const void* pointer) { return find(pointer) != nullptr; }

bool on_device(const void* pointer) {
  auto* found = find(pointer);
  return found && found->second.type != cudaMemoryTypeHost;
}

// A range that starts inside an allocation must end in it.
bool range_valid(const void* pointer, std::size_t bytes) {
  auto* found = find(pointer);
  return !found || bytes <= found->first + found->second.bytes - number(pointer);
}

// A variable of the program or of a library that it has loaded.
bool is_static(const void* pointer) {
  auto lies_in = [](dl_phdr_info* object, std::size_t, void* address) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& part = object->dlpi_phdr[i];
      if (part.p_type == PT_LOAD && number(address) - object->dlpi_addr - part.p_vaddr < part.p_memsz) return 1;
    }
    return 0;
  };
  return dl_iterate_phdr(lies_in, const_cast<void*>(pointer)) != 0;
}

// Asked of the kernel, which copies a set of signals before it refuses to use it. Memory that is mapped and protected,
// as AddressSanitizer has some, is not readable.
bool is_readable(const void* pointer) {
  constexpr std::size_t set_bytes = 8;
  auto* set = reinterpret_cast<void*>(number(pointer) & ~(set_bytes - 1));
  return syscall(SYS_rt_sigprocmask, ~0, set, nullptr, set_bytes) == -1 && errno != EFAULT;
}

}  // namespace

bool is_host_memory(const void* pointer) {
  if (!pointer) return false;
  race::quiet quiet;
  std::lock_guard lock(device_mutex());
  if (find(pointer) || find(static_cast<const char*>(pointer) - 1)) return false;  // the end of an array is its own
  if (is_static(pointer) || !is_readable(pointer)) return false;
#if defined(SIMT_ASAN)
  // What AddressSanitizer keeps for itself is no memory of the program, and cannot be asked about.
  constexpr std::uintptr_t highest_address = (std::uintptr_t{1} << 47) - 1;
  std::size_t scale = 0, shadow = 0;
  __asan_get_shadow_mapping(&scale, &shadow);
  if (number(pointer) - shadow <= highest_address >> scale) return false;
  if (__asan_address_is_poisoned(pointer)) return false;  // freed: the access itself is reported, with more to say
#endif
  return true;
}

cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (!to || !from || !range_valid(to, bytes) || !range_valid(from, bytes)) return cudaErrorInvalidValue;
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (to_device && !device_accessible(to)) return cudaErrorInvalidValue;
  if (from_device && !device_accessible(from)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

work copy_work(void* to, const void* from, std::size_t bytes) {
  return [=] {
    if (bytes) std::memmove(to, from, bytes);
  };
}

bool is_managed(const void* pointer) {
  auto* found = find(pointer);
  return found && found->second.type == cudaMemoryTypeManaged;
}

cudaError_t check_set(const void* to, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  return device_accessible(to) && range_valid(to, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

work set_work(void* to, int value, std::size_t bytes) {
  return [=] {
    if (bytes) std::memset(to, value, bytes);
  };
}

namespace {

// Memory allocated while capturing belongs to the graph.
cudaError_t allocate_for_graph(void** pointer, std::size_t bytes, capture& c) {
  cudaError_t error = allocate(pointer, bytes, cudaMemoryTypeDevice);
  if (error == cudaSuccess && *pointer) {
    c.graph->memory.emplace_back(*pointer, [](void* memory) { release(memory, false); });
  }
  return error;
}

bool belongs_to(const void* pointer, const capture& c) {
  for (const auto& memory : c.graph->memory) {
    if (memory.get() == pointer) return true;
  }
  return false;
}

}  // namespace

void free_all_memory() {
  race::quiet quiet;
  for (const auto& [first, what] : allocations()) {
    if (!what.owned) continue;
    --the_machine().counters.live_allocations;
    std::free(reinterpret_cast<void*>(first));
  }
  allocations().clear();
  device_bytes_in_use = 0;
}

cudaError_t copy_symbol(void* to, const void* from, std::size_t bytes, std::size_t offset, std::size_t symbol_bytes,
                        cudaStream_t stream, bool synchronous) {
  api_call call("cudaMemcpyToSymbol or cudaMemcpyFromSymbol");
  if (call.error()) return call.error();
  if (offset > symbol_bytes || bytes > symbol_bytes - offset) return report(cudaErrorInvalidValue);
  if (synchronous) count_synchronization();
  return report(enqueue(stream, copy_work(to, from, bytes)));
}

}  // namespace simt

using simt::api_call;
using simt::report;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  api_call call("cudaMalloc");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  return report(simt::allocate(pointer, bytes, cudaMemoryTypeDevice));
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  api_call call("cudaMallocAsync");
  if (call.error()) return call.error();
  CUstream_st* s = simt::find_stream(stream);
  if (!s) return report(cudaErrorInvalidResourceHandle);
  if (s->capturing) return report(simt::allocate_for_graph(pointer, bytes, *s->capturing));
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  if (cudaError_t error = simt::enqueue(stream, [] {})) return report(error);
  return report(simt::allocate(pointer, bytes, cudaMemoryTypeDevice));
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int) {
  api_call call("cudaMallocManaged");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  return report(simt::allocate(pointer, bytes, cudaMemoryTypeManaged));
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  api_call call("cudaHostAlloc");
  if (call.error()) return call.error();
  if (flags > 7) return report(cudaErrorInvalidValue);
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  return report(simt::allocate(pointer, bytes, cudaMemoryTypeHost));
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags) {
  api_call call("cudaHostGetDevicePointer");
  if (call.error()) return call.error();
  if (!device_pointer || flags != 0 || !simt::find(host_pointer)) return report(cudaErrorInvalidValue);
  *device_pointer = host_pointer;
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int) {
  api_call call("cudaHostRegister");
  if (call.error()) return call.error();
  if (!pointer || bytes == 0) return report(cudaErrorInvalidValue);
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  if (simt::find(pointer)) return report(cudaErrorHostMemoryAlreadyRegistered);
  simt::allocations()[simt::number(pointer)] = {bytes, cudaMemoryTypeHost, false};
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  api_call call("cudaHostUnregister");
  if (call.error()) return call.error();
  auto found = simt::allocations().find(simt::number(pointer));
  if (found == simt::allocations().end() || found->second.owned) return report(cudaErrorHostMemoryNotRegistered);
  simt::allocations().erase(found);
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  api_call call("cudaFree");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  if (!pointer) return cudaSuccess;
  simt::count_synchronization();
  return report(simt::release(pointer, false));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  api_call call("cudaFreeAsync");
  if (call.error()) return call.error();
  CUstream_st* s = simt::find_stream(stream);
  if (!s) return report(cudaErrorInvalidResourceHandle);
  if (!pointer) return cudaSuccess;
  if (!simt::on_device(pointer)) return report(cudaErrorInvalidValue);
  // The graph owns what it allocated, and can free nothing else; on replay the freed memory is garbage again.
  if (s->capturing) {
    if (!simt::belongs_to(pointer, *s->capturing)) return report(cudaErrorInvalidValue);
    std::size_t bytes = simt::find(pointer)->second.bytes;
    return report(simt::enqueue(stream, [=] { simt::fill_garbage(pointer, bytes); }));
  }
  if (cudaError_t error = simt::enqueue(stream, [] {})) return report(error);
  return report(simt::release(pointer, false));
}

cudaError_t cudaFreeHost(void* pointer) {
  api_call call("cudaFreeHost");
  if (call.error()) return call.error();
  if (!pointer) return cudaSuccess;
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  return report(simt::release(pointer, true));
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  api_call call("cudaMemGetInfo");
  if (call.error()) return call.error();
  std::size_t total = simt::current_model().memory_bytes;
  if (total_bytes) *total_bytes = total;
  if (free_bytes) *free_bytes = total - simt::device_bytes_in_use;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  api_call call("cudaPointerGetAttributes");
  if (call.error()) return call.error();
  if (!attributes) return report(cudaErrorInvalidValue);
  void* address = const_cast<void*>(pointer);
  auto* found = simt::find(pointer);
  if (!found) {
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, address};
    return cudaSuccess;
  }
  bool host_readable = found->second.type != cudaMemoryTypeDevice;
  *attributes = {found->second.type, 0, address, host_readable ? address : nullptr};
  return cudaSuccess;
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  std::lock_guard lock(simt::device_mutex());
  auto* found = simt::find(reinterpret_cast<const void*>(std::uintptr_t(pointer)));
  if (!data || attribute != CU_POINTER_ATTRIBUTE_BUFFER_ID || !found) return CUresult(cudaErrorInvalidValue);
  *static_cast<unsigned long long*>(data) = found->second.id;
  return CUDA_SUCCESS;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  api_call call("cudaMemcpy");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_copy(to, from, bytes, kind)) return report(error);
  simt::count_synchronization();
  return report(simt::enqueue(nullptr, simt::copy_work(to, from, bytes)));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  api_call call("cudaMemcpyAsync");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_copy(to, from, bytes, kind)) return report(error);
  return report(simt::enqueue(stream, simt::copy_work(to, from, bytes)));
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  api_call call("cudaMemset");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_set(to, bytes)) return report(error);
  return report(simt::enqueue(nullptr, simt::set_work(to, value, bytes)));
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  api_call call("cudaMemsetAsync");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_set(to, bytes)) return report(error);
  return report(simt::enqueue(stream, simt::set_work(to, value, bytes)));
}
