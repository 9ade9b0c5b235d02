// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: the captured work in the order of capture, which satisfies every dependency.
#include <set>

#include "host.hpp"

namespace {

std::set<CUgraphExec_st*>& executables() {
  static auto& all = *new std::set<CUgraphExec_st*>;
  return all;
}

}  // namespace

using simt::api_call;
using simt::report;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  api_call call("cudaGraphCreate");
  if (call.error()) return call.error();
  if (!graph || flags != 0) return report(cudaErrorInvalidValue);
  *graph = new CUgraph_st;
  return cudaSuccess;
}

// Nodes have no handles of their own; their number can be asked for.
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  api_call call("cudaGraphGetNodes");
  if (call.error()) return call.error();
  if (!graph || !count) return report(cudaErrorInvalidValue);
  if (nodes) return report(cudaErrorNotSupported);
  *count = graph->nodes.size();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  api_call call("cudaGraphInstantiate");
  if (call.error()) return call.error();
  if (!executable || !graph) return report(cudaErrorInvalidValue);
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  *executable = new CUgraphExec_st{graph->nodes, graph->memory};
  executables().insert(*executable);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  api_call call("cudaGraphUpload");
  if (call.error()) return call.error();
  if (!executables().count(executable)) return report(cudaErrorInvalidValue);
  return report(simt::find_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  api_call call("cudaGraphLaunch");
  if (call.error()) return call.error();
  if (!executables().count(executable)) return report(cudaErrorInvalidValue);
  // By value: a launch inside a capture becomes part of that graph and may outlive this one.
  return report(simt::enqueue(stream, [nodes = executable->nodes, memory = executable->memory] {
    for (auto& node : nodes) node();
  }));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  api_call call("cudaGraphExecDestroy");
  if (call.error()) return call.error();
  if (!executables().erase(executable)) return report(cudaErrorInvalidValue);
  delete executable;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  api_call call("cudaGraphDestroy");
  if (call.error()) return call.error();
  if (!graph) return report(cudaErrorInvalidValue);
  delete graph;
  return cudaSuccess;
}
