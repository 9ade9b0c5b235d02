// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where calls take their memory from, and what a dry run says of it. That every call can be made so is what the random
// calls check.
#include "../support/reduce_check.cuh"

#include <gpuprim/launch/memory_pool.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/select.cuh>

#if !defined(SIMT_DEVICE) && __has_include(<cuda/stream_ref>)
#include <cuda/stream_ref>
#define GPUPRIM_TEST_HAS_STREAM_REF
#endif

#include <memory_resource>
#include <new>
#include <string>

namespace {

constexpr int n = 100000;

cudaError_t sum_into(test::device_array<int>& out, const test::device_array<int>& in, const gpuprim::options& how) {
  return gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 0, how);
}

/// What the resources below have in common.
struct counted {
  std::int64_t allocations = 0, bytes = 0;

  void* take(std::size_t count, cudaStream_t stream) {
    void* memory = nullptr;
    CUDA_OK(cudaMallocAsync(&memory, count, stream));
    ++allocations;
    bytes += std::int64_t(count);
    return memory;
  }
  void give_back(void* memory, std::size_t count, cudaStream_t stream) {
    bytes -= std::int64_t(count);
    CUDA_OK(cudaFreeAsync(memory, stream));
  }
};

/// The form of cuda::mr and of RMM since they agree.
struct stream_first : counted {
  void* allocate(cudaStream_t stream, std::size_t count, std::size_t alignment) {
    CHECK(alignment == 256);
    return take(count, stream);
  }
  void deallocate(cudaStream_t stream, void* memory, std::size_t count, std::size_t) noexcept {
    give_back(memory, count, stream);
  }
};
/// The form of cuda::mr in CUDA 12.
struct stream_last : counted {
  void* allocate_async(std::size_t count, std::size_t alignment, cudaStream_t stream) {
    CHECK(alignment == 256);
    return take(count, stream);
  }
  void deallocate_async(void* memory, std::size_t count, std::size_t, cudaStream_t stream) {
    give_back(memory, count, stream);
  }
};
/// The form of RMM's device_memory_resource.
struct without_alignment : counted {
  void* allocate(std::size_t count, cudaStream_t stream) { return take(count, stream); }
  void deallocate(void* memory, std::size_t count, cudaStream_t stream) noexcept { give_back(memory, count, stream); }
};
/// None: it knows no stream.
using without_stream = std::pmr::memory_resource;

static_assert(gpuprim::stream_resource<stream_first> && gpuprim::stream_resource<stream_last>);
static_assert(gpuprim::stream_resource<without_alignment> && !gpuprim::stream_resource<without_stream>);
static_assert(!std::is_constructible_v<gpuprim::memory_resource, without_stream&>);
static_assert(!std::is_constructible_v<gpuprim::memory_resource, stream_first>, "a temporary would be gone");

struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 != 0; }
};

}  // namespace

TEST_CASE("Calls take their memory of a resource, of any form", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  const auto check = [&](auto&& resource) {
    for (int i = 1; i <= 2; ++i) {
      CUDA_OK(sum_into(out, in, {.memory = resource}));
      CUDA_OK(cudaDeviceSynchronize());
      CHECK(out.download()[0] == n);
      CHECK((resource.allocations == i && resource.bytes == 0));
    }
    CHECK(gpuprim::reduce_value(in.data(), n, gpuprim::plus{}, {.memory = resource}) == n);
    CHECK(resource.allocations == 3);
    gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<int>(n));
    CUDA_OK(sum_into(out, in, {.workspace = &ws, .memory = resource}));  // which needs none then
    CHECK(resource.allocations == 3);
    CUDA_OK(gpuprim::reduce(in.data(), 0, out.data(), gpuprim::plus{}, 7, {.memory = resource}));
    CHECK(resource.allocations == 3);
  };
  stream_first first;
  stream_last last;
  without_alignment two;
  check(first);
  check(last);
  check(two);
}

TEST_CASE("Calls take their memory of a pool of CUDA's, or of two functions", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  int device = 0;
  CUDA_OK(cudaGetDevice(&device));
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  cudaMemPool_t pool = nullptr;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  CUDA_OK(sum_into(out, in, {.memory = pool}));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(out.download()[0] == n);
  std::uint64_t used_bytes = 0;
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used_bytes));
  gpuprim::workspace_size size;
  CUDA_OK(sum_into(out, in, {.measured = &size}));
  CHECK(used_bytes >= std::uint64_t(size.total_bytes()));

  struct context {
    cudaMemPool_t pool;
    int calls;
  } mine{pool, 0};
  const gpuprim::memory_resource functions(
      &mine,
      [](void* of, void** memory, std::size_t bytes, cudaStream_t stream) {
        ++static_cast<context*>(of)->calls;
        return cudaMallocFromPoolAsync(memory, bytes, static_cast<context*>(of)->pool, stream);
      },
      [](void* of, void* memory, std::size_t, cudaStream_t stream) {
        static_cast<context*>(of)->calls += 100;
        return cudaFreeAsync(memory, stream);
      });
  CUDA_OK(sum_into(out, in, {.memory = functions}));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK((out.download()[0] == n && mine.calls == 101));
  CUDA_OK(cudaMemPoolDestroy(pool));
}

TEST_CASE("A resource that gives no memory is an error of the call", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  const auto give_back = [](void*, void*, std::size_t, cudaStream_t) { return cudaErrorUnknown; };
  const gpuprim::memory_resource nothing(
      nullptr, [](void*, void**, std::size_t, cudaStream_t) { return cudaSuccess; }, give_back);
  CHECK(sum_into(out, in, {.memory = nothing}) == cudaErrorMemoryAllocation);
  CHECK(gpuprim::last_fault() == std::string("the memory resource of the options gave no memory"));
  const gpuprim::memory_resource failing(
      nullptr, [](void*, void**, std::size_t, cudaStream_t) { return cudaErrorNotReady; }, give_back);
  CHECK(sum_into(out, in, {.memory = failing}) == cudaErrorNotReady);
  const gpuprim::memory_resource throwing(
      nullptr, [](void*, void**, std::size_t, cudaStream_t) -> cudaError_t { throw std::bad_alloc(); }, give_back);
  CHECK(sum_into(out, in, {.memory = throwing}) == cudaErrorMemoryAllocation);
  out.check_untouched();
  CHECK_THROWS_AS(gpuprim::reduce_value(in.data(), n, gpuprim::plus{}, {.memory = throwing}), gpuprim::cuda_error);
  without_alignment source;
  const auto take = [](void* of, void** memory, std::size_t bytes, cudaStream_t stream) {
    *memory = static_cast<without_alignment*>(of)->take(bytes, stream);
    return cudaSuccess;
  };
  CHECK(sum_into(out, in, {.memory = {&source, take, give_back}}) == cudaErrorUnknown);  // it keeps the memory
  CUDA_OK(cudaDeviceReset());
}

TEST_CASE("A dry run says what a call takes, and does nothing", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(n), count(1);
  gpuprim::workspace_size size(1, 5);
  CUDA_OK(gpuprim::select_if(in.data(), n, out.data(), count.data(), is_odd{}, {.measured = &size}));
  CHECK((size.zeroed_bytes > 1 && size.zeroed_bytes <= gpuprim::select_workspace_bytes<int>(n)));
  CHECK(size.scratch_bytes == 5);  // it only grows
  const gpuprim::workspace_size before = size;
  CUDA_OK(gpuprim::select_if(in.data(), 1, out.data(), count.data(), is_odd{}, {.measured = &size}));
  CHECK(size.zeroed_bytes == before.zeroed_bytes);
  CHECK(gpuprim::select_if(in.data(), -1, out.data(), count.data(), is_odd{}, {.measured = &size}) ==
        cudaErrorInvalidValue);
  CUDA_OK(cudaDeviceSynchronize());
  out.check_untouched();
  count.check_untouched();
  gpuprim::workspace ws(before), small({before.zeroed_bytes - 1, before.scratch_bytes});
  CUDA_OK(gpuprim::select_if(in.data(), n, out.data(), count.data(), is_odd{}, {.workspace = &ws}));
  CHECK(gpuprim::select_if(in.data(), n, out.data(), count.data(), is_odd{}, {.workspace = &small}) ==
        cudaErrorInvalidValue);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(count.download()[0] == n);
}

TEST_CASE("Calls that wait for a result are not measured", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(n);
  gpuprim::workspace_size size;
  CHECK_THROWS_AS(gpuprim::reduce_value(in.data(), n, gpuprim::plus{}, {.measured = &size}), gpuprim::cuda_error);
  CHECK_THROWS_AS(gpuprim::select_if_count(in.data(), n, out.data(), is_odd{}, {.measured = &size}),
                  gpuprim::cuda_error);
  CHECK(size.total_bytes() == 0);
}

TEST_CASE("The library's pool is read, trimmed and limited", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  CUDA_OK(sum_into(out, in, {}));
  CUDA_OK(cudaDeviceSynchronize());
  const gpuprim::pool_use use = gpuprim::read_pool();
  CHECK((use.used_bytes == 0 && use.most_used_bytes > 0 && use.most_held_bytes >= use.most_used_bytes));
  CUDA_OK(gpuprim::trim_pool());
  CHECK(gpuprim::read_pool().held_bytes == 0);
  CUDA_OK(gpuprim::limit_pool(0));
  CUDA_OK(sum_into(out, in, {}));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(gpuprim::read_pool().held_bytes == 0);
  CHECK(gpuprim::trim_pool(-1) == cudaErrorInvalidValue);
  CHECK(gpuprim::limit_pool(-1) == cudaErrorInvalidValue);
  CUDA_OK(gpuprim::limit_pool(std::int64_t{1} << 40));
}

#if defined(GPUPRIM_TEST_HAS_STREAM_REF)
namespace {

/// A resource of the kind that cuda::mr asks for, by the stream of the CUDA headers at hand.
struct cuda_resource : counted {
  void* allocate(cuda::stream_ref stream, std::size_t count, std::size_t) { return take(count, stream.get()); }
  void deallocate(cuda::stream_ref stream, void* memory, std::size_t count, std::size_t) noexcept {
    give_back(memory, count, stream.get());
  }
};

}  // namespace

TEST_CASE("Calls take their memory of a resource that is given a cuda::stream_ref", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  cuda_resource resource;
  CUDA_OK(sum_into(out, in, {.memory = resource}));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK((out.download()[0] == n && resource.allocations == 1 && resource.bytes == 0));
}
#endif
