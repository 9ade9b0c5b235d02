// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One pass of the reduction family against a sequential reference, with everything around it checked.
#include "reduce_check.cuh"

#include <string>

namespace test {

/// Runs `call(in, n, out, options)` over `values` and compares its result, of the type of `want`, with that.
template <class T, class Result, class Call>
void check_pass(const std::vector<T>& values, const Result& want, Call call, std::int64_t workspace_bytes,
                std::size_t misalignment = 0) {
  const auto n = std::int64_t(values.size());
  CAPTURE(n, misalignment);
  device_array<T> input(values, misalignment);
  device_array<Result> output(1);
  gpuprim::workspace workspace(workspace_bytes);
  CUDA_OK(call(static_cast<const T*>(input.data()), n, output.data(), gpuprim::options{nullptr, &workspace}));
  CHECK(bool(output.download()[0] == want));
  output.check_guards();
  input.check_unchanged();
}

/// What `call(out)` computes: as by the call that returns it, of which each type would be other kernels to compile.
template <class Result, class Call>
Result result_of(Call call) {
  device_array<Result> output(1);
  CUDA_OK(call(output.data()));
  return output.download()[0];
}

/// What a call that must throw says.
template <class Call>
std::string message_of(Call call) {
  try {
    (void)call();
  } catch (const gpuprim::cuda_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

/// Captures `call(stream)` into a graph, replays it and waits; returns how many nodes the graph has.
template <class Call>
std::size_t run_in_graph(Call call) {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const cudaError_t captured = call(stream);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(captured);
  std::size_t nodes = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int replay = 0; replay < 3; ++replay) CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
  return nodes;
}

}  // namespace test
