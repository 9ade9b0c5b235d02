// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "occupancy.hpp"

#include <algorithm>

namespace simt {
namespace {

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

// Registers are handed out to whole warps in units of 256, and warps are spread over four register files.
constexpr int register_unit = 256;
constexpr int register_files = 4;

int shared_unit(const device_model& model) { return model.major >= 8 ? 128 : 256; }

}  // namespace

int occupancy_by_formula(const device_model& model, const kernel_resources& kernel, int block_threads,
                         std::size_t dynamic_bytes) {
  if (block_threads < 1 || block_threads > std::min(kernel.max_threads_per_block, model.threads_per_block)) return 0;
  int warps = round_up(block_threads, 32) / 32;

  int by_warps = model.threads_per_multiprocessor / 32 / warps;

  int registers_of_warp = round_up(kernel.registers_per_thread * 32, register_unit);
  int by_registers = by_warps;
  if (registers_of_warp > 0) {
    int warps_of_file = model.registers_per_multiprocessor / register_files / registers_of_warp;
    if (round_up(warps, register_files) * registers_of_warp > model.registers_per_block) return 0;
    by_registers = warps_of_file * register_files / warps;
  }

  std::size_t allowed =
      std::min<std::size_t>(kernel.max_dynamic_shared_bytes, std::size_t(model.shared_per_block_opt_in));
  if (dynamic_bytes > allowed || kernel.static_shared_bytes > std::size_t(model.shared_per_block)) return 0;
  if (dynamic_bytes + kernel.static_shared_bytes > std::size_t(model.shared_per_block_opt_in)) return 0;
  int shared = int(dynamic_bytes + kernel.static_shared_bytes) + model.reserved_shared_per_block;
  shared = round_up(shared, shared_unit(model));
  int by_shared = shared > 0 ? model.shared_per_multiprocessor / shared : model.blocks_per_multiprocessor;

  return std::min({by_warps, by_registers, by_shared, model.blocks_per_multiprocessor});
}

#if !defined(SIMT_HAVE_CUDA_OCCUPANCY)
int active_blocks(const device_model& model, const kernel_resources& kernel, int block_threads,
                  std::size_t dynamic_bytes) {
  return occupancy_by_formula(model, kernel, block_threads, dynamic_bytes);
}
#endif

}  // namespace simt
