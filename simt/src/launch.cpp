// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: checked when enqueued, run then or whenever the graph that recorded them is.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "host.hpp"
#include "kernel_table.hpp"
#include "launch_checks.hpp"
#include "machine.hpp"

namespace simt {
namespace {

// A GPU would take the launch, and find out when the kernel reads.
void start(const grid& g) {
  if (!g.call.host_argument) return run_grid(g);
  std::fprintf(stderr,
               "simt: argument %d of a kernel points to host memory, which a GPU does not reach: it was not allocated "
               "by cudaMalloc or its kind, nor registered, or it is freed\n",
               g.call.host_argument);
  set_sticky_error(cudaErrorIllegalAddress);
}

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, kernel_call call) {
  api_call api("a kernel launch");
  if (api.error()) return api.error();
  if (config.numAttrs > 0 && !config.attrs) return report(cudaErrorInvalidValue);
  if (!call.kernel) return report(cudaErrorInvalidDeviceFunction);
  grid g;
  if (cudaError_t error = check_launch(config, call.kernel, g)) {
    spoil_capture(config.stream);
    return report(error);
  }
  g.call = std::move(call);
  return report(enqueue(config.stream, [g] { start(g); }));
}

cudaError_t launch_untyped(const cudaLaunchConfig_t& config, const void* kernel, void** arguments) {
  api_call api("a kernel launch");
  if (api.error()) return api.error();
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  kernel_binder binder = record_of(kernel).binder;
  if (!binder) {
    std::fprintf(stderr,
                 "simt: a kernel's address alone does not say how to call it: write cudaLaunchKernel(kernel, ...) or "
                 "cudaLaunchKernel((void*)kernel, ...), or cudaFuncGetAttributes(&attributes, kernel) once before\n");
    return report(cudaErrorInvalidResourceHandle);
  }
  return launch(config, binder(kernel, arguments));
}

cudaError_t max_active_blocks(int* blocks, const void* kernel, int block_threads, std::size_t dynamic_bytes) {
  api_call call("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  if (call.error()) return call.error();
  if (!blocks || block_threads < 1) return report(cudaErrorInvalidValue);
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  *blocks = active_blocks(current_model(), resources_of(kernel), block_threads, dynamic_bytes);
  return cudaSuccess;
}

// Larger clusters do not find room on every multiprocessor, because each has to stay within one processing
// cluster.
cudaError_t max_active_clusters(int* clusters, const void* kernel, const cudaLaunchConfig_t* config) {
  api_call call("cudaOccupancyMaxActiveClusters");
  if (call.error()) return call.error();
  if (!clusters || !config) return report(cudaErrorInvalidValue);
  grid g;
  if (cudaError_t error = check_launch(*config, kernel, g)) return report(error);
  const device_model& model = current_model();
  int blocks = active_blocks(model, resources_of(kernel), int(g.threads_per_block()), g.dynamic_bytes);
  blocks = std::min(blocks, device_model::clustered_blocks_per_multiprocessor);
  int size = int(g.blocks_per_cluster());
  *clusters = (size <= 2 ? model.multiprocessors : model.cluster_multiprocessors) * blocks / size;
  return cudaSuccess;
}

cudaError_t max_potential_cluster_size(int* size, const void* kernel, const cudaLaunchConfig_t* config) {
  api_call call("cudaOccupancyMaxPotentialClusterSize");
  if (call.error()) return call.error();
  if (!size || !config) return report(cudaErrorInvalidValue);
  if (!current_model().has_clusters()) return report(cudaErrorNotSupported);
  *size = record_of(kernel).non_portable_cluster_allowed ? device_model::largest_cluster_blocks
                                                         : device_model::portable_cluster_blocks;
  return cudaSuccess;
}

void trap(location here) {
  machine& m = the_machine();
  if (!m.current) __builtin_trap();
  const uint3& b = m.current->home->index;
  const uint3& t = m.current->index;
  std::fprintf(stderr, "simt: __trap() at %s:%u, in block (%u,%u,%u) thread (%u,%u,%u)\n", here.file, here.line, b.x,
               b.y, b.z, t.x, t.y, t.z);
  m.trapped = true;
  set_sticky_error(cudaErrorLaunchFailure);
  leave_grid();
  __builtin_unreachable();
}

std::int64_t device_clock() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

}  // namespace simt
