// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/segmented_check.cuh"

namespace {

template <class T, class Acc, class Op>
void check_type(Op op, Acc init) {
  for (const auto kernel : {test::offsets_kernel::chosen, test::offsets_kernel::shares}) {
    test::check_offsets_kernel<int, T>(kernel, {1, 0, 700, 30, 2000}, op, init, alignof(T));
  }
  test::check_fixed<T>(16, 40, op, init);
}

/// The i-th value and the i-th offset are computed.
struct triples {
  using value_type = std::int64_t;
  using reference = std::int64_t;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  __host__ __device__ std::int64_t operator[](std::int64_t i) const { return 3 * i; }
};

}  // namespace

TEST_CASE("segmented_reduce of every element type", "[device]") {
  check_type<signed char>(gpuprim::plus{}, 3);
  check_type<unsigned short>(gpuprim::plus{}, 3u);
  check_type<std::int64_t>(gpuprim::bit_xor{}, std::int64_t{9});
  check_type<__half>(gpuprim::plus{}, 1.0f);
  check_type<__nv_bfloat16>(gpuprim::plus{}, 1.0f);
  check_type<float>(gpuprim::minimum{}, 100.0f);
  check_type<double>(gpuprim::plus{}, 0.5);
  check_type<test::complex_float>(test::add_complex{}, test::complex_float{1, 2});
  check_type<test::point3>(test::add_points{}, test::point3{1, 2, 3});
  check_type<test::matrix2>(test::product{}, test::matrix2{{1, 0, 0, 1}});
}

TEST_CASE("segmented_reduce reads computed values and offsets, and knows identities", "[device]") {
  test::device_array<std::int64_t> output(50);
  CUDA_OK(gpuprim::segmented_reduce(triples{}, triples{}, 50, output.data(), gpuprim::plus{}));
  const auto got = output.download();
  for (std::int64_t i = 0; i < 50; ++i) CHECK(got[std::size_t(i)] == 3 * (9 * i + 3));
  test::device_array<int> empty(std::vector<int>{4, 4}), none(1);
  CUDA_OK(gpuprim::segmented_reduce(output.data(), empty.data(), 1, none.data(), gpuprim::logical_and{}, 5));
  CHECK(none.download()[0] == 5);  // the initial value itself, not joined with an identity
}

TEST_CASE("segmented_reduce and column_reduce refuse bad input and leave the output alone", "[device]") {
  const auto offsets = test::make_offsets<int>(std::vector<int>(100, 10));
  test::device_array<int> input(test::make_values<int>(1000)), where(offsets), output(100);
  const int* nothing = nullptr;
  int* no_output = nullptr;
  const gpuprim::plus<> op;
  const cudaError_t invalid = cudaErrorInvalidValue;
  const std::int64_t large = std::int64_t{1} << 62;
  const auto* odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(input.data()) + 2);
  gpuprim::workspace tiny(16);
  CHECK(gpuprim::segmented_reduce(input.data(), nothing, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where.data(), -1, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where.data(), large, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where.data(), 100, no_output, op) == invalid);
  CHECK(gpuprim::segmented_reduce(odd, where.data(), 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where.data(), 100, where.data() + 50, op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where.data(), 100, output.data(), op, {.workspace = &tiny}) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::fixed_length{-1}, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::fixed_length{large}, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::fixed_length{10}, 100, input.data() + 999, op) == invalid);
  CHECK(gpuprim::segmented_reduce(nothing, gpuprim::fixed_length{10}, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::segment_bounds{nothing, nothing}, 100, output.data(), op) ==
        invalid);
  CHECK(gpuprim::column_reduce(input.data(), -1, 10, output.data(), op) == invalid);
  CHECK(gpuprim::column_reduce(input.data(), large, 10, output.data(), op) == invalid);
  CHECK(gpuprim::column_reduce(input.data(), 100, 10, input.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(nothing, nothing, 0, no_output, op) == cudaSuccess);
  output.check_untouched();
  where.check_unchanged();
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("segmented_reduce is captured into a graph, and waits for what it reads", "[device][sanitizer]") {
  // Each pass reads what the one before it wrote: sums of 3, of 2, of 4 (all with values of other passes behind them).
  const auto values = test::make_values<int>(240);
  test::device_array<int> first(values), second(80), third(40), fourth(10);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<int>());
  test::device_array<int> offsets(test::make_offsets<int>(std::vector<int>(40, 2)));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const gpuprim::options on_stream{stream, &workspace};
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const gpuprim::plus<> op;
  cudaError_t e =
      gpuprim::segmented_reduce(first.data(), gpuprim::fixed_length{3}, 80, second.data(), op, 0, on_stream);
  if (e == cudaSuccess)
    e = gpuprim::segmented_reduce(second.data(), offsets.data(), 40, third.data(), op, 0, on_stream);
  if (e == cudaSuccess) {
    e = gpuprim::segmented_reduce(third.data(), gpuprim::fixed_length{4}, 10, fourth.data(), op, 0, on_stream);
  }
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(e);
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  fourth.check_untouched();
  for (int replay = 0; replay < 3; ++replay) {
    CUDA_OK(cudaGraphLaunch(exec, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    const auto wanted = test::make_offsets<std::int64_t>(std::vector<int>(10, 24));
    CHECK(fourth.download() == test::expected_segments(values, wanted, op, 0));
  }
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}
