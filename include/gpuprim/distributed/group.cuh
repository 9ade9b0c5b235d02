// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/distributed/communicator.cuh>
#include <gpuprim/launch/memory_lease.cuh>

#include <cstddef>
#include <new>
#include <utility>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// A call whose first pass is in its stream, and whose exchanges with the other ranks are not. After each exchange
/// something follows.
class pending_call {
 public:
  pending_call(ncclComm_t comm, int device, double seconds) : comm_(comm), device_(device), seconds_(seconds) {}
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
  /// What it keeps between its steps, or null.
  virtual const void* scratch() const = 0;

  ncclComm_t comm() const { return comm_; }
  int device() const { return device_; }
  /// How long the host waits for other ranks.
  double seconds() const { return seconds_; }
  pending_call* next = nullptr;

 private:
  ncclComm_t comm_;
  int device_;
  double seconds_;
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
  const double begin = detail::read_clock();
  const ncclResult_t result = ncclGroupEnd();
  keep(result);
  for (pending_call* call = first; call != nullptr && result == ncclInProgress; call = call->next) {
    const outcome settled = detail::settle(call->comm(), result, begin, call->seconds());
    if (!done.failed()) done = settled;
  }
  return done;
}

/// Calls `go(call, done)` for all calls, each with its device as the current one, and then goes back to the device that
/// was. `done` is the first error so far, which it returns at the end.
template <class Go>
outcome for_each_call(pending_call* first, outcome done, const Go& go) {
  const auto keep = [&](const outcome& next) {
    if (!done.failed()) done = next;
  };
  int current = 0;
  keep({cudaGetDevice(&current)});
  int device = current;
  const auto enter = [&](int next) {
    if (next != device) keep({cudaSetDevice(next)});
    device = next;
  };
  for (pending_call* call = first; call != nullptr; call = call->next) {
    enter(call->device());
    keep(go(*call, done));
  }
  enter(current);
  return done;
}

/// Gives back what the calls hold. Returns the first error.
inline outcome end_calls(pending_call* first, const outcome& done) {
  return detail::for_each_call(first, done,
                               [](pending_call& call, const outcome& so_far) { return call.finish(so_far); });
}

/// Makes the exchanges of pending calls, and what follows them. Returns the first error.
inline outcome finish_calls(pending_call* first) {
  outcome done;
  bool is_last = false;
  for (int number = 0; !is_last && !done.failed(); ++number) {
    is_last = true;
    const auto follow = [&](pending_call& call, const outcome& so_far) -> outcome {
      if (so_far.failed() || number >= call.exchanges()) return {};
      is_last = is_last && number + 1 == call.exchanges();
      return call.follow(number);
    };
    done = detail::for_each_call(first, detail::exchange_once(first, number), follow);
  }
  return detail::end_calls(first, done);
}

}  // namespace detail

namespace distributed {

/// Calls of one process for several GPUs, which wait for each other on the GPUs: each call with `{.group = &g}` starts
/// its local pass, and `g.finish()` has all of them exchange their results.
///
/// @pre   each call of a group has a workspace of its own, or none. No call reads what another call of the group
///        writes, because all local passes come before all exchanges. Inputs and outputs stay as they are, and
///        workspaces and communicators live, until `finish` has returned; from then on the streams order everything.
///        Every rank of a communicator is called in the same order. A group belongs to one thread; the ranks of a
///        communicator may be in the groups of several.
/// @sync  asynchronous on the streams of the calls. They can be captured into graphs, all streams of a communicator
///        into one.
/// @example examples/distributed/one_process.cu
class group {
 public:
  group() = default;
  group(const group&) = delete;
  group& operator=(const group&) = delete;
  /// Drops the calls that were not finished. Their outputs stay as they are, but for those that local passes write: the
  /// counts of a histogram, what select_if and unique keep, results of runs, segments, rows and columns, and sums of a
  /// rank that is alone.
  ~group() {
    (void)detail::end_calls(first_, {cudaErrorNotReady, "the group was not finished"});
    forget();
  }

  /// Exchanges, and finishes all calls. The current device is the same afterwards.
  ///
  /// @return cudaSuccess, or the first error. If a call of the group was refused, that is its error, and nothing is
  ///         exchanged: the exchanges would wait for the rank that is missing. The group is empty then, and after an
  ///         error the outputs of all its calls are unspecified.
  [[nodiscard]] cudaError_t finish() {
    const detail::outcome done = refusal_.failed()   ? detail::end_calls(first_, refusal_)
                                 : first_ == nullptr ? detail::outcome{}
                                                     : detail::finish_calls(first_);
    forget();
    return done.report();
  }

  /// Whether a call of the group holds this scratch memory. The library calls it.
  bool holds(const void* scratch) const {
    for (const detail::pending_call* call = first_; call != nullptr; call = call->next) {
      if (scratch != nullptr && call->scratch() == scratch) return true;
    }
    return false;
  }
  /// Remembers that a call was refused. The library calls it.
  void refuse(const detail::outcome& why) {
    if (!refusal_.failed()) refusal_ = why;
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
    refusal_ = {};
  }

  detail::pending_call *first_ = nullptr, *last_ = nullptr;
  detail::outcome refusal_;
};

/// What every call takes besides its arguments: `{.stream = s, .workspace = &ws, .group = &g}`, all optional.
struct options {
  /// Where the call is enqueued.
  cudaStream_t stream = nullptr;
  /// The memory that it uses.
  class workspace* workspace = nullptr;
  /// The calls that it exchanges its results together with.
  distributed::group* group = nullptr;
  /// What gives it memory where it has no workspace.
  memory_resource memory = {};
  /// How long a call waits on the host for the other ranks, where it does: a sort, and every call of a communicator
  /// that does not block. It is not the time of a `wait`.
  double seconds = 60;
};

}  // namespace distributed

namespace detail {

/// Refuses the options of one GPU, and a stream, where a call takes another argument.
template <class Argument>
struct refuse_options : refuse_stream<Argument> {
  static_assert(!std::is_same_v<Argument, options>,
                "gpuprim::distributed: these are the options of one GPU; write distributed::options in their place");
};

/// Reports how a call was made, to its group too.
inline cudaError_t report_call(const outcome& made, const distributed::options& how) {
  if (made.failed() && how.group != nullptr) how.group->refuse(made);
  return made.report();
}

/// Numbers in host memory that the steps of a call share; null where there is no memory for them.
class host_numbers {
 public:
  host_numbers() = default;
  explicit host_numbers(std::size_t count) : numbers_(new (std::nothrow) std::int64_t[count]) {}
  host_numbers(host_numbers&& other) noexcept : numbers_(std::exchange(other.numbers_, nullptr)) {}
  host_numbers& operator=(host_numbers&&) = delete;
  ~host_numbers() { delete[] numbers_; }

  std::int64_t* data() const { return numbers_; }

 private:
  std::int64_t* numbers_ = nullptr;
};

/// A call on one rank, whose steps share scratch memory: a first pass, and exchanges with what follows each.
template <int Exchanges, class Local, class Exchange, class Follow>
class rank_call final : public pending_call {
 public:
  rank_call(ncclComm_t comm, int device, std::int64_t scratch_bytes, const distributed::options& how,
            const Local& local, const Exchange& exchange, const Follow& follow, host_numbers numbers)
      : pending_call(comm, device, how.seconds),
        lease_({0, scratch_bytes}, {how.stream, how.workspace, how.memory}),
        local_(local),
        exchange_(exchange),
        follow_(follow),
        numbers_(std::move(numbers)) {}

  outcome begin() {
    if (lease_.error()) return lease_.refusal();
    const outcome begun = local_(lease_.scratch());
    if (begun.failed()) (void)lease_.finish(begun.code);
    return begun;
  }
  int exchanges() const override { return Exchanges; }
  ncclResult_t exchange(int number) override { return exchange_(lease_.scratch(), number); }
  outcome follow(int number) override { return follow_(lease_.scratch(), number); }
  outcome finish(const outcome& done) override { return lease_.finish(done); }
  const void* scratch() const override { return lease_.scratch(); }

 private:
  memory_lease lease_;
  Local local_;
  Exchange exchange_;
  Follow follow_;
  host_numbers numbers_;  ///< which the steps know by a pointer
};

/// Makes a call on one rank: its first pass now, and the rest now or when its group is finished. `numbers` live as long
/// as the call.
template <int Exchanges = 1, class Local, class Exchange, class Follow>
outcome call_on_rank(ncclComm_t comm, std::int64_t scratch_bytes, const distributed::options& how, const Local& local,
                     const Exchange& exchange, const Follow& follow, host_numbers numbers = {}) {
  using call_type = rank_call<Exchanges, Local, Exchange, Follow>;
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return {e};
  if (how.group == nullptr) {
    call_type call(comm, device, scratch_bytes, how, local, exchange, follow, std::move(numbers));
    const outcome begun = call.begin();
    return begun.failed() ? begun : detail::finish_calls(&call);
  }
  auto* const call =
      new (std::nothrow) call_type(comm, device, scratch_bytes, how, local, exchange, follow, std::move(numbers));
  if (call == nullptr) return {cudaErrorMemoryAllocation, "there is no host memory for a call of a group"};
  const bool is_held = how.group->holds(call->scratch());
  const outcome begun =
      is_held ? outcome{cudaErrorInvalidValue, "another call of the group holds the workspace"} : call->begin();
  if (begun.failed()) delete call;
  else how.group->keep(call);
  return begun;
}

}  // namespace detail

}  // namespace gpuprim
