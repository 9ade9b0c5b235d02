// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/reduce_arguments.cuh>
#include <gpuprim/device/detail/reduce_kernel.cuh>
#include <gpuprim/launch/host_result.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/launch_plan.cuh>
#include <gpuprim/launch/workspace.cuh>
#include <gpuprim/policy/reduce_policy.hpp>

#include <limits>

namespace gpuprim::detail {

/// Cuts the input into head, body and tail. AtLine: its units begin at a cache line, unless what is then left of the
/// body would be more than a unit. A row of loads that straddles lines takes one more: 64 KiB of float from an address
/// that is not aligned 1.35 us instead of 1.28, 16 MiB 5.74 instead of 5.64.
template <int LoadsPerThread, bool AtLine = false, class In>
reduce_input<In, LoadsPerThread> make_reduce_input(const In& in, std::int64_t n) {
  using input_type = reduce_input<In, LoadsPerThread>;
  std::int64_t head = 0;
  if constexpr (input_type::has_edges) {
    head = detail::count_items_to_boundary(in) + input_type::margin_items;
    if (head > n) head = n;
  }
  const std::int64_t body = n - head - input_type::margin_items, loads = body > 0 ? body / input_type::load_items : 0;
  int lead = AtLine ? detail::count_loads_to_line(in, head) : 0;
  if (lead > loads || (loads - lead) % input_type::unit_loads + lead > input_type::unit_loads) lead = 0;
  return {in, n, loads, input_type::pack(head, lead)};
}

/// How the blocks of a reduce meet: in order, through mailboxes.
struct by_mail {
  template <class Acc>
  static constexpr std::int64_t bytes(std::int64_t blocks) { return grid_reduce_bytes<Acc>(blocks); }
  template <class Acc>
  static grid_reduce_state<Acc> state(void* buffer) { return make_grid_reduce_state<Acc>(buffer); }
};

/// Calls `go` with a zeroed buffer of `needed` bytes: the workspace, or memory from the stream's pool.
template <class Go>
outcome with_workspace(std::int64_t needed, const options& how, const Go& go) {
  if (how.workspace) {
    if (how.workspace->bytes() < needed) {
      return {cudaErrorInvalidValue, "the workspace is too small; reserve what the call's ..._workspace_bytes says"};
    }
    return {go(how.workspace->data())};
  }
  void* buffer = nullptr;
  if (cudaError_t e = cudaMallocAsync(&buffer, std::size_t(needed), how.stream)) return {e};
  cudaError_t e = cudaMemsetAsync(buffer, 0, std::size_t(needed), how.stream);
  if (e == cudaSuccess) e = go(buffer);
  const cudaError_t freed = cudaFreeAsync(buffer, how.stream);
  return {e != cudaSuccess ? e : freed};
}

/// What find_shape returns if not even one block of the kernel fits on the GPU.
inline constexpr cudaError_t does_not_fit = cudaErrorInvalidConfiguration;

/// How a kernel is launched, and whether it may start early; or why it cannot be launched.
struct found_shape {
  launch_shape grid{};
  start when = start::in_order;
  cudaError_t error = cudaSuccess;
  int memory_bus_bits = 0;
};

/// That of the kernel that `fit` is of.
inline found_shape make_shape(const kernel_fit& fit, std::int64_t blocks, int block_size, std::int64_t shared_bytes) {
  const start when = fit.ptx_version >= ptx::early_start_ptx_version ? start::early : start::in_order;
  return {{int(blocks), block_size, int(shared_bytes), fit.function}, when, cudaSuccess, fit.memory_bus_bits};
}

/// That of a kernel that could use so many blocks. MostBlocks, SharedBytes: as for find_kernel_fit.
template <auto Kernel, int MostBlocks = 0, int SharedBytes = 0>
found_shape find_shape(std::int64_t blocks, int block_size) {
  kernel_fit fit;
  cudaError_t error = find_kernel_fit<Kernel, MostBlocks, SharedBytes>(block_size, fit);
  if (error == cudaSuccess && fit.blocks_per_multiprocessor < 1) error = does_not_fit;
  if (error != cudaSuccess) return {{}, start::in_order, error};
  if (blocks < 1) blocks = 1;
  const std::int64_t resident = std::int64_t(fit.multiprocessors) * fit.blocks_per_multiprocessor;
  if (blocks > resident) blocks = resident;
  if (blocks > max_reduce_blocks) blocks = max_reduce_blocks;
  return make_shape(fit, blocks, block_size, fit.reserved_bytes);
}

/// Everything of a call that depends on the policy: kernel, grid, launch.
template <class Meeting, reduce_policy Policy, class Acc, class In, class Out, class Op>
struct reduce_launch : private reduce_types<input_value<In>, Acc, Out, Op> {
  static constexpr int block_size = Policy.block_size, loads_per_thread = Policy.loads_per_thread;
  static constexpr int rows = count_rows<In>(loads_per_thread);
  static constexpr int most_blocks = Policy.blocks_per_multiprocessor;
  static_assert(block_size >= warp_size && block_size <= max_block_size && block_size % warp_size == 0,
                "gpuprim::reduce: BlockSize must be a multiple of 32 from 32 to 1024");
  static_assert(loads_per_thread >= 1 && loads_per_thread <= 16 && (loads_per_thread & (loads_per_thread - 1)) == 0,
                "gpuprim::reduce: LoadsPerThread must be 1, 2, 4, 8 or 16");
  static_assert(most_blocks >= 0 && most_blocks <= 32,
                "gpuprim::reduce: BlocksPerMultiprocessor must be 1 to 32, or 0 for as many as fit");

  using input_type = reduce_input<In, rows>;
  using state_type = decltype(Meeting::template state<Acc>(nullptr));
  static constexpr auto kernel = &reduce_kernel<block_size, rows, Acc, In, Out, Op, state_type>;

  static input_type make_input(const In& in, std::int64_t n) {
    return detail::make_reduce_input<rows, folds_by_lane<Op, Acc>>(in, n);
  }

  static found_shape find_shape(const input_type& input) {
    constexpr int warps = block_size / warp_size;
    return detail::find_shape<kernel, most_blocks>((input.units() + warps - 1) / warps, block_size);
  }

  static outcome run(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
    const outcome bad = detail::check_reduce_arguments(in, n, detail::is_writable(out));
    if (bad.code != cudaSuccess) return bad;
    auto input = make_input(in, n);
    const found_shape found = find_shape(input);
    if (found.error != cudaSuccess) return {found.error};
    if constexpr (deals_runs<In, block_size, rows>) {
      constexpr int warps = block_size / warp_size;
      input.run = choose_run(input.complete_units(), found.grid.grid_size, warps, found.memory_bus_bits);
    }
    return launch_shaped(input, found, out, op, init, how);
  }

  static outcome launch_shaped(const input_type& input, const found_shape& found, Out out, Op op, Acc init,
                               const options& how) {
    auto launch_with = [&](void* buffer) {
      return launch(found.when, kernel, found.grid, how.stream, input, out, op, init,
                    buffer ? Meeting::template state<Acc>(buffer) : state_type{});
    };
    if (found.grid.grid_size == 1) return {launch_with(nullptr)};
    return with_workspace(Meeting::template bytes<Acc>(found.grid.grid_size), how, launch_with);
  }

  static cudaError_t describe(const In& in, std::int64_t n, launch_plan& plan) {
    const found_shape found = find_shape(make_input(in, n));
    if (found.error != cudaSuccess) return found.error;
    constexpr std::int64_t bytes_per_thread =
        std::int64_t(rows) * input_type::load_items * std::int64_t(sizeof(input_value<In>));
    return describe_launch(kernel, found.grid, bytes_per_thread, plan);
  }
};

/// Calls `go` with the iterator unwrapped. The iterators of `thrust::device_vector` can be told from reversed ones only
/// by looking at two neighbouring addresses.
template <class In, class Go>
auto with_raw_input(const In& in, const Go& go) {
  if constexpr (!std::is_pointer_v<In> && !fancy_pointer<In> && wrapped_fancy_pointer<In>) {
    using T = input_value<In>;
    if ((&*in).get() == in.base().get() && (&*(in + 1)).get() == in.base().get() + 1) {
      return with_aligned_input<T>(in.base().get(), go);
    }
    return go(in);
  } else {
    const auto raw = detail::unwrap_contiguous(in);
    if constexpr (std::is_pointer_v<decltype(detail::unwrap_contiguous(in))>) {
      return with_aligned_input<input_value<In>>(raw, go);
    } else {
      return go(raw);
    }
  }
}

/// The same, with elements that take several wide loads as such.
template <class In, class Go>
auto with_wide_input(const In& in, const Go& go) {
  return detail::with_raw_input(in, [&](auto raw) { return detail::with_wide_elements(raw, go); });
}

template <class Meeting, reduce_policy Policy, class Acc, class In, class Out, class Op>
outcome reduce_with(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
  return detail::with_wide_input(in, [&](auto raw) {
    auto result = detail::unwrap_contiguous(out);
    using launch_type = reduce_launch<Meeting, Policy, Acc, decltype(raw), decltype(result), Op>;
    return launch_type::run(raw, n, result, op, init, how);
  });
}

/// Calls `go` with the launch that the policy for the input gives.
template <class Meeting, class Acc, class In, class Out, class Op, class Go>
auto with_tuned_launch(const In&, std::int64_t n, const Out&, const Op&, const Go& go) {
  constexpr std::int64_t size = sizeof(input_value<In>), most = (std::numeric_limits<std::int64_t>::max)() / size;
  constexpr bool is_triple = loads_in_row<In> > 1;
  constexpr bool is_odd = is_triple || (size < load_bytes && load_bytes % size != 0);
  constexpr bool is_short = sizeof(Acc) <= 8 || sizeof(Acc) <= size;
  constexpr bool is_simple = !is_odd && is_short && !joins_units<In>;
  // 16 loads in flight leave no registers for longer loads than one wide one, for several figures at once, nor to keep
  // the order in.
  constexpr bool is_deep =
      !is_simple && sizeof(Acc) <= 32 && (is_odd || fits_wide_load<In>()) && folds_by_lane<Op, Acc>;
  constexpr bool is_wide = std::is_pointer_v<In> && is_simple && size == 8 && folds_by_lane<Op, Acc>;
  const std::int64_t bytes = n < most ? n * size : most;  // too many is refused below
  if constexpr (size >= 32) {
    constexpr reduce_policy few = find_long_reduce_policy(0, size), many = find_long_reduce_policy(most, size);
    const bool are_few = find_long_reduce_policy(bytes, size) == few;
    if (are_few) return go(reduce_launch<Meeting, few, Acc, In, Out, Op>{});
    return go(reduce_launch<Meeting, many, Acc, In, Out, Op>{});
  } else {
    constexpr reduce_policy medium = is_wide || is_triple ? medium_wide_reduce_policy : medium_reduce_policy;
    constexpr reduce_policy large = is_deep   ? deep_reduce_policy
                                    : is_wide ? large_wide_reduce_policy
                                              : large_reduce_policy;
    constexpr bool is_narrow = size <= 2 && !is_from<Op, plus>;
    constexpr long long most_middle = is_narrow ? most_narrow_middle_bytes : most_middle_bytes;
    // What a small block reads at once is less: three loads where others make four.
    const bool is_less_at_once = is_triple && bytes <= 2 << 20;
    const reduce_policy chosen = find_reduce_policy(is_less_at_once ? bytes + bytes / 3 : bytes, most_middle);
    if (chosen == small_reduce_policy) return go(reduce_launch<Meeting, small_reduce_policy, Acc, In, Out, Op>{});
    if constexpr (is_simple) {
      if (chosen == middle_reduce_policy) return go(reduce_launch<Meeting, middle_reduce_policy, Acc, In, Out, Op>{});
    }
    if (chosen != large_reduce_policy) return go(reduce_launch<Meeting, medium, Acc, In, Out, Op>{});
    return go(reduce_launch<Meeting, large, Acc, In, Out, Op>{});
  }
}

template <class Meeting, class Acc, class In, class Out, class Op>
outcome reduce_tuned(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
  return detail::with_wide_input(in, [&](auto raw) {
    auto result = detail::unwrap_contiguous(out);
    return with_tuned_launch<Meeting, Acc>(raw, n, result, op, [&](auto chosen) {
      return decltype(chosen)::run(raw, n, result, op, init, how);
    });
  });
}

inline void throw_if_failed(const char* call, outcome o) {
  if (o.code != cudaSuccess) throw cuda_error(o.code, call, o.fault, cudaGetErrorString(o.code));
}

/// Output of a kernel whose result the host waits for: assigning through it mails the value.
template <class T>
struct host_output {
  mailbox<T>* box;

  __device__ host_output operator*() const { return *this; }
  __device__ void operator=(const T& value) const { box->send_to_host(value); }
};

/// How often the host looks for a result before it waits for the stream, which takes longer to notice: some 20 us.
inline constexpr int looks_for_result = 20000;

/// Calls `go(output, options)`, which enqueues a reduce, and returns its result.
template <class Acc, class In, class Go>
Acc reduce_to_host(const In& in, std::int64_t n, const options& how, std::int64_t workspace_bytes, const Go& go,
                   const char* call = "gpuprim::reduce_value") {
  const auto check_raw = [&](auto raw) { return detail::check_reduce_arguments(raw, n, true); };
  throw_if_failed(call, detail::with_raw_input(in, check_raw));
  host_result* kept = nullptr;
  throw_if_failed(call, {host_result::find(sizeof(mailbox<Acc>), how.workspace ? 0 : workspace_bytes, kept)});
  auto* box = static_cast<mailbox<Acc>*>(kept->memory());
  box->clear();
  throw_if_failed(call,
                  go(host_output<Acc>{box}, options{how.stream, how.workspace ? how.workspace : &kept->scratch()}));
  for (int look = 0; look < looks_for_result; ++look) {
    if (box->has_arrived()) return box->value();
  }
  throw_if_failed(call, {cudaStreamSynchronize(how.stream)});
  return box->value();
}

/// The plan of the launch that `choose(input, output, describe)` passes to `describe`.
template <class In, class Out, class Choose>
launch_plan plan_reduce(const In& in, std::int64_t n, const Out& out, const Choose& choose) {
  launch_plan plan;
  throw_if_failed("gpuprim::reduce_plan", detail::with_wide_input(in, [&](auto raw) -> outcome {
    const outcome bad = detail::check_reduce_arguments(raw, n, true);
    if (bad.code != cudaSuccess) return bad;
    return choose(raw, detail::unwrap_contiguous(out), [&]<class Launch>(Launch) -> outcome {
      return {Launch::describe(raw, n, plan)};
    });
  }));
  return plan;
}

}  // namespace gpuprim::detail
