// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide sums beside cub::DeviceReduce in one process. `reduce --benchmark_out=reduce.json`; scripts/bench_table.py
// turns the file into the table and the committed results.
#include "support.cuh"

#include <gpuprim/reduce.cuh>

#include <cub/device/device_reduce.cuh>

#include <memory>
#include <string>

namespace {

template <class T>
struct problem {
  bench::slices input;
  std::int64_t n;
  T* out = nullptr;
  gpuprim::workspace workspace;
  void* cub_storage = nullptr;
  std::size_t cub_bytes = 0;

  explicit problem(std::int64_t count)
      : input(count * std::int64_t(sizeof(T))), n(count), workspace(gpuprim::reduce_workspace_bytes<T>(count)) {
    bench::fill<T><<<1024, 256>>>(reinterpret_cast<T*>(input.data), input.count * n);
    bench::check(cudaMalloc(reinterpret_cast<void**>(&out), sizeof(T)), "allocate the output");
    bench::check(cub::DeviceReduce::Sum(nullptr, cub_bytes, input.at<T>(0), out, n), "size of CUB's storage");
    bench::check(cudaMalloc(&cub_storage, cub_bytes), "allocate CUB's storage");
    bench::check(cudaDeviceSynchronize(), "fill the inputs");
  }
  ~problem() {
    (void)cudaFree(out);
    (void)cudaFree(cub_storage);
  }

  cudaError_t with_gpuprim(std::int64_t slice, cudaStream_t s) {
    return gpuprim::reduce(input.at<T>(slice), n, out, gpuprim::plus{}, T{}, {.stream = s, .workspace = &workspace});
  }
  cudaError_t with_cub(std::int64_t slice, cudaStream_t s) {
    return cub::DeviceReduce::Sum(cub_storage, cub_bytes, input.at<T>(slice), out, n, s);
  }
};

/// Seconds of both libraries, measured turn by turn and in turns first, so that drift hits both alike.
template <class Ours, class Theirs>
double alternate(benchmark::State& state, const Ours& ours, const Theirs& theirs) {
  double cub_seconds = 0;
  bool cub_first = false;
  for (auto _ : state) {
    if (cub_first) cub_seconds += theirs();
    state.SetIterationTime(ours());
    if (!cub_first) cub_seconds += theirs();
    cub_first = !cub_first;
  }
  return cub_seconds / double(state.iterations());
}

template <class T>
void describe_row(benchmark::State& state, const problem<T>& p, double cub_seconds) {
  state.SetLabel(p.input.memory());
  state.counters["cub_us"] = cub_seconds * 1e6;
  state.counters["bytes"] = double(p.input.bytes);
}

template <class T>
void in_graph(benchmark::State& state) {
  problem<T> p(state.range(0));
  bench::graph_timer ours(p.input.count, [&](std::int64_t i, cudaStream_t s) { return p.with_gpuprim(i, s); });
  bench::graph_timer theirs(p.input.count, [&](std::int64_t i, cudaStream_t s) { return p.with_cub(i, s); });
  describe_row(state, p,
               alternate(state, [&] { return ours.seconds_a_pass(); }, [&] { return theirs.seconds_a_pass(); }));
}

/// Every call takes the next slice, so that neither library finds in the cache what the other has just read.
template <class T>
void call_and_sync(benchmark::State& state) {
  problem<T> p(state.range(0));
  cudaStream_t stream;
  bench::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
  std::int64_t slice = 0;
  auto ours = [&] {
    return bench::seconds_of_call([&](cudaStream_t s) { return p.with_gpuprim(slice++, s); }, stream);
  };
  auto theirs = [&] { return bench::seconds_of_call([&](cudaStream_t s) { return p.with_cub(slice++, s); }, stream); };
  for (int warm_up = 0; warm_up < 10; ++warm_up) (void)(ours() + theirs());
  describe_row(state, p, alternate(state, ours, theirs));
  bench::check(cudaStreamDestroy(stream), "destroy the stream");
}

void powers_of_two(benchmark::internal::Benchmark* b) {
  for (int exponent = 10; exponent <= 30; ++exponent) b->Arg(std::int64_t{1} << exponent);
  b->UseManualTime()->Unit(benchmark::kMicrosecond)->Repetitions(9);
}

BENCHMARK_TEMPLATE(in_graph, float)->Apply(powers_of_two)->Iterations(4);
BENCHMARK_TEMPLATE(in_graph, int)->Apply(powers_of_two)->Iterations(4);
BENCHMARK_TEMPLATE(call_and_sync, float)->Apply(powers_of_two)->Iterations(20);
BENCHMARK_TEMPLATE(call_and_sync, int)->Apply(powers_of_two)->Iterations(20);

}  // namespace

int main(int argc, char** argv) {
  cudaDeviceProp gpu;
  bench::check(cudaGetDeviceProperties(&gpu, 0), "find a GPU");
  int driver = 0, runtime = 0;
  bench::check(cudaDriverGetVersion(&driver), "driver version");
  bench::check(cudaRuntimeGetVersion(&runtime), "runtime version");
  benchmark::AddCustomContext("gpu", gpu.name);
  benchmark::AddCustomContext("cuda_driver", std::to_string(driver));
  benchmark::AddCustomContext("cuda_runtime", std::to_string(runtime));
  benchmark::AddCustomContext("cub", std::to_string(CUB_VERSION));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
