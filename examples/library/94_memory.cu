// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where calls take their memory from: a memory resource as RMM has them, a memory pool of CUDA's, the caching allocator
// of PyTorch, or a workspace of the size that a dry run finds. And what the library's own pool holds.
#include <gpuprim/launch/memory_pool.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/select.cuh>
#include <gpuprim/sort.cuh>

#include "../measure.hpp"

#include <map>

#if __has_include(<c10/cuda/CUDACachingAllocator.h>)
#include <c10/cuda/CUDACachingAllocator.h>
#else
// What an extension calls of PyTorch, for where there is none: two functions with these types.
namespace c10::cuda::CUDACachingAllocator {
inline void* raw_alloc_with_stream(std::size_t bytes, cudaStream_t stream) {
  void* memory = nullptr;
  measure::check(cudaMallocAsync(&memory, bytes, stream));
  return memory;
}
inline void raw_delete(void* memory) { measure::check(cudaFreeAsync(memory, nullptr)); }
}  // namespace c10::cuda::CUDACachingAllocator
#endif

namespace {

using measure::check;

// [resource]
/// Keeps each piece of memory for the next call that asks for as much, and counts what it has. A resource of RMM has
/// these two functions; one of `cuda::mr` takes the stream first, and an alignment.
class caching_resource {
 public:
  void* allocate(std::size_t bytes, cudaStream_t stream) {
    if (const auto kept = kept_.find(bytes); kept != kept_.end()) {
      void* const memory = kept->second;
      kept_.erase(kept);
      return memory;
    }
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, stream));
    ++pieces;
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, cudaStream_t) { kept_.emplace(bytes, memory); }
  // [resource]
  void free_all(cudaStream_t stream) {
    for (const auto& [bytes, memory] : kept_) check(cudaFreeAsync(memory, stream));
    kept_.clear();
  }

  int pieces = 0;

 private:
  std::multimap<std::size_t, void*> kept_;  // of one stream
};

// [pytorch]
/// PyTorch's caching allocator: `{.stream = stream, .memory = memory_of_pytorch}`.
const gpuprim::memory_resource memory_of_pytorch(
    nullptr,
    [](void*, void** memory, std::size_t bytes, cudaStream_t stream) {
      *memory = c10::cuda::CUDACachingAllocator::raw_alloc_with_stream(bytes, stream);
      return cudaSuccess;
    },
    [](void*, void* memory, std::size_t, cudaStream_t) {
      c10::cuda::CUDACachingAllocator::raw_delete(memory);
      return cudaSuccess;
    });
// [pytorch]

// [twice]
#define CALL_TWICE(call, ...)                                                        \
  do {                                                                               \
    gpuprim::workspace_size size;                                                    \
    check(call(__VA_ARGS__, gpuprim::options{.stream = stream, .measured = &size})); \
    void* const memory = allocate(size.total_bytes(), stream);                       \
    gpuprim::workspace ws;                                                           \
    check(ws.borrow(memory, size, stream));                                          \
    check(call(__VA_ARGS__, gpuprim::options{.stream = stream, .workspace = &ws}));  \
    free(memory, stream);                                                            \
  } while (false)
// [twice]

void* allocate(std::int64_t bytes, cudaStream_t stream) {
  void* memory = nullptr;
  if (bytes > 0) check(cudaMallocAsync(&memory, std::size_t(bytes), stream));
  return memory;
}
void free(void* memory, cudaStream_t stream) {
  if (memory != nullptr) check(cudaFreeAsync(memory, stream));
}

struct is_even {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 == 0; }
};

}  // namespace

int main() {
  const int n = measure::usual_size(150000, 1 << 22);
  std::vector<int> values, wanted;
  for (int i = 0; i < n; ++i) values.push_back(int(unsigned(i) * 2654435761u % 1000u));
  long long total = 0;
  for (int x : values) total += x;
  wanted = values;
  std::sort(wanted.begin(), wanted.end());
  const measure::device_array<int> in(values), out(values.size());
  const measure::device_array<long long> sum(1), count(1);
  cudaStream_t stream = nullptr;
  bool right = true;
  const auto is_sorted = [&] {
    check(cudaStreamSynchronize(stream));
    const bool same = out.on_host() == wanted;
    out.poison();
    return same;
  };

  caching_resource resource;
  for (int round = 0; round < 3; ++round) {
    // [sort]
    check(gpuprim::sort(in.data(), n, out.data(), {.stream = stream, .memory = resource}));
    // [sort]
    right &= is_sorted();
  }
  std::printf("a resource: %s, from %d piece of memory for three sorts\n", right ? "right" : "WRONG", resource.pieces);
  right &= resource.pieces == 1;
  resource.free_all(stream);

  // [pool]
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties));
  check(gpuprim::sort(in.data(), n, out.data(), {.stream = stream, .memory = pool}));
  // [pool]
  right &= is_sorted();
  std::printf("a pool of CUDA's: %s\n", right ? "right" : "WRONG");
  check(cudaMemPoolDestroy(pool));

  check(gpuprim::sort(in.data(), n, out.data(), {.stream = stream, .memory = memory_of_pytorch}));
  right &= is_sorted();
  std::printf("functions: %s\n", right ? "right" : "WRONG");

  // [call]
  CALL_TWICE(gpuprim::sort, in.data(), n, out.data());
  CALL_TWICE(gpuprim::select_if, in.data(), n, out.data(), count.data(), is_even{});
  CALL_TWICE(gpuprim::reduce<long long>, in.data(), n, sum.data(), gpuprim::plus{});
  // [call]
  check(cudaStreamSynchronize(stream));
  long long even = 0;
  for (int x : values) even += x % 2 == 0;
  right &= count.on_host()[0] == even && sum.on_host()[0] == total;
  std::printf("calls after a dry run: %s\n", right ? "right" : "WRONG");

  // [own]
  check(gpuprim::limit_pool(std::int64_t{1} << 26));  // more than 64 MiB goes back when the program waits
  check(gpuprim::sort(in.data(), n, out.data(), {.stream = stream}));
  check(cudaStreamSynchronize(stream));
  const gpuprim::pool_use use = gpuprim::read_pool();  // use.held_bytes, of which calls have use.used_bytes
  check(gpuprim::trim_pool());                         // all that no call uses goes back
  // [own]
  right &= is_sorted() && use.used_bytes == 0 && use.most_used_bytes > 0 && gpuprim::read_pool().held_bytes == 0;
  std::printf("the library's pool: %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
