// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of its own: what other cases have on the device would go with the reset.
#include "../support/device.cuh"
#include "../support/reduce_check.cuh"

#include <gpuprim/histogram.cuh>
#include <gpuprim/reduce.cuh>

#include <future>
#include <thread>

namespace {

/// On a GPU sums of this, and its histogram, take kernels that ask for more shared memory than is granted unasked.
constexpr int n = test::on_simt ? 1 << 16 : 1 << 19;

/// Values to the host, which the thread keeps memory for, and calls with a workspace of their own. The first is made
/// before anything else has made a context.
void check_calls() {
  CHECK(gpuprim::reduce_value(static_cast<const int*>(nullptr), 0, gpuprim::plus{}) == 0);
  const std::vector<int> ones(n, 1);
  test::device_array<int> in(ones), out(1), counts(256);
  CHECK(gpuprim::reduce_value(in.data(), n, gpuprim::plus{}) == n);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<int>(n));
  CUDA_OK(gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 1, {.workspace = &ws}));
  CHECK(out.download()[0] == n + 1);
  CUDA_OK(gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 2));  // memory of the library's pool
  CHECK(out.download()[0] == n + 2);
  CUDA_OK(gpuprim::histogram(in.data(), n, counts.data(), gpuprim::even_bins{256, 0, 256}));
  CHECK(counts.download()[1] == n);
}

}  // namespace

TEST_CASE("the device may be reset between calls", "[launch]") {
  for (int round = 0; round < 3; ++round) {
    check_calls();
    std::thread([] { check_calls(); }).join();
    CUDA_OK(cudaDeviceReset());
  }
  check_calls();
}

TEST_CASE("another thread may reset the device between a thread's calls", "[launch]") {
  std::promise<void> called, was_reset;
  std::thread other([&] {
    check_calls();
    called.set_value();
    was_reset.get_future().wait();
    check_calls();
  });
  called.get_future().wait();
  CUDA_OK(cudaDeviceReset());
  was_reset.set_value();
  other.join();
}

TEST_CASE("a thread frees what it has kept when it ends", "[launch]") {
  void *memory = nullptr, *scratch = nullptr;
  std::thread([&] {
    check_calls();
    gpuprim::detail::host_result* kept = nullptr;
    CUDA_OK(gpuprim::detail::host_result::find(1, 1, kept));
    memory = kept->memory();
    scratch = kept->scratch().data();
  }).join();
  REQUIRE((memory && scratch));
  CHECK(cudaFreeHost(memory) == cudaErrorInvalidValue);
  CHECK(cudaFree(scratch) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("what others have got since a reset is not freed with what lay there", "[launch]") {
  constexpr std::size_t bytes = 40 << 20;  // of which the system's allocator gives the same addresses again
  void *array = nullptr, *host_array = nullptr;
  std::thread([&] {
    gpuprim::detail::host_result* kept = nullptr;
    CUDA_OK(gpuprim::detail::host_result::find(bytes, bytes, kept));
    CUDA_OK(cudaDeviceReset());
    CUDA_OK(cudaMallocHost(&host_array, bytes));
    CUDA_OK(cudaMalloc(&array, bytes));
  }).join();
  CHECK(cudaFreeHost(host_array) == cudaSuccess);
  CHECK(cudaFree(array) == cudaSuccess);
}

TEST_CASE("a thread begins without a context", "[launch]") {
  CUDA_OK(cudaDeviceReset());
  std::thread([] {
    unsigned long long context = 0;
    CHECK(gpuprim::detail::driver::get().get_context_id(nullptr, &context) != CUDA_SUCCESS);
    check_calls();
  }).join();
}
