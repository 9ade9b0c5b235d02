// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/reduce_check.cuh"

#include <gpuprim/reduce.cuh>

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
  CUDA_OK(cudaMalloc(&memory, std::size_t(needed)));
  CUDA_OK(cudaMemset(memory, 0xff, std::size_t(needed)));
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
  CHECK(ws.borrow(static_cast<char*>(memory) + 64, needed, nullptr) == cudaErrorMisalignedAddress);
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
