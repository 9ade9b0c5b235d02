// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/reduce_check.cuh"

#include <gpuprim/statistics.cuh>

#include <limits>
#include <thread>

namespace {

/// A random-access iterator that is not contiguous: the i-th value is computed.
struct squares {
  using value_type = std::int64_t;
  using reference = std::int64_t;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  std::int64_t start = 0;
  __host__ __device__ std::int64_t operator[](std::int64_t i) const { return (start + i) * (start + i); }
};

constexpr std::int64_t n = 40000;  // several blocks

}  // namespace

TEST_CASE("reduce reads computed iterators", "[device]") {
  CHECK(gpuprim::reduce_value(squares{1}, n, gpuprim::plus{}) == n * (n + 1) * (2 * n + 1) / 6);
}

TEST_CASE("reduce without a workspace takes memory from the stream", "[device][sanitizer]") {
  const auto values = test::make_values<int>(n);
  test::device_array<int> input(values), output(1);
  CUDA_OK(gpuprim::reduce(input.data(), n, output.data(), gpuprim::plus{}, 0));
  CHECK(output.download()[0] == test::fold(values, gpuprim::plus{}, 0));
}

TEST_CASE("reduce starts from the identity where no initial value is given", "[device]") {
  const gpuprim::plus<> plus;
  const gpuprim::minimum<> least;
  test::device_array<float> input(std::vector<float>(5000, 2.0f));
  const float* in = input.data();
  const auto check = [](auto expected, const auto& call) {
    test::device_array<decltype(expected)> out(1);
    REQUIRE(call(out.data()) == cudaSuccess);
    CUDA_OK(cudaDeviceSynchronize());
    CHECK(out.download()[0] == expected);
  };
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<double>(5000));
  const gpuprim::options how{.workspace = &ws};
  check(10000.0f, [&](float* out) { return gpuprim::reduce(in, 5000, out, plus); });
  check(10000.0f, [&](float* out) { return gpuprim::reduce(in, 5000, out, plus, how); });
  check(10000.0, [&](double* out) { return gpuprim::reduce<double>(in, 5000, out, plus, {.workspace = &ws}); });
  check(2.0f, [&](float* out) { return gpuprim::reduce(in, 5000, out, least); });
  check(std::numeric_limits<float>::infinity(), [&](float* out) { return gpuprim::reduce(in, 0, out, least, how); });
  check(2.0f, [&](float* out) { return gpuprim::reduce(gpuprim::reproducible, in, 5000, out, least, how); });
  check(10000.0f, [&](float* out) { return gpuprim::reduce(gpuprim::accurate, in, 5000, out, plus); });
  CHECK(gpuprim::reduce_value(in, 5000, plus, how) == 10000.0f);
  CHECK(gpuprim::reduce_value<double>(in, 5000, plus, {.workspace = &ws}) == 10000.0);
  CHECK(gpuprim::reduce_value(gpuprim::reproducible, in, 5000, least) == 2.0f);
  CHECK(gpuprim::reduce_value(gpuprim::reproducible, in, 5000, least, how) == 2.0f);
}

TEST_CASE("reduce may write its result into its input", "[device]") {
  const auto values = test::make_values<int>(n);
  test::device_array<int> data(values);
  CUDA_OK(gpuprim::reduce(data.data(), n, data.data() + 17, gpuprim::plus{}, 0));
  CHECK(data.download()[17] == test::fold(values, gpuprim::plus{}, 0));
  data.check_guards();
}

TEST_CASE("reduce is captured into a graph and replayed on new data", "[device][sanitizer]") {
  const auto first = test::make_values<int>(n);
  std::vector<int> second(first.rbegin(), first.rend());
  second[3] += 1000;
  for (bool with_workspace : {true, false}) {
    test::device_array<int> input(first), output(1);
    gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<int>(n));
    cudaStream_t stream;
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const cudaError_t captured = gpuprim::reduce(input.data(), n, output.data(), gpuprim::plus{}, 5,
                                                 {.stream = stream, .workspace = with_workspace ? &ws : nullptr});
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    CUDA_OK(captured);
    CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
    output.check_untouched();
    for (int replay = 0; replay < 3; ++replay) {
      CUDA_OK(cudaGraphLaunch(exec, stream));
      CUDA_OK(cudaStreamSynchronize(stream));
      CHECK(output.download()[0] == test::fold(first, gpuprim::plus{}, 5));
    }
    input.upload(second);
    CUDA_OK(cudaGraphLaunch(exec, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK(output.download()[0] == test::fold(second, gpuprim::plus{}, 5));
    CUDA_OK(cudaGraphExecDestroy(exec));
    CUDA_OK(cudaGraphDestroy(graph));
    CUDA_OK(cudaStreamDestroy(stream));
  }
}

TEST_CASE("a thread that begins to reduce does not end what another captures", "[device]") {
  const auto values = test::make_values<int>(n);
  test::device_array<int> input(values), output(1), captured(1);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<int>(n)), own(gpuprim::reduce_workspace_bytes<int>(n));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
  cudaError_t error = cudaErrorUnknown;
  std::thread([&] {
    error =
        gpuprim::reduce(input.data(), n, output.data(), gpuprim::plus{}, 5, {.stream = streams[1], .workspace = &own});
  }).join();
  const cudaError_t at_capture =
      gpuprim::reduce(input.data(), n, captured.data(), gpuprim::plus{}, 6, {.stream = streams[0], .workspace = &ws});
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(streams[0], &graph));
  CUDA_OK(error);
  CUDA_OK(at_capture);
  CUDA_OK(cudaStreamSynchronize(streams[1]));
  CHECK(output.download()[0] == test::fold(values, gpuprim::plus{}, 5));
  captured.check_untouched();
  CUDA_OK(cudaGraphDestroy(graph));
  for (cudaStream_t stream : streams) CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("reduces in concurrent streams do not disturb each other", "[device]") {
  constexpr int streams = 4;
  const auto values = test::make_values<test::affine>(n);
  test::device_array<test::affine> input(values), output(streams);
  std::vector<cudaStream_t> stream(streams);
  std::vector<gpuprim::workspace> workspaces(streams);
  for (int s = 0; s < streams; ++s) {
    CUDA_OK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
    CUDA_OK(workspaces[s].reserve(gpuprim::reduce_workspace_bytes<test::affine>(n)));
  }
  for (int round = 0; round < 5; ++round) {
    for (int s = 0; s < streams; ++s) {
      CUDA_OK(gpuprim::reduce(input.data() + s, n - s, output.data() + s, test::then{}, test::affine{1, 0},
                              {.stream = stream[s], .workspace = &workspaces[s]}));
    }
  }
  const auto got = output.download();
  for (int s = 0; s < streams; ++s) {
    CHECK(got[s] == test::fold(std::vector<test::affine>(values.begin() + s, values.end()), test::then{}, {1, 0}));
    CUDA_OK(cudaStreamDestroy(stream[s]));
  }
}

TEST_CASE("a reduce that starts early still waits for what it reads", "[device]") {
  // Each reduce reads the result that the one before it wrote last, in streams and in graphs.
  constexpr int links = test::on_simt ? 40 : 200;
  auto values = test::make_values<int>(n);
  for (bool captured : {false, true}) {
    test::device_array<int> data(values);
    gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<int>(n));
    cudaStream_t stream;
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (captured) CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < links && e == cudaSuccess; ++i) {
      e = gpuprim::reduce(data.data(), n, data.data() + (i * 97) % n, gpuprim::plus{}, 1,
                          {.stream = stream, .workspace = &ws});
    }
    if (captured) {
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      CUDA_OK(cudaStreamEndCapture(stream, &graph));
      CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
      CUDA_OK(cudaGraphLaunch(exec, stream));
      CUDA_OK(cudaStreamSynchronize(stream));
      CUDA_OK(cudaGraphExecDestroy(exec));
      CUDA_OK(cudaGraphDestroy(graph));
    }
    CUDA_OK(e);
    CUDA_OK(cudaStreamSynchronize(stream));
    auto want = values;
    for (int i = 0; i < links; ++i) want[std::size_t(i * 97 % n)] = test::fold(want, gpuprim::plus{}, 1);
    CHECK(data.download() == want);
    CUDA_OK(cudaStreamDestroy(stream));
  }
}
