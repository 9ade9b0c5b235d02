// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/reduce_check.cuh"

#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/reduce.cuh>

#include <string>

namespace {

constexpr int n = 100000;
const std::int64_t needed = gpuprim::reduce_workspace_bytes<int>(n);

int sum_with(gpuprim::workspace& ws, const test::device_array<int>& in) {
  test::device_array<int> out(1);
  CUDA_OK(gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 0, {.workspace = &ws}));
  return out.download()[0];
}

}  // namespace

TEST_CASE("A workspace borrows memory of the caller's", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  void* memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, std::size_t(needed) + 16));
  CUDA_OK(cudaMemset(memory, 0xff, std::size_t(needed) + 16));
  {
    gpuprim::workspace ws;
    CUDA_OK(ws.borrow(memory, needed, nullptr));
    CHECK((ws.data() == memory && ws.bytes() == needed));
    CHECK(sum_with(ws, in) == n);
    CHECK(sum_with(ws, in) == n);
    CHECK(ws.reserve(needed + 1) == cudaErrorInvalidValue);
    CUDA_OK(ws.reserve(needed));
    gpuprim::workspace moved(std::move(ws));
    CHECK((moved.data() == memory && ws.data() == nullptr));  // NOLINT: what is left of it
    CHECK(sum_with(moved, in) == n);
    CUDA_OK(ws.reserve(needed));  // its own again
    CHECK(ws.data() != memory);
    ws = std::move(moved);
    CHECK(ws.data() == memory);
  }
  {
    gpuprim::workspace ws;  // memory that is aligned to 16 bytes is enough
    CUDA_OK(ws.borrow(static_cast<char*>(memory) + 16, needed, nullptr));
    CHECK(sum_with(ws, in) == n);
  }
  CUDA_OK(cudaFree(memory));  // which a workspace that borrows it has not freed
}

TEST_CASE("A workspace refuses memory that it cannot borrow", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  void* memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, std::size_t(needed) + 256));
  gpuprim::workspace ws(needed);
  void* const own = ws.data();
  CHECK(ws.borrow(nullptr, needed, nullptr) == cudaErrorInvalidValue);
  CHECK(ws.borrow(memory, -1, nullptr) == cudaErrorInvalidValue);
  CHECK(ws.borrow(static_cast<char*>(memory) + 8, needed, nullptr) == cudaErrorMisalignedAddress);
  CHECK((ws.data() == own && ws.bytes() == needed));
  CHECK(sum_with(ws, in) == n);
  CUDA_OK(ws.borrow(memory, 8, nullptr));
  test::device_array<int> out(1);
  CHECK(gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 0, {.workspace = &ws}) == cudaErrorInvalidValue);
  CUDA_OK(cudaFree(memory));
}

TEST_CASE("Calls without a workspace take memory of the library's pool", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  for (int i = 0; i < 3; ++i) {
    CUDA_OK(gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, i));
    CUDA_OK(cudaDeviceSynchronize());
    CHECK(out.download()[0] == n + i);
  }
}

TEST_CASE("The first call without a workspace may be captured", "[launch]") {
  CUDA_OK(cudaDeviceReset());  // so that there is no pool yet
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (cudaStreamCaptureMode mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_OK(cudaStreamBeginCapture(stream, mode));
    const cudaError_t captured = gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 3, {.stream = stream});
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    CUDA_OK(captured);
    CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_OK(cudaGraphLaunch(exec, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK(out.download()[0] == n + 3);
    CUDA_OK(cudaGraphExecDestroy(exec));
    CUDA_OK(cudaGraphDestroy(graph));
  }
  CUDA_OK(cudaStreamDestroy(stream));
}

#if !defined(SIMT_DEVICE)
TEST_CASE("The library's pool keeps what calls give back", "[launch]") {
  const test::device_array<int> in(std::vector<int>(n, 1));
  test::device_array<int> out(1);
  CUDA_OK(gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 0));
  CUDA_OK(cudaDeviceSynchronize());
  cudaMemPool_t pool = nullptr;
  CUDA_OK(gpuprim::detail::find_scratch_pool(pool));
  std::uint64_t reserved_bytes = 0;
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved_bytes));
  CHECK(reserved_bytes >= std::uint64_t(needed));
}
#endif

TEST_CASE("A workspace has scratch memory of a size of its own", "[launch]") {
  gpuprim::workspace ws({0, 1000});
  CHECK((ws.bytes() == 0 && ws.data() == nullptr && ws.scratch_bytes() == 1000));
  void* const scratch = ws.scratch();
  CUDA_OK(ws.reserve(needed));  // which is zeroed memory
  CHECK((ws.bytes() == needed && ws.scratch() == scratch));
  void* const zeroed = ws.data();
  CUDA_OK(ws.reserve({8, 2000}));
  CHECK((ws.data() == zeroed && ws.bytes() == needed && ws.scratch_bytes() == 2000));
  CUDA_OK(ws.reserve({0, 500}));
  CHECK(ws.scratch_bytes() == 2000);
  CHECK(ws.reserve({0, -1}) == cudaErrorInvalidValue);
  CHECK(ws.reserve({0, std::int64_t{1} << 60}) == cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  CHECK((ws.data() == zeroed && ws.bytes() == needed && ws.scratch_bytes() == 2000));
  const test::device_array<int> in(std::vector<int>(n, 1));
  CUDA_OK(cudaMemset(ws.scratch(), 0xff, 2000));
  CHECK(sum_with(ws, in) == n);
  gpuprim::workspace moved(std::move(ws));
  CHECK((moved.scratch_bytes() == 2000 && ws.scratch() == nullptr && ws.scratch_bytes() == 0));  // NOLINT
  void* const forgotten[] = {moved.data(), moved.scratch()};
  CHECK(moved.release() == forgotten[0]);
  CHECK((moved.scratch() == nullptr && moved.scratch_bytes() == 0));
  for (void* memory : forgotten) CUDA_OK(cudaFree(memory));
}

TEST_CASE("A workspace borrows zeroed and scratch memory in one piece", "[launch]") {
  const gpuprim::workspace_size size(needed + 1, 100);
  CHECK((size.total_bytes() >= needed + 101 && gpuprim::workspace_size(5).total_bytes() == 5));
  const std::size_t bytes = std::size_t(size.total_bytes());
  void* memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, bytes));
  CUDA_OK(cudaMemset(memory, 0xff, bytes));
  {
    gpuprim::workspace ws;
    CHECK(ws.borrow(memory, {8, -1}, nullptr) == cudaErrorInvalidValue);
    CUDA_OK(ws.borrow(memory, size, nullptr));
    CHECK((ws.data() == memory && ws.bytes() == needed + 1 && ws.scratch_bytes() == 100));
    CHECK(static_cast<char*>(ws.scratch()) - static_cast<char*>(memory) == size.total_bytes() - 100);
    CHECK(reinterpret_cast<std::uintptr_t>(ws.scratch()) % 256 == 0);
    CHECK(ws.reserve({0, 101}) == cudaErrorInvalidValue);
    CUDA_OK(ws.reserve(size));
    std::vector<unsigned char> held(bytes);
    CUDA_OK(cudaMemcpy(held.data(), memory, bytes, cudaMemcpyDeviceToHost));
    for (std::int64_t i = 0; i < size.zeroed_bytes; ++i) REQUIRE(held[std::size_t(i)] == 0);
    for (std::int64_t i = 1; i <= 100; ++i) REQUIRE(held[bytes - std::size_t(i)] == 0xff);  // is not cleared
  }
  CUDA_OK(cudaFree(memory));
}

TEST_CASE("Memory is leased of the workspace, if that is large enough, or of the pool", "[launch]") {
  using gpuprim::detail::memory_lease;
  gpuprim::workspace ws({32, 64});
  memory_lease given({32, 64}, {.workspace = &ws});
  CHECK((!given.error() && given.zeroed() == ws.data() && given.scratch() == ws.scratch()));
  CUDA_OK(given.finish(cudaSuccess).code);
  CHECK(given.finish(cudaErrorUnknown).code == cudaErrorUnknown);
  memory_lease half({0, 1}, {.workspace = &ws});
  CHECK((!half.error() && half.zeroed() == nullptr));
  for (const gpuprim::workspace_size& size : {gpuprim::workspace_size{0, 65}, {33, 64}}) {
    memory_lease refused(size, {.workspace = &ws});
    CHECK((refused.error() && refused.refusal().code == cudaErrorInvalidValue && refused.scratch() == nullptr));
    CHECK(refused.refusal().fault ==
          std::string("the workspace is too small; reserve what the call's ..._workspace_bytes or ..._workspace_size "
                      "says"));
  }
  gpuprim::workspace_size measured;
  memory_lease dry({32, 64}, {.measured = &measured});
  CHECK((!dry.error() && measured.zeroed_bytes == 32 && measured.scratch_bytes == 64));
  CUDA_OK(dry.finish(cudaSuccess).code);
  memory_lease none(0, {});
  CHECK((!none.error() && none.zeroed() == nullptr && none.scratch() == nullptr));
  CUDA_OK(none.finish(cudaSuccess).code);
  memory_lease pooled({100, 1 << 20}, {});
  CHECK((!pooled.error() && pooled.scratch() - static_cast<char*>(pooled.zeroed()) == 256));
  const cudaError_t cleared = cudaMemsetAsync(pooled.scratch(), 1, 1 << 20, nullptr);
  CUDA_OK(pooled.finish(cleared).code);
  CUDA_OK(cudaDeviceSynchronize());
}
