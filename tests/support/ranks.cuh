// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Ranks of a communicator that one process drives: of a stand-in for NCCL on the SIMT device, and on GPUs one a GPU.
#include "device.cuh"

#include <gpuprim/distributed.cuh>

#include <map>
#include <memory>
#include <numeric>
#include <string>

namespace test {

#define NCCL_OK(...) REQUIRE((__VA_ARGS__) == ncclSuccess)

inline bool last_fault_says(const char* words) {
  return std::string(gpuprim::last_fault()).find(words) != std::string::npos;
}

/// Neighbours in their order: any other order gives ~0 as the first one. It does not commute and has no identity. The
/// numbers have no sign, because operators are also given values that nobody asks for.
struct stretch {
  unsigned first, last, count;
  friend bool operator==(const stretch&, const stretch&) = default;
};
struct join_in_order {
  __host__ __device__ stretch operator()(const stretch& a, const stretch& b) const {
    return {a.count == 0 ? b.first : a.last + 1 == b.first ? a.first : ~0u, b.last, a.count + b.count};
  }
};

/// A rank with its elements.
template <class T>
struct rank_part {
  std::vector<T> host;
  std::unique_ptr<device_array<T>> array;
  T* data() const { return array->data(); }
  std::int64_t size() const { return std::int64_t(host.size()); }
};

/// Whether ranks have communicators of their own, which a test may break, or those that others have had before. On GPUs
/// it takes long to make some.
enum class communicators { own, kept };

/// Communicators that no test uses now, by their number of ranks.
struct kept_communicators {
  std::map<int, std::vector<ncclComm_t>> all;
  kept_communicators() = default;
  kept_communicators(const kept_communicators&) = delete;
  kept_communicators& operator=(const kept_communicators&) = delete;
  ~kept_communicators() {
    for (const auto& [ranks, comms] : all) {
      for (ncclComm_t comm : comms) (void)ncclCommDestroy(comm);
    }
  }
  static std::vector<ncclComm_t>& of(int ranks) {
    static kept_communicators kept;
    return kept.all[ranks];
  }
};

/// All ranks of a communicator, with a stream and a workspace each.
class rank_set {
 public:
  explicit rank_set(int ranks, gpuprim::workspace_size size = {}, communicators which = communicators::own)
      : which_(which) {
    if (which == communicators::kept) comms_.swap(kept_communicators::of(ranks));
    if (comms_.empty()) {
      comms_.resize(std::size_t(ranks));
      std::vector<int> devices(comms_.size());
      std::iota(devices.begin(), devices.end(), 0);
      NCCL_OK(ncclCommInitAll(comms_.data(), ranks, devices.data()));
    }
    has_workspaces_ = size.total_bytes() > 0;
    for_each([&](int rank) {
      streams_.push_back(nullptr);
      CUDA_OK(cudaStreamCreateWithFlags(&streams_[std::size_t(rank)], cudaStreamNonBlocking));
      workspaces_.emplace_back(size);
    });
  }
  rank_set(const rank_set&) = delete;
  rank_set& operator=(const rank_set&) = delete;
  ~rank_set() {
    for (int rank = 0; rank < size(); ++rank) {
      enter(rank);
      workspaces_[std::size_t(rank)] = {};
      (void)cudaStreamDestroy(streams_[std::size_t(rank)]);
      if (which_ == communicators::own && comm(rank) != nullptr) (void)ncclCommDestroy(comm(rank));
    }
    if (which_ == communicators::kept) comms_.swap(kept_communicators::of(size()));
    enter(0);
  }

  int size() const { return int(comms_.size()); }
  ncclComm_t& comm(int rank) { return comms_[std::size_t(rank)]; }
  cudaStream_t stream(int rank) const { return streams_[std::size_t(rank)]; }
  gpuprim::distributed::options options(int rank, gpuprim::distributed::group* group = nullptr) {
    return {stream(rank), has_workspaces_ ? &workspaces_[std::size_t(rank)] : nullptr, group};
  }
  /// Makes the rank's device the current one.
  static void enter(int rank) {
    int devices = 1;
    (void)cudaGetDeviceCount(&devices);
    (void)cudaSetDevice(rank % devices);
  }
  template <class Go>
  void for_each(const Go& go) {
    for (int rank = 0; rank < size(); ++rank) {
      enter(rank);
      go(rank);
    }
    enter(0);
  }
  /// Makes a call on all ranks as one group, and waits for it: go(rank, communicator, options).
  template <class Go>
  void call(const Go& go) {
    gpuprim::distributed::group group;
    for_each([&](int rank) { CUDA_OK(go(rank, comm(rank), options(rank, &group))); });
    CUDA_OK(group.finish());
    for_each([&](int rank) {
      CUDA_OK(cudaStreamSynchronize(stream(rank)));
      check_zero(workspaces_[std::size_t(rank)]);
    });
  }
  /// Parts of elements that make(i) makes, of these sizes, in device memory.
  template <class T, class Make>
  std::vector<rank_part<T>> make_parts(const std::vector<int>& sizes, const Make& make) {
    std::vector<rank_part<T>> parts(comms_.size());
    std::int64_t i = 0;
    for_each([&](int rank) {
      auto& part = parts[std::size_t(rank)];
      for (int k = 0; k < sizes[std::size_t(rank)]; ++k) part.host.push_back(make(i++));
      part.array = std::make_unique<device_array<T>>(part.host);
    });
    return parts;
  }
  /// An output of n elements on each rank.
  template <class T>
  std::vector<std::unique_ptr<device_array<T>>> make_outputs(std::size_t n) {
    std::vector<std::unique_ptr<device_array<T>>> outputs;
    for_each([&](int) { outputs.push_back(std::make_unique<device_array<T>>(n)); });
    return outputs;
  }

 private:
  communicators which_;
  std::vector<ncclComm_t> comms_;
  std::vector<cudaStream_t> streams_;
  std::vector<gpuprim::workspace> workspaces_;
  bool has_workspaces_ = false;
};

/// Numbers of ranks to try: on GPUs as many as there are.
inline std::vector<int> rank_counts() {
  if (on_simt) return {1, 2, 3, 5};
  int devices = 1;
  CUDA_OK(cudaGetDeviceCount(&devices));
  std::vector<int> counts(std::size_t(devices > 0 ? devices : 1));
  std::iota(counts.begin(), counts.end(), 1);
  return counts;
}

/// More of them, where what goes from rank to rank may pass several.
inline std::vector<int> many_rank_counts() { return on_simt ? std::vector<int>{1, 2, 3, 4, 8} : rank_counts(); }

/// Sizes of the parts of `ranks` ranks: none, some or all of them without elements.
inline std::vector<std::vector<int>> part_sizes(int ranks) {
  std::vector<int> even(std::size_t(ranks), 1000), odd, none(std::size_t(ranks), 0), last = none, holes;
  for (int rank = 0; rank < ranks; ++rank) {
    odd.push_back(1 + 733 * rank * rank);
    holes.push_back(rank % 2 == 1 ? 0 : 77 + rank);
  }
  last.back() = 3001;
  return {even, odd, holes, last, none};
}

/// Sizes of parts whose runs go over several ranks: even, growing, with holes, one element each, at both ends, at the
/// last one, none.
inline std::vector<std::vector<int>> run_part_sizes(int ranks) {
  const std::vector<int> none(std::size_t(ranks), 0);
  std::vector<int> even(std::size_t(ranks), 300), single(std::size_t(ranks), 1), growing, holes;
  std::vector<int> ends = none, last = none;
  for (int rank = 0; rank < ranks; ++rank) {
    growing.push_back(1 + 47 * rank * rank);
    holes.push_back(rank % 2 == 1 ? 0 : 77 + rank);
  }
  ends.front() = 300;
  ends.back() = 3;
  last.back() = 401;
  return {even, growing, holes, single, ends, last, none};
}

template <class T>
std::vector<T> join_parts(const std::vector<rank_part<T>>& parts) {
  std::vector<T> all;
  for (const auto& part : parts) all.insert(all.end(), part.host.begin(), part.host.end());
  return all;
}

}  // namespace test
