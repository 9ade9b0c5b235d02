// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread block as a group.
#pragma once

#include <utility>

#include <simt/barriers.hpp>
#include <simt/device_interface.hpp>

namespace cooperative_groups {
namespace details {

// The ticket of a split barrier: arrive, do other work, wait.
template <simt::barrier_scope Scope>
class arrival {
 public:
  explicit arrival(simt::barrier_phase phase) : phase_(phase) {}
  simt::barrier_phase phase() const { return phase_; }

 private:
  simt::barrier_phase phase_;
};

template <simt::barrier_scope Scope>
class split_barrier {
 public:
  using arrival_token = arrival<Scope>;

  static void sync(SIMT_HERE) { simt::barrier(Scope, here); }
  static arrival_token barrier_arrive(SIMT_HERE) { return arrival_token(simt::barrier_arrive(Scope, here)); }
  static void barrier_wait(arrival_token&& token, SIMT_HERE) { simt::barrier_wait(Scope, token.phase(), here); }
};

}  // namespace details

class thread_block : public details::split_barrier<simt::barrier_scope::block> {
 public:
  static constexpr auto scope = simt::barrier_scope::block;
  static unsigned thread_rank() { return simt::linear_thread(); }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static dim3 group_index() { return dim3(blockIdx); }
  static dim3 thread_index() { return dim3(threadIdx); }
  static dim3 dim_threads() { return blockDim; }
  static dim3 group_dim() { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

}  // namespace cooperative_groups
