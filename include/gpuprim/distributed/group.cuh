// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/distributed/communicator.cuh>
#include <gpuprim/launch/scratch_lease.cuh>

#include <new>

namespace gpuprim::inline v0_1_0 {

namespace detail {

/// A call whose first pass is in its stream, and whose exchanges with the other ranks are not. After each exchange
/// something follows.
class pending_call {
 public:
  pending_call(ncclComm_t comm, int device) : comm_(comm), device_(device) {}
  pending_call(const pending_call&) = delete;
  pending_call& operator=(const pending_call&) = delete;
  virtual ~pending_call() = default;

  virtual int exchanges() const { return 1; }
  /// Calls NCCL, between ncclGroupStart and ncclGroupEnd.
  virtual ncclResult_t exchange(int number) = 0;
  /// Enqueues what follows the exchange.
  virtual outcome follow(int number) = 0;
  /// Gives the memory back. Returns the first error.
  virtual outcome finish(const outcome& done) = 0;

  ncclComm_t comm() const { return comm_; }
  int device() const { return device_; }
  pending_call* next = nullptr;

 private:
  ncclComm_t comm_;
  int device_;
};

/// Does one exchange of all calls that have it, together.
inline outcome exchange_once(pending_call* first, int number) {
  outcome done = detail::outcome_of(ncclGroupStart());
  if (done.failed()) return done;
  const auto keep = [&](ncclResult_t result) {
    if (!done.failed() && result != ncclInProgress) done = detail::outcome_of(result);
  };
  for (pending_call* call = first; call != nullptr; call = call->next) {
    if (number < call->exchanges()) keep(call->exchange(number));
  }
  const ncclResult_t result = ncclGroupEnd();
  keep(result);
  for (pending_call* call = first; call != nullptr && result == ncclInProgress; call = call->next) {
    const outcome settled = detail::settle(call->comm(), result);
    if (!done.failed()) done = settled;
  }
  return done;
}

/// Makes the exchanges of pending calls, and what follows them. Returns the first error.
inline outcome finish_calls(pending_call* first) {
  int current = 0;
  if (cudaError_t e = cudaGetDevice(&current)) return {e};
  int device = current;
  const auto go_to = [&](int next) {
    const cudaError_t error = next == device ? cudaSuccess : cudaSetDevice(next);
    device = next;
    return outcome{error};
  };
  outcome done;
  bool is_last = false;
  for (int number = 0; !is_last && !done.failed(); ++number) {
    done = detail::exchange_once(first, number);
    is_last = true;
    for (pending_call* call = first; call != nullptr && !done.failed(); call = call->next) {
      if (number >= call->exchanges()) continue;
      is_last = is_last && number + 1 == call->exchanges();
      done = go_to(call->device());
      if (!done.failed()) done = call->follow(number);
    }
  }
  for (pending_call* call = first; call != nullptr; call = call->next) {
    const outcome there = go_to(call->device()), finished = call->finish(done.failed() ? done : there);
    if (!done.failed()) done = finished;
  }
  const outcome back = go_to(current);
  return done.failed() ? done : back;
}

}  // namespace detail

namespace distributed {

/// Calls of one process for several GPUs, which wait for each other on the GPUs: each call with `{.group = &g}` starts
/// its local pass, and `g.finish()` has all of them exchange their results.
///
/// @pre   calls of a group that share a stream have workspaces of their own, or none. Every rank of a communicator is
///        called in the same order.
/// @sync  asynchronous on the streams of the calls; they can be captured into graphs, each stream into its own.
/// @example examples/distributed/one_process.cu
class group {
 public:
  group() = default;
  group(const group&) = delete;
  group& operator=(const group&) = delete;
  /// Drops the calls that were not finished; their outputs stay as they are.
  ~group() {
    const detail::outcome dropped{cudaErrorNotReady, "the group was not finished"};
    for (detail::pending_call* call = first_; call != nullptr; call = call->next) (void)call->finish(dropped);
    forget();
  }

  /// Exchanges, and finishes all calls. The current device is the same afterwards.
  ///
  /// @return cudaSuccess, or the first error; the group is empty then.
  [[nodiscard]] cudaError_t finish() {
    const detail::outcome done = first_ == nullptr ? detail::outcome{} : detail::finish_calls(first_);
    forget();
    return done.report();
  }

  /// Takes a call whose local pass is done. The library calls it.
  void keep(detail::pending_call* call) {
    (first_ == nullptr ? first_ : last_->next) = call;
    last_ = call;
  }

 private:
  void forget() {
    while (first_ != nullptr) {
      detail::pending_call* const next = first_->next;
      delete first_;
      first_ = next;
    }
  }

  detail::pending_call *first_ = nullptr, *last_ = nullptr;
};

/// What every call takes besides its arguments: `{.stream = s, .workspace = &ws, .group = &g}`, all optional.
struct options {
  /// Where the call is enqueued.
  cudaStream_t stream = nullptr;
  /// The memory that it uses.
  class workspace* workspace = nullptr;
  /// The calls that it exchanges its results together with.
  distributed::group* group = nullptr;
};

}  // namespace distributed

namespace detail {

/// A call on one rank, whose steps share scratch memory: a first pass, and exchanges with what follows each.
template <int Exchanges, class Local, class Exchange, class Follow>
class rank_call final : public pending_call {
 public:
  rank_call(ncclComm_t comm, int device, std::int64_t scratch_bytes, const options& how, const Local& local,
            const Exchange& exchange, const Follow& follow)
      : pending_call(comm, device), lease_(scratch_bytes, how), local_(local), exchange_(exchange), follow_(follow) {}

  outcome begin() {
    if (lease_.error()) return lease_.refusal();
    const outcome begun = local_(lease_.data());
    if (begun.failed()) (void)lease_.finish(begun.code);
    return begun;
  }
  int exchanges() const override { return Exchanges; }
  ncclResult_t exchange(int number) override { return exchange_(lease_.data(), number); }
  outcome follow(int number) override { return follow_(lease_.data(), number); }
  outcome finish(const outcome& done) override {
    const outcome freed = lease_.finish(done.code);
    return done.failed() ? done : freed;
  }

 private:
  scratch_lease lease_;
  Local local_;
  Exchange exchange_;
  Follow follow_;
};

/// Makes a call on one rank: its first pass now, and the rest now or when its group is finished.
template <int Exchanges = 1, class Local, class Exchange, class Follow>
outcome call_on_rank(ncclComm_t comm, std::int64_t scratch_bytes, const distributed::options& how, const Local& local,
                     const Exchange& exchange, const Follow& follow) {
  using call_type = rank_call<Exchanges, Local, Exchange, Follow>;
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return {e};
  const options own{how.stream, how.workspace};
  if (how.group == nullptr) {
    call_type call(comm, device, scratch_bytes, own, local, exchange, follow);
    const outcome begun = call.begin();
    return begun.failed() ? begun : detail::finish_calls(&call);
  }
  auto* const call = new (std::nothrow) call_type(comm, device, scratch_bytes, own, local, exchange, follow);
  if (call == nullptr) return {cudaErrorMemoryAllocation, "there is no host memory for a call of a group"};
  const outcome begun = call->begin();
  if (begun.failed()) delete call;
  else how.group->keep(call);
  return begun;
}

}  // namespace detail

}  // namespace gpuprim
