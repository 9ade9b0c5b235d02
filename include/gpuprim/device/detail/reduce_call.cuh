// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/accumulator.hpp>
#include <gpuprim/core/error.hpp>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/detail/reduce_kernel.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/launch_plan.cuh>
#include <gpuprim/launch/workspace.cuh>
#include <gpuprim/policy/reduce_policy.hpp>

#include <limits>

namespace gpuprim::detail {

/// What a call came to: CUDA's code, and in words where the library found the fault.
struct outcome {
  cudaError_t code = cudaSuccess;
  const char* fault = "CUDA reported an error";
};

/// The type that the values are joined in: the one asked for, or the default where that is void.
template <class Asked, class Op, class In>
struct accumulator_choice {
  static_assert(random_access_input<In>, "gpuprim::reduce: the input must be a pointer or a random-access iterator");
  using type = std::conditional_t<std::is_void_v<Asked>, default_accumulator<Op, input_value<In>>, Asked>;
};
template <class Asked, class Op, class In>
using accumulator_for = typename accumulator_choice<Asked, Op, In>::type;

template <class In>
outcome check_reduce_arguments(const In& in, std::int64_t n, bool has_output) {
  using T = input_value<In>;
  if (n < 0) return {cudaErrorInvalidValue, "the count is negative"};
  if (n > std::numeric_limits<std::int64_t>::max() / std::int64_t(sizeof(T)) - load_bytes) {
    return {cudaErrorInvalidValue, "the count is too large: the input's size in bytes overflows 64 bits"};
  }
  if (!has_output) return {cudaErrorInvalidValue, "the output is a null pointer"};
  if constexpr (std::is_pointer_v<In>) {
    if (n > 0 && in == nullptr) return {cudaErrorInvalidValue, "the input is a null pointer but the count is not 0"};
    if (reinterpret_cast<std::uintptr_t>(in) % alignof(T) != 0) {
      return {cudaErrorInvalidValue, "the input is not aligned to its element type"};
    }
  }
  return {};
}

template <class Out>
bool is_writable(const Out& out) {
  if constexpr (std::is_pointer_v<Out>) return out != nullptr;
  else return true;
}

template <int LoadsPerThread, class In>
reduce_input<In, LoadsPerThread> make_reduce_input(const In& in, std::int64_t n) {
  using T = input_value<In>;
  if constexpr (std::is_pointer_v<In> && load_bytes % sizeof(T) == 0) {
    const int past = int(reinterpret_cast<std::uintptr_t>(in) % load_bytes);
    // An address that no element boundary leads to a 16-byte one from cannot be loaded widely at all.
    if (past % int(sizeof(T)) != 0) return {in, n, 0, false};
    return {in, n, past / int(sizeof(T)), true};
  } else {
    return {in, n, 0, true};
  }
}

/// Everything of a call that depends on the policy: kernel, grid, launch.
template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op>
struct reduce_launch {
  static_assert(BlockSize >= warp_size && BlockSize <= max_block_size && BlockSize % warp_size == 0,
                "gpuprim::reduce: BlockSize must be a multiple of 32 from 32 to 1024");
  static_assert(LoadsPerThread >= 1 && LoadsPerThread <= 16 && (LoadsPerThread & (LoadsPerThread - 1)) == 0,
                "gpuprim::reduce: LoadsPerThread must be 1, 2, 4, 8 or 16");
  static_assert(element<input_value<In>>, "gpuprim::reduce: the element type must be trivially copyable");
  static_assert(element<Acc>, "gpuprim::reduce: the accumulator type must be trivially copyable");
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::reduce: the operator must take two values of the accumulator type and return one");

  static constexpr int block_size = BlockSize, loads_per_thread = LoadsPerThread;
  static constexpr auto kernel = &reduce_kernel<BlockSize, LoadsPerThread, Acc, In, Out, Op>;
  static constexpr std::int64_t bytes_per_thread = std::int64_t(LoadsPerThread) *
      reduce_input<In, LoadsPerThread>::row_items * std::int64_t(sizeof(input_value<In>));

  static cudaError_t find_grid(const reduce_input<In, LoadsPerThread>& input, int& grid_size) {
    kernel_fit fit;
    if (cudaError_t e = find_kernel_fit<kernel>(BlockSize, fit)) return e;
    std::int64_t blocks = input.n == 0 ? 1 : (input.units() - 1) / (BlockSize / warp_size) + 1;
    const std::int64_t resident = std::int64_t(fit.multiprocessors) * fit.blocks_per_multiprocessor;
    if (blocks > resident) blocks = resident;
    if (blocks > max_reduce_blocks) blocks = max_reduce_blocks;
    grid_size = int(blocks);
    return cudaSuccess;
  }

  static outcome run(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
    if (outcome bad = check_reduce_arguments(in, n, is_writable(out)); bad.code != cudaSuccess) return bad;
    const auto input = make_reduce_input<LoadsPerThread>(in, n);
    int grid_size = 0;
    if (cudaError_t e = find_grid(input, grid_size)) return {e};
    if (grid_size == 1) return {launch(kernel, 1, BlockSize, how.stream, input, out, op, init, grid_reduce_state<Acc>{})};

    const std::int64_t needed = grid_reduce_bytes<Acc>(grid_size);
    if (how.workspace) {
      if (how.workspace->bytes() < needed) {
        return {cudaErrorInvalidValue, "the workspace is too small; reserve reduce_workspace_bytes<Acc>(n)"};
      }
      return {launch(kernel, grid_size, BlockSize, how.stream, input, out, op, init,
                     make_grid_reduce_state<Acc>(how.workspace->data()))};
    }
    void* buffer = nullptr;
    if (cudaError_t e = cudaMallocAsync(&buffer, std::size_t(needed), how.stream)) return {e};
    cudaError_t e = cudaMemsetAsync(buffer, 0, 64, how.stream);
    if (e == cudaSuccess) {
      e = launch(kernel, grid_size, BlockSize, how.stream, input, out, op, init, make_grid_reduce_state<Acc>(buffer));
    }
    const cudaError_t freed = cudaFreeAsync(buffer, how.stream);
    return {e != cudaSuccess ? e : freed};
  }
};

/// Calls `go` with the iterator unwrapped. The iterators of `thrust::device_vector` can be told from reversed ones only
/// by looking at two neighbouring addresses.
template <class In, class Go>
auto with_raw_input(const In& in, const Go& go) {
  if constexpr (!std::is_pointer_v<In> && !fancy_pointer<In> && wrapped_fancy_pointer<In>) {
    if ((&*in).get() == in.base().get() && (&*(in + 1)).get() == in.base().get() + 1) return go(in.base().get());
  }
  return go(unwrap_contiguous(in));
}

template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op>
outcome reduce_with(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
  return with_raw_input(in, [&](auto raw) {
    auto result = unwrap_contiguous(out);
    return reduce_launch<BlockSize, LoadsPerThread, Acc, decltype(raw), decltype(result), Op>::run(raw, n, result, op,
                                                                                                 init, how);
  });
}

/// Calls `go` with the policy for the input as template arguments.
template <class Acc, class In, class Out, class Op, class Go>
auto with_tuned_launch(const In&, std::int64_t n, const Out&, const Op&, const Go& go) {
  constexpr reduce_policy usual = default_reduce_policy, one_block = one_block_reduce_policy;
  if (reduce_takes_one_block(n * std::int64_t(sizeof(input_value<In>)))) {
    return go(reduce_launch<one_block.block_size, one_block.loads_per_thread, Acc, In, Out, Op>{});
  }
  return go(reduce_launch<usual.block_size, usual.loads_per_thread, Acc, In, Out, Op>{});
}

template <class Acc, class In, class Out, class Op>
outcome reduce_tuned(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
  return with_raw_input(in, [&](auto raw) {
    auto result = unwrap_contiguous(out);
    return with_tuned_launch<Acc>(raw, n, result, op, [&](auto chosen) {
      return decltype(chosen)::run(raw, n, result, op, init, how);
    });
  });
}

inline void throw_if_failed(const char* call, outcome o) {
  if (o.code != cudaSuccess) throw cuda_error(o.code, call, o.fault, cudaGetErrorString(o.code));
}

template <class Acc, class In, class Op>
Acc reduce_to_host(In in, std::int64_t n, Op op, Acc init, const options& how, std::int64_t workspace_bytes) {
  constexpr const char* call = "gpuprim::reduce_value";
  throw_if_failed(call, with_raw_input(in, [&](auto raw) { return check_reduce_arguments(raw, n, true); }));
  if (how.workspace && how.workspace->bytes() < workspace_bytes) {
    throw cuda_error(cudaErrorInvalidValue, call, "the workspace is too small; reserve reduce_workspace_bytes<Acc>(n)",
                     cudaGetErrorString(cudaErrorInvalidValue));
  }
  workspace own;
  if (!how.workspace) throw_if_failed(call, {own.reserve(workspace_bytes)});
  workspace& used = how.workspace ? *how.workspace : own;
  // The last slot of the workspace is never a block's.
  Acc* slot = reinterpret_cast<Acc*>(static_cast<char*>(used.data()) + workspace_bytes) - 1;
  throw_if_failed(call, reduce_tuned<Acc>(in, n, slot, op, init, {how.stream, &used}));
  uninitialized_array<Acc, 1> result;
  throw_if_failed(call, {cudaMemcpyAsync(&result[0], slot, sizeof(Acc), cudaMemcpyDeviceToHost, how.stream)});
  throw_if_failed(call, {cudaStreamSynchronize(how.stream)});
  return result[0];
}

template <class Acc, class In, class Out, class Op>
launch_plan plan_tuned(In in, std::int64_t n, Out out, Op op, Acc) {
  constexpr const char* call = "gpuprim::reduce_plan";
  launch_plan plan;
  throw_if_failed(call, with_raw_input(in, [&](auto raw) -> outcome {
    auto result = unwrap_contiguous(out);
    if (outcome bad = check_reduce_arguments(raw, n, true); bad.code != cudaSuccess) return bad;
    return with_tuned_launch<Acc>(raw, n, result, op, [&]<class Chosen>(Chosen) -> outcome {
      int grid_size = 0;
      if (cudaError_t e = Chosen::find_grid(make_reduce_input<Chosen::loads_per_thread>(raw, n), grid_size)) return {e};
      return {describe_launch<Chosen::kernel>(grid_size, Chosen::block_size, Chosen::bytes_per_thread, plan)};
    });
  }));
  return plan;
}

}  // namespace gpuprim::detail
