// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/reduce_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <cstdio>
#include <string>

TEST_CASE("launch_plan comes from the occupancy API", "[launch]") {
  const float* in = nullptr;
  float* out = nullptr;
  test::device_array<float> data(8);
  in = out = data.data();
  const auto tiny = gpuprim::reduce_plan(in, 4096, out, gpuprim::plus{}, 0.0f);
  CHECK(tiny.grid_size == 1);
  CHECK(tiny.registers_per_thread > 0);
  CHECK(tiny.theoretical_occupancy > 0);
  CHECK(tiny.theoretical_occupancy <= 1);
  // As long as one block reads the whole input at once there is one; then there are several.
  std::int64_t most_of_one = 4096;
  while (gpuprim::reduce_plan(in, most_of_one + 4, out, gpuprim::plus{}, 0.0f).grid_size == 1) most_of_one += 4;
  CHECK(gpuprim::reduce_plan(in, 4096, out, gpuprim::plus{}).grid_size == tiny.grid_size);
  const auto one_block = gpuprim::reduce_plan(in, most_of_one, out, gpuprim::plus{}, 0.0f);
  CHECK(one_block.bytes_in_flight == most_of_one * 4);  // all of it
  CHECK(one_block.block_size > tiny.block_size);
  const auto several = gpuprim::reduce_plan(in, most_of_one + 4, out, gpuprim::plus{}, 0.0f);
  CHECK(several.block_size < one_block.block_size);
  CHECK(several.bytes_in_flight >= most_of_one * 4 + 16);
  CHECK(several.grid_size <= several.multiprocessors);
  // Blocks are alone on their multiprocessor, by shared memory that is reserved, up to sizes far beyond the caches.
  const auto medium = gpuprim::reduce_plan(in, 1 << 24, out, gpuprim::plus{}, 0.0f);
  CHECK(medium.grid_size == medium.multiprocessors);
  CHECK(medium.blocks_per_multiprocessor == 1);
  CHECK(medium.limiter == gpuprim::occupancy_limiter::shared_memory);
  const auto large = gpuprim::reduce_plan(in, std::int64_t{1} << 30, out, gpuprim::plus{}, 0.0f);
  CHECK(large.limiter != gpuprim::occupancy_limiter::shared_memory);  // as many as fit
  const int resident = large.multiprocessors * large.blocks_per_multiprocessor;
  CHECK(large.grid_size == std::min(resident, gpuprim::max_grid_blocks));
  CHECK(large.bytes_in_flight % (std::int64_t(large.grid_size) * large.block_size * 16) == 0);  // in wide loads
}

TEST_CASE("blocks are larger where bytes are not added", "[launch]") {
  test::device_array<signed char> data(16);
  const signed char* in = data.data();
  const auto plan = [&](auto op) { return gpuprim::reduce_plan(in, 8 << 20, data.data(), op, std::int8_t{0}); };
  CHECK(plan(gpuprim::maximum{}).block_size > plan(gpuprim::plus{}).block_size);
}

TEST_CASE("a launch_plan of a policy that is spelled out", "[launch]") {
  test::device_array<float> data(8);
  const float* in = data.data();
  const auto plan = gpuprim::reduce_plan<gpuprim::plus<>, 128, 2>(in, 4096, data.data(), gpuprim::plus{}, 0.0f);
  CHECK(plan.block_size == 128);
  CHECK(plan.grid_size == 4);  // 128 threads x 2 loads x 4 floats
  CHECK(plan.bytes_in_flight == 16384);
  const auto alone =
      gpuprim::reduce_plan<gpuprim::plus<>, 128, 2, 1>(in, std::int64_t{1} << 30, data.data(), gpuprim::plus{}, 0.0f);
  CHECK(alone.blocks_per_multiprocessor == 1);
  CHECK(alone.grid_size == alone.multiprocessors);
  CHECK_THROWS_WITH((gpuprim::reduce_plan<gpuprim::plus<>, 128, 2>(in, -1, data.data(), gpuprim::plus{}, 0.0f)),
                    Catch::Matchers::StartsWith("gpuprim::reduce_plan: the count is negative"));
}

namespace {

__global__ void nothing() {}

/// Parameters of several sizes, which lie apart.
__global__ void join(char a, double b, short c, const int* d, double* out) {
  if (threadIdx.x == 0) *out = a + b + c + *d;
}

}  // namespace

TEST_CASE("a launch by function does what one by kernel does", "[launch]") {
  using gpuprim::start;
  gpuprim::detail::kernel_fit fit{};
  CUDA_OK(gpuprim::detail::find_kernel_fit<&join>(32, fit));
  REQUIRE(fit.function != nullptr);
  test::device_array<int> d(std::vector<int>{5000});
  for (cudaFunction_t function : {cudaFunction_t{}, fit.function}) {
    test::device_array<double> out(1);
    const gpuprim::launch_shape shape{1, 32, 0, function};
    CUDA_OK(gpuprim::launch(start::in_order, join, shape, nullptr, 1, 0.5, 300, d.data(), out.data()));
    CHECK(out.download()[0] == 5301.5);
    // What goes wrong is returned, and leaves CUDA's error state alone.
    const gpuprim::launch_shape too_large{1, 2048, 0, function};
    CHECK(gpuprim::launch(start::in_order, join, too_large, nullptr, 1, 0.5, 300, d.data(), out.data()) != cudaSuccess);
    CHECK(cudaPeekAtLastError() == cudaSuccess);
  }
}

TEST_CASE("a kernel for which no GPU has the shared memory does not fit, and that is no error", "[launch]") {
  gpuprim::detail::kernel_fit fit{};
  for (int call = 0; call < 2; ++call) {
    fit.blocks_per_multiprocessor = -1;
    CUDA_OK(gpuprim::detail::find_kernel_fit<&join, 0, 400 * 1024>(32, fit));
    CHECK(fit.blocks_per_multiprocessor == 0);
  }
  const auto found = gpuprim::detail::find_shape<&join, 0, 400 * 1024>(1, 32);
  CHECK(found.error == cudaErrorInvalidConfiguration);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("plan_launch looks at any kernel", "[launch]") {
  const auto plan = gpuprim::plan_launch(nothing, {3, 1024, 0}, 16);
  CHECK(plan.grid_size == 3);
  CHECK(plan.blocks_per_multiprocessor >= 1);
  CHECK(plan.theoretical_occupancy > 0.5);  // no GPU of the last years holds more than 2048 threads, or less than 1024
  CHECK(plan.limiter == gpuprim::occupancy_limiter::threads);
  CHECK(plan.bytes_in_flight == 3 * 1024 * 16);
  const auto odd = gpuprim::plan_launch(nothing, {3, 500, 0}), whole = gpuprim::plan_launch(nothing, {3, 512, 0});
  CHECK(odd.theoretical_occupancy == whole.theoretical_occupancy);  // warps are resident, and not threads
  CHECK(gpuprim::plan_launch(nothing, {1, 32, 40000}).limiter == gpuprim::occupancy_limiter::shared_memory);
  CHECK_THROWS_AS(gpuprim::plan_launch(nothing, {1, 0, 0}), gpuprim::cuda_error);
}

TEST_CASE("find_occupancy gives the worked example", "[launch]") {
  using gpuprim::occupancy_limiter;
  struct {
    int block_size, registers, blocks, percent;
    occupancy_limiter limiter;
  } constexpr cases[] = {{128, 37, 12, 75, occupancy_limiter::registers},
                         {320, 37, 4, 63, occupancy_limiter::registers},
                         {128, 32, 16, 100, occupancy_limiter::threads},
                         {32, 16, 32, 50, occupancy_limiter::block_slots},
                         {128, 33, 12, 75, occupancy_limiter::registers}};  // 33 registers cost as much as 40
  for (const auto& c : cases) {
    const auto found = gpuprim::find_occupancy({}, c.block_size, c.registers, 0);
    CHECK(found.blocks == c.blocks);
    CHECK(std::lround(100 * found.of_threads) == c.percent);
    CHECK(found.limiter == c.limiter);
  }
  static_assert(gpuprim::find_occupancy({.shared_bytes = 65536}, 32, 16, 65537).blocks == 0);
  static_assert(gpuprim::find_occupancy({.shared_bytes = 65536}, 32, 16, 30000).limiter ==
                occupancy_limiter::shared_memory);
}

TEST_CASE("shared memory is reserved so that no more blocks fit than shall, and one does", "[launch]") {
  struct gpu {
    gpuprim::multiprocessor_limits sm;
    int most_of_block;
  };
  constexpr gpu gpus[] = {{{1024, 16, 65536, 65536, 0, 256}, 65536},        // compute capability 7.5
                          {{2048, 32, 65536, 167936, 1024, 128}, 166912},   // 8.0
                          {{1536, 16, 65536, 102400, 1024, 128}, 101376},   // 8.6, 8.9 and 12.0
                          {{2048, 32, 65536, 233472, 1024, 128}, 232448}};  // 9.0 and 10.0
  int wrong = 0;
  for (const gpu& on : gpus) {
    for (int most_blocks = 1; most_blocks <= 32; ++most_blocks) {
      // Up to all that a block may have without asking, as kernels that join long accumulators do.
      for (int own = 1; own <= 49152; own += own < 600 ? 1 : 251) {
        const int bytes = own + gpuprim::detail::find_reserved_bytes(on.sm.shared_bytes, most_blocks, own);
        const int fit = gpuprim::find_occupancy(on.sm, 32, 16, bytes).blocks;
        wrong += bytes > on.most_of_block || fit < 1 || fit > most_blocks;
      }
    }
    for (int most_blocks = 1; most_blocks <= 8; ++most_blocks) {
      const int bytes = 64 + gpuprim::detail::find_reserved_bytes(on.sm.shared_bytes, most_blocks, 64);
      CHECK(gpuprim::find_occupancy(on.sm, 32, 16, bytes).blocks == most_blocks);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("launch_plan prints itself", "[launch]") {
  test::device_array<int> data(8);
  std::FILE* file = std::tmpfile();
  REQUIRE(file);
  gpuprim::reduce_plan(data.data(), 8, data.data(), gpuprim::plus{}, 0).print(file);
  std::rewind(file);
  char text[300] = {};
  const bool read = std::fgets(text, sizeof text, file) != nullptr;
  std::fclose(file);
  CHECK(read);
  CHECK(std::string(text).find("grid 1 x block ") == 0);
  CHECK(std::string(text).find(" limited by ") != std::string::npos);
}

TEST_CASE("workspace only grows, starts at zero and moves", "[launch]") {
  gpuprim::workspace ws(1000);
  CHECK(ws.bytes() == 1000);
  void* before = ws.data();
  CUDA_OK(ws.reserve(500));
  CHECK(ws.data() == before);
  CUDA_OK(ws.reserve(4096));
  std::vector<unsigned char> bytes(4096, 1);
  CUDA_OK(cudaMemcpy(bytes.data(), ws.data(), 4096, cudaMemcpyDeviceToHost));
  CHECK(bytes == std::vector<unsigned char>(4096, 0));
  CHECK(ws.reserve(-1) == cudaErrorInvalidValue);
  CHECK(ws.bytes() == 4096);
  gpuprim::workspace moved(std::move(ws));
  CHECK(moved.bytes() == 4096);
  CHECK(ws.data() == nullptr);
  void* released = moved.release();
  CHECK(moved.bytes() == 0);
  CHECK(moved.data() == nullptr);
  CHECK(cudaFree(released) == cudaSuccess);  // nobody else has
}
