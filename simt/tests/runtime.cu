// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime interface. Error codes are those that CUDA 13.0 gives on an H200.
#include <cuda.h>

#include <cmath>
#include <cstring>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <simt/control.hpp>

#include "support.hpp"

namespace cg = cooperative_groups;
using test::buffer;
using test::try_launch;

namespace {

__device__ int counter_variable;
__constant__ float table[4];

__global__ void write_ones(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void increment(int* out) { out[threadIdx.x] += 1; }
__global__ void nothing(int*) {}
__global__ void cluster_kernel(int*) { cg::this_cluster().sync(); }
__global__ void large_shared(int* out) {
  auto* stage = static_cast<char*>(simt::dynamic_shared());
  stage[simt::dynamic_shared_bytes() - 1] = 1;
  out[0] = 1;
}
__global__ void add(const int* a, const int* b, int* sum) { sum[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }
__global__ void use_symbols(float* out) {
  if (threadIdx.x < 4) out[threadIdx.x] = table[threadIdx.x];
  atomicAdd(&counter_variable, 1);
}
__global__ void by_address(int* sum) { atomicAdd(sum, 1); }
__global__ void extended_by_address(int* sum) { atomicAdd(sum, 1); }
template <int First, int Second>
__global__ void by_address_of(int* sum) {
  atomicAdd(sum, First + Second);
}
__global__ void together_by_address(int* sum) {
  cooperative_groups::this_grid().sync();
  atomicAdd(sum, 1);
}
__device__ int table_of_three[3];
__global__ void trapping() { __trap(); }
__global__ void never_named(int*) {}

cudaError_t launch_shape(dim3 grid, dim3 block, std::size_t dynamic_bytes = 0) {
  cudaError_t error =
      try_launch({.grid = grid, .block = block, .dynamic_bytes = dynamic_bytes}, nothing, static_cast<int*>(nullptr));
  CHECK(cudaGetLastError() == error);
  return error;
}

cudaError_t launch_cluster(dim3 grid, dim3 shape, unsigned threads = 32) {
  cudaLaunchAttribute attribute{cudaLaunchAttributeClusterDimension, {}};
  attribute.val.clusterDim = {shape.x, shape.y, shape.z};
  cudaLaunchConfig_t config{grid, dim3(threads), 0, nullptr, &attribute, 1};
  cudaError_t error = cudaLaunchKernelEx(&config, cluster_kernel, nullptr);
  CHECK(cudaGetLastError() == error);
  return error;
}

struct stream {
  explicit stream(unsigned flags = cudaStreamDefault) { test::check(cudaStreamCreateWithFlags(&handle, flags)); }
  ~stream() { cudaStreamDestroy(handle); }
  cudaStream_t handle = nullptr;
};

// What a call answers while a stream captures, and what becomes of the capture.
struct during_capture {
  cudaError_t answer, end;
};
template <class Call>
during_capture capture_around(cudaStream_t s, cudaStreamCaptureMode mode, Call call) {
  test::check(cudaStreamBeginCapture(s, mode));
  during_capture result{call(), cudaSuccess};
  cudaGraph_t graph = nullptr;
  result.end = cudaStreamEndCapture(s, &graph);
  CHECK((graph != nullptr) == (result.end == cudaSuccess));
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();
  return result;
}

constexpr auto global_mode = cudaStreamCaptureModeGlobal, relaxed_mode = cudaStreamCaptureModeRelaxed;

}  // namespace

TEST_CASE("launches are checked as CUDA checks them") {
  CHECK(launch_shape({1, 1, 1}, {1024, 1, 1}) == cudaSuccess);
  CHECK(launch_shape({1, 1, 1}, {2048, 1, 1}) == cudaErrorInvalidValue);
  CHECK(launch_shape({1, 1, 1}, {1024, 2, 1}) == cudaErrorInvalidValue);
  CHECK(launch_shape({0, 1, 1}, {32, 1, 1}) == cudaErrorInvalidValue);
  CHECK(launch_shape({1, 1, 1}, {0, 1, 1}) == cudaErrorInvalidValue);
  CHECK(launch_shape({1, 1, 1}, {1, 1, 65}) == cudaErrorInvalidValue);
  CHECK(launch_shape({1, 65536, 1}, {32, 1, 1}) == cudaErrorInvalidValue);
  CHECK(launch_shape({1, 1, 65536}, {32, 1, 1}) == cudaErrorInvalidValue);
  CHECK(launch_shape({0x80000000u, 1, 1}, {32, 1, 1}) == cudaErrorInvalidValue);
  CHECK(launch_shape({1, 1, 1}, {32, 1, 1}, 49152) == cudaSuccess);
  CHECK(launch_shape({1, 1, 1}, {32, 1, 1}, 49153) == cudaErrorInvalidValue);
}

TEST_CASE("dynamic shared memory beyond 48 KiB has to be asked for") {
  buffer<int> out(1, 0);
  test::shape s{.dynamic_bytes = 227 * 1024};
  CHECK(try_launch(s, large_shared, out.data()) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) == cudaSuccess);
  CHECK(try_launch(s, large_shared, out.data()) == cudaSuccess);
  CHECK(out.get()[0] == 1);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, large_shared) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 227 * 1024);
  CHECK(attributes.ptxVersion == 90);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  cudaGetLastError();
}

TEST_CASE("cooperative launches have to fit") {
  int* none = nullptr;
  CHECK(try_launch({.grid = 100000, .block = 1024, .cooperative = true}, nothing, none) ==
        cudaErrorCooperativeLaunchTooLarge);
  CHECK(try_launch({.block = 32, .dynamic_bytes = 49153, .cooperative = true}, nothing, none) ==
        cudaErrorCooperativeLaunchTooLarge);
  CHECK(try_launch({.block = 2048, .cooperative = true}, nothing, none) == cudaErrorInvalidValue);
  void* arguments[] = {&none};
  CHECK(cudaLaunchCooperativeKernel(nothing, 2, 32, arguments) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("clusters have to be portable and divide the grid") {
  CHECK(launch_cluster(8, 8) == cudaSuccess);
  CHECK(launch_cluster(6, 3) == cudaSuccess);
  CHECK(launch_cluster(6, 4) == cudaErrorInvalidClusterSize);
  CHECK(launch_cluster({4, 4, 1}, {2, 3, 1}) == cudaErrorInvalidClusterSize);
  CHECK(launch_cluster(4, {0, 1, 1}) == cudaErrorInvalidClusterSize);
  CHECK(launch_cluster(4, 4, 2048) == cudaErrorInvalidValue);
  CHECK(launch_cluster(16, 16) == cudaErrorInvalidClusterSize);
  REQUIRE(cudaFuncSetAttribute(cluster_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess);
  CHECK(launch_cluster(16, 16) == cudaSuccess);
  CHECK(launch_cluster(32, 32) == cudaErrorInvalidClusterSize);
  REQUIRE(cudaFuncSetAttribute(cluster_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 0) == cudaSuccess);
}

TEST_CASE("launch with an array of arguments") {
  buffer<int> a(32, 1), b(32, 2), sum(32);
  int *pa = a.data(), *pb = b.data(), *ps = sum.data();
  void* arguments[] = {&pa, &pb, &ps};
  REQUIRE(cudaLaunchKernel(add, 1, 32, arguments) == cudaSuccess);
  for (int value : sum.get()) CHECK(value == 3);
  // Its type is known by now.
  REQUIRE(cudaLaunchKernel(reinterpret_cast<const void*>(add), 1, 32, arguments) == cudaSuccess);
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(never_named), 1, 32, arguments) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a kernel that nothing has named before is launched by its address") {
  buffer<int> sum(1, 0);
  int* to = sum.data();
  void* arguments[] = {&to};
  CHECK(cudaLaunchKernel((void*)by_address, 1, 32, arguments) == cudaSuccess);
  CHECK(cudaLaunchKernel((const void*)&by_address_of<1, 2>, dim3(1, 1), 32, arguments) == cudaSuccess);
  CHECK(cudaLaunchCooperativeKernel((void*)together_by_address, 4, 32, arguments) == cudaSuccess);
  cudaLaunchConfig_t config{1, 32, 0, nullptr, nullptr, 0};
  CHECK(cudaLaunchKernelExC(&config, (const void*)(extended_by_address), arguments) == cudaSuccess);
  CHECK(sum.get()[0] == 32 + 3 * 32 + 4 * 32 + 32);
  CHECK(cudaLaunchKernel((void*)nullptr, 1, 32, arguments) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel((void*)std::uintptr_t(64), 1, 32, arguments) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  const bool first = sum.get()[0] > 0;
  CHECK(cudaLaunchKernel((first ? by_address : extended_by_address), 1, 32, arguments) == cudaSuccess);
  CHECK(sum.get()[0] == 10 * 32);
}

TEST_CASE("a kernel may be given whatever a GPU reaches, and nothing else") {
  static int variable = 0;
  int *pinned = nullptr, *managed = nullptr, *none = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 32 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 32 * sizeof(int)) == cudaSuccess);
  buffer<int> array(32);
  std::vector<int> registered(32), host(32);
  REQUIRE(cudaHostRegister(registered.data(), 32 * sizeof(int), cudaHostRegisterDefault) == cudaSuccess);
  int* odd = reinterpret_cast<int*>(std::uintptr_t(64));
  for (int* good : {none, odd, pinned, managed, managed + 32, array.data() + 5, array.data() + 32, &variable,
                    registered.data() + 31}) {
    CHECK(try_launch({}, nothing, good) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  REQUIRE(cudaHostUnregister(registered.data()) == cudaSuccess);
  int local = 0;
  for (int* bad : {registered.data(), host.data() + 7, &local}) {
    CHECK(try_launch({}, nothing, bad) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaDeviceReset() == cudaSuccess);
  }
}

TEST_CASE("memory in rows") {
  constexpr std::size_t width = 5 * sizeof(int), height = 3;
  int* rows = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&rows, &pitch, width, height) == cudaSuccess);
  CHECK(pitch == 512);
  std::vector<int> sent(15), got(15, -1);
  for (int i = 0; i < 15; ++i) sent[std::size_t(i)] = i;
  REQUIRE(cudaMemcpy2D(rows, pitch, sent.data(), width, width, height, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemset2D(rows, pitch, 0, sizeof(int), height) == cudaSuccess);
  REQUIRE(cudaMemcpy2DAsync(got.data(), width, rows, pitch, width, height, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 15; ++i) CHECK(got[std::size_t(i)] == (i % 5 == 0 ? 0 : i));
  CHECK(cudaMemcpy2D(rows, 8, sent.data(), width, width, height, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(rows, pitch, 0, width, height + 1) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(sent.data(), width, 0, width, height) == cudaErrorInvalidValue);
  CHECK(cudaFree(rows) == cudaSuccess);
  cudaPitchedPtr box{};
  REQUIRE(cudaMalloc3D(&box, make_cudaExtent(600, 4, 2)) == cudaSuccess);
  CHECK(box.pitch == 1024);
  CHECK(cudaMemset(box.ptr, 0, 1024 * 8) == cudaSuccess);
  CHECK(cudaMemset(box.ptr, 0, 1024 * 8 + 1) == cudaErrorInvalidValue);
  CHECK(cudaFree(box.ptr) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("the address and the size of a variable of the device") {
  void* where = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cudaGetSymbolAddress(&where, table_of_three) == cudaSuccess);
  REQUIRE(cudaGetSymbolSize(&bytes, table_of_three) == cudaSuccess);
  CHECK(where == &table_of_three);
  CHECK(bytes == sizeof(table_of_three));
}

TEST_CASE("advice is for managed memory") {
  int *managed = nullptr, *other = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  REQUIRE(cudaMalloc(&other, 64) == cudaSuccess);
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchAsync(managed, 64, device, 0) == cudaSuccess);
  CHECK(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(other, 64, device, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(other, 64, cudaMemAdviseSetReadMostly, device) == cudaErrorInvalidValue);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFree(other) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("the last error stays until it is asked for") {
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidDevice), "invalid device ordinal") == 0);
  CHECK(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code") == 0);
  CHECK(int(cudaErrorCooperativeLaunchTooLarge) == 720);
  CHECK(int(cudaErrorStreamCaptureInvalidated) == 901);
  CHECK(int(cudaErrorInvalidClusterSize) == 912);
}

TEST_CASE("a trap fails the device until it is reset") {
  REQUIRE(try_launch({}, trapping) == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, 16) == cudaErrorLaunchFailure);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorLaunchFailure);
  int value = 0;
  CHECK(cudaGetDevice(&value) == cudaSuccess);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("a reset ends the context: memory, what was set for kernels, and its number") {
  void* found = nullptr;
  REQUIRE(cudaGetDriverEntryPointByVersion("cuCtxGetId", &found, 12000, cudaEnableDefault) == cudaSuccess);
  const auto get_id = reinterpret_cast<decltype(&cuCtxGetId)>(found);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  unsigned long long before = 0, after = 0;
  CHECK(get_id(nullptr, &before) == CUDA_SUCCESS);
  void* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, 16) == cudaSuccess);
  REQUIRE(cudaFuncSetAttribute(trapping, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) == cudaSuccess);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(get_id(nullptr, &after) != CUDA_SUCCESS);
  CHECK(cudaFree(pointer) == cudaErrorInvalidValue);  // which makes a context
  cudaFuncAttributes attributes{};
  CHECK(cudaFuncGetAttributes(&attributes, trapping) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 49152);
  CHECK(get_id(nullptr, &after) == CUDA_SUCCESS);
  CHECK(after != before);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("every allocation has a number of its own") {
  void* found = nullptr;
  REQUIRE(cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &found, 12000, cudaEnableDefault) == cudaSuccess);
  const auto get_attribute = reinterpret_cast<decltype(&cuPointerGetAttribute)>(found);
  const auto number_of = [&](void* pointer) {
    unsigned long long number = 0;
    const CUresult result = get_attribute(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID, CUdeviceptr(pointer));
    return result == CUDA_SUCCESS ? number : 0;
  };
  unsigned long long last = 0;
  for (int i = 0; i < 10; ++i) {  // wherever it lies
    void* pointer = nullptr;
    REQUIRE(cudaMallocHost(&pointer, 16) == cudaSuccess);
    CHECK(number_of(pointer) > last);
    last = number_of(pointer);
    REQUIRE(cudaFreeHost(pointer) == cudaSuccess);
    CHECK(number_of(pointer) == 0);
  }
}

TEST_CASE("allocation") {
  auto before = simt::current_statistics();
  void* pointer = &before;
  CHECK(cudaMalloc(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 16) == cudaErrorInvalidValue);
  CHECK(cudaMalloc(&pointer, std::size_t(1) << 50) == cudaErrorMemoryAllocation);
  unsigned char* bytes = nullptr;
  REQUIRE(cudaMalloc(&bytes, 1000) == cudaSuccess);
  CHECK(reinterpret_cast<std::uintptr_t>(bytes) % 256 == 0);
  unsigned char first = 0;
  REQUIRE(cudaMemcpy(&first, bytes, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(first == 0xA5);  // not zero
  std::size_t free_bytes = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  CHECK(total - free_bytes >= 1000);
  CHECK(cudaFree(bytes + 1) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(bytes) == cudaErrorInvalidValue);
  CHECK(cudaFree(bytes) == cudaSuccess);
  CHECK(cudaFree(bytes) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  int on_stack = 0;
  CHECK(cudaFree(&on_stack) == cudaErrorInvalidValue);

  int* pinned = nullptr;
  REQUIRE(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped) == cudaSuccess);
  int* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess);
  CHECK(cudaHostGetDevicePointer(&mapped, &on_stack, 0) == cudaErrorInvalidValue);
  REQUIRE(try_launch({.block = 4}, write_ones, mapped) == cudaSuccess);
  CHECK(pinned[3] == 1);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, pinned + 2) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeHost);
  REQUIRE(cudaPointerGetAttributes(&attributes, &on_stack) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(attributes.device == -2);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaHostUnregister(&on_stack) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostRegister(&on_stack, sizeof(on_stack), 0) == cudaSuccess);
  CHECK(cudaHostUnregister(&on_stack) == cudaSuccess);
  auto after = simt::current_statistics();
  CHECK(after.allocations == before.allocations + 2);
  CHECK(after.live_allocations == before.live_allocations);
  cudaGetLastError();
}

TEST_CASE("copies stay inside their allocation and go in their direction") {
  buffer<char> device(1024), other(1024);
  char host[2048] = {};
  char* d = device.data();
  CHECK(cudaMemcpy(host, d, 1025, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, d + 1000, 100, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, d, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, host + 100, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(d, other.data(), 16, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(host, d, 16, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpy(host, d, 16, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(nullptr, d, 16, cudaMemcpyDefault) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemset(host, 0, 16) == cudaErrorInvalidValue);
  CHECK(cudaMemset(d, 0, 1025) == cudaErrorInvalidValue);
  CHECK(cudaMemset(d, 7, 1024) == cudaSuccess);
  CHECK(device.get()[1023] == 7);
  cudaGetLastError();
}

TEST_CASE("variables of the device") {
  float values[4] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpyToSymbol(table, values, sizeof(values)) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(table, values, sizeof(values), 4) == cudaErrorInvalidValue);
  int zero = 0, count = 0;
  REQUIRE(cudaMemcpyToSymbol(counter_variable, &zero, sizeof(zero)) == cudaSuccess);
  buffer<float> out(4);
  REQUIRE(try_launch({.block = 32}, use_symbols, out.data()) == cudaSuccess);
  CHECK(out.get() == std::vector<float>{1, 2, 3, 4});
  REQUIRE(cudaMemcpyFromSymbol(&count, counter_variable, sizeof(count)) == cudaSuccess);
  CHECK(count == 32);
  cudaGetLastError();
}

TEST_CASE("streams and events") {
  stream s, other(cudaStreamNonBlocking);
  cudaEvent_t start, stop, untimed;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&stop) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  float ms = -1;
  CHECK(cudaEventQuery(start) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  buffer<int> out(32, 0);
  REQUIRE(cudaEventRecord(start, s.handle) == cudaSuccess);
  REQUIRE(try_launch({.block = 32, .stream = s.handle}, increment, out.data()) == cudaSuccess);
  REQUIRE(cudaEventRecord(stop, s.handle) == cudaSuccess);
  REQUIRE(cudaEventRecord(untimed, s.handle) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(other.handle, stop) == cudaSuccess);
  CHECK(cudaEventSynchronize(stop) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess);
  CHECK(ms >= 0);
  CHECK(cudaEventElapsedTime(&ms, start, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(s.handle) == cudaSuccess);
  CHECK(try_launch({.block = 32, .stream = cudaStreamPerThread}, increment, out.data()) == cudaSuccess);
  CHECK(try_launch({.block = 32, .stream = cudaStreamLegacy}, increment, out.data()) == cudaSuccess);
  CHECK(out.get()[31] == 3);
  int called = 0;
  CHECK(cudaLaunchHostFunc(s.handle, [](void* data) { ++*static_cast<int*>(data); }, &called) == cudaSuccess);
  CHECK(called == 1);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  cudaStream_t gone;
  REQUIRE(cudaStreamCreate(&gone) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(gone) == cudaSuccess);
  CHECK(cudaStreamSynchronize(gone) == cudaErrorInvalidResourceHandle);
  for (cudaEvent_t event : {start, stop, untimed}) CHECK(cudaEventDestroy(event) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("graphs record and replay") {
  stream s;
  buffer<int> out(32, 0);
  REQUIRE(cudaStreamBeginCapture(s.handle, global_mode) == cudaSuccess);
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(s.handle, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);
  REQUIRE(cudaMemsetAsync(out.data(), 0, 32 * sizeof(int), s.handle) == cudaSuccess);
  void* scratch = nullptr;
  REQUIRE(cudaMallocAsync(&scratch, 32 * sizeof(int), s.handle) == cudaSuccess);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(try_launch({.block = 32, .stream = s.handle}, increment, out.data()) == cudaSuccess);
  }
  REQUIRE(cudaFreeAsync(scratch, s.handle) == cudaSuccess);
  cudaGraph_t graph;
  REQUIRE(cudaStreamEndCapture(s.handle, &graph) == cudaSuccess);
  CHECK(out.get()[0] == 0);  // recorded, not run
  std::size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
  CHECK(nodes == 5);
  cudaGraphExec_t executable;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(executable, s.handle) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.handle) == cudaSuccess);
  CHECK(out.get()[31] == 3);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, s.handle) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&executable, nullptr, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a memory pool lives until it is destroyed or the device is reset") {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr, other = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  REQUIRE(cudaMemPoolCreate(&other, &properties) == cudaSuccess);
  std::uint64_t kept_bytes = 1 << 20;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes) == cudaSuccess);
  const auto ask = [&](cudaMemPoolAttr what) {
    std::uint64_t answer = 0;
    CHECK(cudaMemPoolGetAttribute(pool, what, &answer) == cudaSuccess);
    return answer;
  };
  CHECK(ask(cudaMemPoolAttrReleaseThreshold) == kept_bytes);
  int* memory = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&memory, 64 * sizeof(int), pool, nullptr) == cudaSuccess);
  CHECK(cudaMemset(memory, 0, 64 * sizeof(int)) == cudaSuccess);
  CHECK((ask(cudaMemPoolAttrUsedMemCurrent) == 256 && ask(cudaMemPoolAttrReservedMemCurrent) == 256));
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, nullptr) == cudaSuccess);
  CHECK((ask(cudaMemPoolAttrUsedMemCurrent) == 0 && ask(cudaMemPoolAttrUsedMemHigh) == 256));
  CHECK(cudaMemPoolDestroy(other) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&memory, 64, other, nullptr) == cudaErrorInvalidValue);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&memory, 64, pool, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolCreate(nullptr, &properties) == cudaErrorInvalidValue);
  properties.location.id = 1;
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("what a capture does not allow") {
  stream s, other, apart(cudaStreamNonBlocking);
  buffer<char> device(64);
  char host[64] = {};
  void* pointer = nullptr;
  cudaEvent_t event;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventRecord(event) == cudaSuccess);

  auto expect = [&](cudaStream_t capturing, cudaStreamCaptureMode mode, cudaError_t answer, bool survives, auto call) {
    auto got = capture_around(capturing, mode, call);
    CHECK(got.answer == answer);
    CHECK(got.end == (survives ? cudaSuccess : cudaErrorStreamCaptureInvalidated));
  };
  auto unsupported = cudaErrorStreamCaptureUnsupported;
  auto implicit = cudaErrorStreamCaptureImplicit;
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaMalloc(&pointer, 16); });
  cudaMemPool_t pool = nullptr;
  const cudaMemPoolProps properties{cudaMemAllocationTypePinned, cudaMemHandleTypeNone, {cudaMemLocationTypeDevice, 0}};
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaMemPoolCreate(&pool, &properties); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaFree(nullptr); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaMallocHost(&pointer, 16); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaMallocAsync(&pointer, 16, other.handle); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaStreamSynchronize(s.handle); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaStreamSynchronize(other.handle); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaStreamQuery(other.handle); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaDeviceSynchronize(); });
  expect(s.handle, global_mode, unsupported, false, [&] { return cudaEventQuery(event); });
  expect(s.handle, global_mode, implicit, false, [&] { return cudaStreamSynchronize(nullptr); });
  expect(s.handle, global_mode, implicit, false,
         [&] { return cudaMemcpy(host, device.data(), 16, cudaMemcpyDefault); });
  expect(s.handle, global_mode, implicit, false, [&] { return cudaMemset(device.data(), 0, 16); });
  expect(s.handle, global_mode, implicit, false, [&] { return launch_shape(1, 32); });
  expect(s.handle, global_mode, implicit, false, [&] { return cudaEventRecord(event, nullptr); });
  REQUIRE(cudaEventRecord(event) == cudaSuccess);
  expect(s.handle, global_mode, cudaErrorStreamCaptureIsolation, false,
         [&] { return cudaStreamWaitEvent(s.handle, event); });
  expect(s.handle, global_mode, cudaErrorInvalidValue, false,
         [&] { return try_launch({.block = 2048, .stream = s.handle}, nothing, static_cast<int*>(nullptr)); });

  cudaStreamCaptureStatus status;
  expect(s.handle, global_mode, implicit, true, [&] { return cudaStreamIsCapturing(nullptr, &status); });
  expect(s.handle, global_mode, cudaErrorIllegalState, true,
         [&] { return cudaStreamBeginCapture(s.handle, global_mode); });
  expect(s.handle, global_mode, cudaErrorInvalidValue, true,
         [&] { return cudaMemcpyAsync(device.data(), host, 16, cudaMemcpyDeviceToHost, s.handle); });
  expect(s.handle, global_mode, cudaErrorInvalidValue, true, [&] { return cudaFreeAsync(device.data(), s.handle); });
  expect(s.handle, global_mode, cudaSuccess, true, [&] { return cudaEventCreate(&event); });
  expect(s.handle, relaxed_mode, cudaSuccess, true, [&] { return cudaStreamSynchronize(other.handle); });
  expect(s.handle, relaxed_mode, unsupported, false, [&] { return cudaDeviceSynchronize(); });
  expect(s.handle, relaxed_mode, cudaSuccess, true, [&] { return cudaMalloc(&pointer, 16); });
  CHECK(cudaFree(pointer) == cudaSuccess);
  expect(apart.handle, global_mode, cudaSuccess, true,
         [&] { return cudaMemcpy(host, device.data(), 16, cudaMemcpyDefault); });
  expect(apart.handle, global_mode, cudaSuccess, true, [&] { return launch_shape(1, 32); });
  expect(apart.handle, global_mode, unsupported, false, [&] { return cudaStreamSynchronize(nullptr); });

  CHECK(cudaStreamBeginCapture(nullptr, global_mode) == unsupported);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(s.handle, &graph) == cudaErrorIllegalState);
  cudaGetLastError();
}

TEST_CASE("a capture spans streams that events join") {
  stream s, side;
  cudaEvent_t fork, join;
  REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
  REQUIRE(cudaEventCreate(&join) == cudaSuccess);
  buffer<int> out(32, 0);
  auto launch_on = [&](cudaStream_t stream) {
    return try_launch({.block = 32, .stream = stream}, increment, out.data());
  };
  cudaGraph_t graph;

  REQUIRE(cudaStreamBeginCapture(s.handle, global_mode) == cudaSuccess);
  CHECK(cudaEventRecord(fork, s.handle) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side.handle, fork) == cudaSuccess);
  CHECK(launch_on(side.handle) == cudaSuccess);
  CHECK(cudaEventRecord(join, side.handle) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.handle, join) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(s.handle, &graph) == cudaSuccess);
  cudaGraphExec_t executable;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(out.get()[0] == 0);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(out.get()[0] == 1);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);

  REQUIRE(cudaStreamBeginCapture(s.handle, global_mode) == cudaSuccess);
  CHECK(cudaEventRecord(fork, s.handle) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side.handle, fork) == cudaSuccess);
  CHECK(cudaStreamEndCapture(side.handle, &graph) == cudaErrorStreamCaptureUnmatched);
  CHECK(cudaStreamEndCapture(s.handle, &graph) == cudaErrorStreamCaptureInvalidated);

  REQUIRE(cudaStreamBeginCapture(s.handle, global_mode) == cudaSuccess);
  CHECK(cudaEventRecord(fork, s.handle) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side.handle, fork) == cudaSuccess);
  CHECK(launch_on(side.handle) == cudaSuccess);
  CHECK(cudaStreamEndCapture(s.handle, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(cudaStreamSynchronize(side.handle) == cudaSuccess);

  REQUIRE(cudaStreamBeginCapture(s.handle, global_mode) == cudaSuccess);
  CHECK(cudaEventRecord(fork, s.handle) == cudaSuccess);
  CHECK(cudaEventSynchronize(fork) == cudaErrorCapturedEvent);
  CHECK(cudaStreamEndCapture(s.handle, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaEventDestroy(fork) == cudaSuccess);
  CHECK(cudaEventDestroy(join) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("the device answers as its model") {
  int count = 0, value = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(properties.multiProcessorCount == 132);
  CHECK(properties.major == 9);
  CHECK(properties.sharedMemPerBlockOptin == 232448);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0) == cudaSuccess);
  CHECK(value == 233472);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);

  int blocks = -1;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0) == cudaSuccess);
  CHECK(blocks == 8);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 2048, 0) == cudaSuccess);
  CHECK(blocks == 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 49153) == cudaSuccess);
  CHECK(blocks == 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0) == cudaErrorInvalidValue);
  int grid = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing) == cudaSuccess);
  CHECK(grid == 264);
  CHECK(block == 1024);
  cudaLaunchAttribute attribute{cudaLaunchAttributeClusterDimension, {}};
  attribute.val.clusterDim = {4, 1, 1};
  cudaLaunchConfig_t config{dim3(64), dim3(1024), 0, nullptr, &attribute, 1};
  int clusters = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, cluster_kernel, &config) == cudaSuccess);
  CHECK(clusters == 62);
  cudaGetLastError();
}

TEST_CASE("several host threads use the device, one call at a time") {
  constexpr int workers = 4, rounds = 20;
  std::vector<int> results(workers, 0);
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      stream mine;
      for (int r = 0; r < rounds; ++r) {
        buffer<int> out(32, r);
        bool launched = try_launch({.block = 32, .stream = mine.handle}, increment, out.data()) == cudaSuccess;
        results[std::size_t(w)] += launched && out.get()[31] == r + 1;
      }
      // The last error belongs to the thread.
      cudaSetDevice(w % 2 ? 99 : 0);
      results[std::size_t(w)] += cudaGetLastError() == (w % 2 ? cudaErrorInvalidDevice : cudaSuccess);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int result : results) CHECK(result == rounds + 1);
}
