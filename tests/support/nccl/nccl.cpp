// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nccl.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

enum class kind { all_reduce, reduce, all_gather, send, receive };

struct operation {
  kind what;
  const void* send;
  void* receive;
  std::size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int root;  ///< or the rank that is sent to or received from
  ncclComm_t comm;
  cudaStream_t stream;
};

/// An operation of all ranks of a communicator.
struct meeting {
  std::vector<operation> ranks;  ///< of those that have called it
  bool is_done = false;
};

/// The sends from one rank to another that wait for their receives, or the receives that wait for their sends.
struct channel {
  std::deque<std::pair<operation, std::shared_ptr<meeting>>> waiting;
};

/// What the ranks of a communicator share.
struct world {
  int ranks = 0, users = 0, delay = 0, questions = 0;
  bool is_left = false;  ///< a rank has aborted its communicator: nothing is done any more
  ncclResult_t error = ncclSuccess;
  std::deque<std::shared_ptr<meeting>> meetings;    ///< those that some rank has still to call
  long first_meeting = 0;                           ///< the number of the first of them
  std::map<std::pair<int, int>, channel> channels;  ///< by the ranks that send and receive
};

std::mutex mutex;
std::condition_variable changed;
std::map<std::string, std::shared_ptr<world>> worlds;
long next_id = 0;
thread_local int depth = 0;
thread_local std::vector<operation> grouped;

std::size_t size_of(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return 1;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
    default:
      return 4;
  }
}

}  // namespace

struct ncclComm {
  std::shared_ptr<world> all;
  int rank, device;
  long calls = 0;
  bool is_aborted = false, is_blocking = true;
  std::vector<std::shared_ptr<meeting>> begun{};  ///< what it does not block for
};

namespace {

template <class T>
T join(const T& a, const T& b, ncclRedOp_t op) {
  switch (op) {
    case ncclSum:
      return T(a + b);
    case ncclProd:
      return T(a * b);
    case ncclMax:
      return a < b ? b : a;
    default:
      return b < a ? b : a;
  }
}

template <class T>
std::vector<char> reduce_all(const meeting& m) {
  const operation& first = m.ranks[0];
  std::vector<char> bytes(first.count * sizeof(T));
  auto* const sums = reinterpret_cast<T*>(bytes.data());
  std::memcpy(sums, first.send, bytes.size());
  for (std::size_t rank = 1; rank < m.ranks.size(); ++rank) {
    for (std::size_t i = 0; i < first.count; ++i) {
      T value;
      std::memcpy(&value, static_cast<const T*>(m.ranks[rank].send) + i, sizeof value);
      sums[i] = join(sums[i], value, first.op);
    }
  }
  return bytes;
}

std::vector<char> reduce_any(const meeting& m) {
  switch (m.ranks[0].type) {
    case ncclInt8:
      return reduce_all<std::int8_t>(m);
    case ncclUint8:
      return reduce_all<std::uint8_t>(m);
    case ncclInt32:
      return reduce_all<std::int32_t>(m);
    case ncclUint32:
      return reduce_all<std::uint32_t>(m);
    case ncclInt64:
      return reduce_all<std::int64_t>(m);
    case ncclUint64:
      return reduce_all<std::uint64_t>(m);
    case ncclFloat16:
      return reduce_all<__half>(m);
    case ncclFloat32:
      return reduce_all<float>(m);
    case ncclFloat64:
      return reduce_all<double>(m);
    default:
      return reduce_all<__nv_bfloat16>(m);
  }
}

/// Does what all ranks have called. False where their calls differ: NCCL would hang, or mix up their memory.
bool perform(meeting& m) {
  std::sort(m.ranks.begin(), m.ranks.end(),
            [](const operation& a, const operation& b) { return a.comm->rank < b.comm->rank; });
  const operation& first = m.ranks[0];
  for (const operation& own : m.ranks) {
    if (own.what != first.what || own.count != first.count || own.type != first.type || own.op != first.op ||
        own.root != first.root) {
      return false;
    }
  }
  std::vector<char> bytes;
  if (first.what == kind::all_gather) {
    const std::size_t part = first.count * size_of(first.type);
    for (const operation& own : m.ranks) {
      const char* const from = static_cast<const char*>(own.send);
      bytes.insert(bytes.end(), from, from + part);
    }
  } else {
    bytes = reduce_any(m);
  }
  for (const operation& own : m.ranks) {
    if (own.what != kind::reduce || own.root == own.comm->rank) std::memcpy(own.receive, bytes.data(), bytes.size());
  }
  return true;
}

/// Joins the meeting of an operation. The last rank does it.
std::shared_ptr<meeting> arrive(const operation& own, long number) {
  world& all = *own.comm->all;
  if (all.is_left) return std::make_shared<meeting>();
  while (all.first_meeting + long(all.meetings.size()) <= number) all.meetings.push_back(std::make_shared<meeting>());
  const auto m = all.meetings[std::size_t(number - all.first_meeting)];
  m->ranks.push_back(own);
  if (int(m->ranks.size()) < all.ranks) return m;
  if (!perform(*m)) all.error = ncclInvalidUsage;
  m->is_done = true;
  while (!all.meetings.empty() && all.meetings.front()->is_done) {
    all.meetings.pop_front();
    ++all.first_meeting;
  }
  changed.notify_all();
  return m;
}

/// Joins a send and a receive, in the order of those from one rank to another.
std::shared_ptr<meeting> arrive_in_pairs(const operation& own) {
  world& all = *own.comm->all;
  if (all.is_left) return std::make_shared<meeting>();
  const bool is_send = own.what == kind::send;
  const int sender = is_send ? own.comm->rank : own.root, receiver = is_send ? own.root : own.comm->rank;
  auto& waiting = all.channels[{sender, receiver}].waiting;
  if (waiting.empty() || waiting.front().first.what == own.what) {
    return waiting.emplace_back(own, std::make_shared<meeting>()).second;
  }
  const auto [other, m] = waiting.front();
  waiting.pop_front();
  const operation &send = is_send ? own : other, &receive = is_send ? other : own;
  if (send.count != receive.count || send.type != receive.type) all.error = ncclInvalidUsage;
  else std::memcpy(receive.receive, send.send, send.count * size_of(send.type));
  m->is_done = true;
  changed.notify_all();
  return m;
}

ncclResult_t run_group() {
  std::vector<operation> operations;
  operations.swap(grouped);
  std::vector<std::pair<operation, std::shared_ptr<meeting>>> joined;
  ncclResult_t result = ncclSuccess;
  std::unique_lock lock(mutex);
  for (const operation& own : operations) {
    if (own.comm->is_aborted) return ncclInvalidUsage;
    cudaStreamCaptureStatus status{};
    if (cudaStreamIsCapturing(own.stream, &status) != cudaSuccess) return ncclUnhandledCudaError;
    const bool is_in_pairs = own.what == kind::send || own.what == kind::receive;
    if (status == cudaStreamCaptureStatusNone) {
      joined.emplace_back(own, is_in_pairs ? arrive_in_pairs(own) : arrive(own, own.comm->calls++));
      continue;
    }
    // a graph's rank would have to wait for the others'
    if (own.comm->all->ranks > 1 || is_in_pairs) return ncclInvalidUsage;
    const auto perform_alone = [](void* data) {
      meeting alone;
      alone.ranks.push_back(*static_cast<operation*>(data));
      (void)perform(alone);
    };
    static std::deque<operation> kept;  // as long as the program: a graph may be launched at any time
    kept.push_back(own);
    if (cudaLaunchHostFunc(own.stream, perform_alone, &kept.back()) != cudaSuccess) return ncclUnhandledCudaError;
  }
  for (const auto& [own, m] : joined) {
    world& all = *own.comm->all;
    if (!own.comm->is_blocking && !m->is_done && all.error == ncclSuccess) {
      own.comm->begun.push_back(m);
      result = ncclInProgress;
      continue;
    }
    changed.wait(lock, [&] { return m->is_done || all.error != ncclSuccess || own.comm->is_aborted; });
    all.questions += std::exchange(all.delay, 0);
    if (all.questions > 0) result = ncclInProgress;
  }
  return result;
}

/// Whether it does not block, and has still to end what it began.
bool is_in_progress(ncclComm& comm) {
  std::erase_if(comm.begun, [](const auto& m) { return m->is_done; });
  if (!comm.begun.empty() && comm.all->error == ncclSuccess) return true;
  return (!comm.is_blocking && comm.all->users < comm.all->ranks) || comm.all->questions > 0;
}

/// NCCL refuses calls of a communicator that is in progress or has failed, also those that ask for its ranks.
ncclResult_t check(ncclComm_t comm) {
  if (comm == nullptr) return ncclInvalidArgument;
  const std::lock_guard lock(mutex);
  return is_in_progress(*comm) ? ncclInvalidArgument : comm->all->error;
}

ncclResult_t enqueue(const operation& own) {
  if (const ncclResult_t bad = check(own.comm)) return bad;
  grouped.push_back(own);
  return depth > 0 ? ncclSuccess : run_group();
}

}  // namespace

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  const std::lock_guard lock(mutex);
  *id = {};
  const std::string name = "world " + std::to_string(next_id++);
  std::memcpy(id->internal, name.c_str(), name.size());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  const std::lock_guard lock(mutex);
  if (ranks < 1 || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  auto& known = worlds[id.internal];
  if (!known) known = std::make_shared<world>();
  const std::shared_ptr<world> all = known;
  all->ranks = ranks;
  if (++all->users == ranks) worlds.erase(std::string(id.internal));
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return ncclUnhandledCudaError;
  *comm = new ncclComm{all, rank, device};
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
  if (const ncclResult_t result = ncclCommInitRank(comm, ranks, id, rank)) return result;
  const std::lock_guard lock(mutex);
  (*comm)->is_blocking = config->blocking != 0;
  return (*comm)->is_blocking || (*comm)->all->users == ranks ? ncclSuccess : ncclInProgress;
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int*) {
  ncclUniqueId id;
  (void)ncclGetUniqueId(&id);
  for (int rank = 0; rank < count; ++rank) {
    if (const ncclResult_t result = ncclCommInitRank(comms + rank, count, id, rank)) return result;
  }
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  delete comm;
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  {
    const std::lock_guard lock(mutex);
    comm->is_aborted = true;
    comm->all->is_left = true;
    comm->all->meetings.clear();  // and with them the memory of what was not done
    comm->all->channels.clear();
    changed.notify_all();
  }
  delete comm;
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  const std::lock_guard lock(mutex);
  world& all = *comm->all;
  *error = is_in_progress(*comm) ? ncclInProgress : all.error;
  if (all.questions > 0) --all.questions;
  return ncclSuccess;
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
  if (const ncclResult_t bad = check(comm)) return bad;
  *count = comm->all->ranks;
  return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device) {
  if (const ncclResult_t bad = check(comm)) return bad;
  *device = comm->device;
  return ncclSuccess;
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
  if (const ncclResult_t bad = check(comm)) return bad;
  *rank = comm->rank;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t) { return "the stand-in for NCCL reports an error"; }

ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  return enqueue({kind::all_reduce, send, receive, count, type, op, 0, comm, stream});
}
ncclResult_t ncclReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                        int root, ncclComm_t comm, cudaStream_t stream) {
  return enqueue({kind::reduce, send, receive, count, type, op, root, comm, stream});
}
ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  return enqueue({kind::all_gather, send, receive, count, type, ncclSum, 0, comm, stream});
}

ncclResult_t ncclSend(const void* send, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return enqueue({kind::send, send, nullptr, count, type, ncclSum, peer, comm, stream});
}
ncclResult_t ncclRecv(void* receive, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return enqueue({kind::receive, nullptr, receive, count, type, ncclSum, peer, comm, stream});
}

ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() { return --depth > 0 ? ncclSuccess : run_group(); }

void nccl_stand_in::break_communicator(ncclComm_t comm, ncclResult_t error) {
  const std::lock_guard lock(mutex);
  comm->all->error = error;
  changed.notify_all();
}

void nccl_stand_in::move_to_device(ncclComm_t comm, int device) { comm->device = device; }

void nccl_stand_in::delay_next_call(ncclComm_t comm, int questions) {
  const std::lock_guard lock(mutex);
  comm->all->delay = questions;
}
