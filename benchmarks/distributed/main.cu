// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans over several GPUs: one thread calls all and waits for them, one thread for each GPU does, or
// graphs are launched by one thread; beside CUB's reduce with an ncclAllReduce behind it.
// Usage: distributed RESULTS.json [log2 of the floats of a GPU] [rounds]
#include "../support/check.hpp"
#include "../support/cub_storage.hpp"
#include "../support/results.hpp"
#include "../support/samples.hpp"

#include <gpuprim/distributed.cuh>
#include <gpuprim/reduce.cuh>

#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace distributed = gpuprim::distributed;
using bench::check;

void check_nccl(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, ncclGetErrorString(result));
  std::exit(1);
}

__global__ void fill_numbers(float* to, std::int64_t n, unsigned seed) {
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    to[i] = float((unsigned(i) + seed) * 2654435761u >> 24) - 128;
  }
}

/// A GPU with its elements, the memory of its calls, and its results.
struct gpu {
  int device = 0;
  cudaStream_t stream = nullptr;
  float *in = nullptr, *scanned = nullptr, *sum = nullptr;
  gpuprim::extremum<float>* most = nullptr;
  unsigned* bins = nullptr;
  void* storage = nullptr;
  std::size_t storage_bytes = 0;
  gpuprim::workspace workspace;
};

template <class T>
void allocate(T*& at, std::int64_t count) {
  check(cudaMalloc(reinterpret_cast<void**>(&at), std::size_t(count) * sizeof(T)), "allocate");
}

/// What is timed: the call of one rank. One thread that calls all ranks does it as a group.
struct contender {
  std::string problem, name;
  std::function<void(gpu&, ncclComm_t, std::int64_t n, distributed::group*)> call;
  bool is_group_of_nccl = false;
};

class machine {
 public:
  machine(int devices, std::int64_t most) : gpus_(std::size_t(devices)) {
    for (int i = 0; i < devices; ++i) {
      gpu& own = gpus_[std::size_t(i)];
      own.device = i;
      check(cudaSetDevice(i), "device");
      check(cudaStreamCreateWithFlags(&own.stream, cudaStreamNonBlocking), "stream");
      allocate(own.in, most);
      allocate(own.scanned, most);
      allocate(own.sum, 1);
      allocate(own.most, 1);
      allocate(own.bins, bins);
      fill_numbers<<<1024, 256, 0, own.stream>>>(own.in, most, unsigned(i));
      check(cub::DeviceReduce::Sum(nullptr, own.storage_bytes, own.in, own.sum, most, own.stream), "CUB");
      check(cudaMalloc(&own.storage, own.storage_bytes), "allocate");
      const auto tree = distributed::reproducible_workspace_size<float>(most, devices);
      const auto scan = distributed::scan_workspace_size<float>(most, devices);
      check(own.workspace.reserve({scan.zeroed_bytes, tree.scratch_bytes + scan.scratch_bytes}), "workspace");
    }
    sync(devices);
  }

  static constexpr int bins = 256;
  gpu& at(int i) { return gpus_[std::size_t(i)]; }
  ncclComm_t comm(int ranks, int i) { return comms_of(ranks)[std::size_t(i)]; }

  /// Calls go(gpu, rank) on each, with its device as the current one.
  template <class Go>
  void for_each(int ranks, const Go& go) {
    for (int i = 0; i < ranks; ++i) {
      check(cudaSetDevice(i), "device");
      go(at(i), i);
    }
  }
  void sync(int ranks) {
    for_each(ranks, [](gpu& own, int) { check(cudaStreamSynchronize(own.stream), "wait"); });
  }

 private:
  std::vector<ncclComm_t>& comms_of(int ranks) {
    if (comms_.size() <= std::size_t(ranks)) comms_.resize(std::size_t(ranks) + 1);
    auto& comms = comms_[std::size_t(ranks)];
    if (comms.empty()) {
      comms.resize(std::size_t(ranks));
      check_nccl(ncclCommInitAll(comms.data(), ranks, nullptr), "communicators");
    }
    return comms;
  }

  std::vector<gpu> gpus_;
  std::vector<std::vector<ncclComm_t>> comms_;
};

/// Enqueues the calls of the first `ranks` GPUs by this thread.
void call_all(machine& all, const contender& which, int ranks, std::int64_t n) {
  distributed::group group;
  if (which.is_group_of_nccl) check_nccl(ncclGroupStart(), "group");
  all.for_each(ranks, [&](gpu& own, int rank) { which.call(own, all.comm(ranks, rank), n, &group); });
  if (which.is_group_of_nccl) check_nccl(ncclGroupEnd(), "group");
  check(group.finish(), "gpuprim");
}

inline constexpr gpuprim::plus<float> plus{};

std::vector<contender> find_contenders() {
  using group_t = distributed::group*;
  std::vector<contender> found;
  // A pass over the elements of each GPU, and no exchange.
  const auto add_local = [&](const char* problem, auto pass) {
    found.push_back({problem, "local pass", [pass](gpu& own, ncclComm_t, std::int64_t n, group_t) {
                       check(pass(own, n, gpuprim::options{own.stream, &own.workspace}), "gpuprim");
                     }});
  };
  const auto add = [&](const char* problem, const char* name, auto call) {
    found.push_back({problem, name, [call](gpu& own, ncclComm_t comm, std::int64_t n, group_t group) {
                       check(call(own, comm, n, distributed::options{own.stream, &own.workspace, group}), "gpuprim");
                     }});
  };
  using local_t = const gpuprim::options&;
  using how_t = const distributed::options&;

  add_local("sum f32",
            [](gpu& own, std::int64_t n, local_t how) { return gpuprim::reduce(own.in, n, own.sum, plus, how); });
  add("sum f32", "gpuprim", [](gpu& own, ncclComm_t comm, std::int64_t n, how_t how) {
    return distributed::all_reduce(comm, own.in, n, own.sum, plus, how);
  });
  const auto call_cub = [](gpu& own, ncclComm_t comm, std::int64_t n, group_t) {
    check(cub::DeviceReduce::Sum(own.storage, own.storage_bytes, own.in, own.sum, n, own.stream), "CUB");
    check_nccl(ncclAllReduce(own.sum, own.sum, 1, ncclFloat, ncclSum, comm, own.stream), "all-reduce");
  };
  found.push_back({"sum f32", "CUB " + std::to_string(CUB_VERSION), call_cub, true});
  // The library takes no ncclMax for floats: their maximum is gathered and folded, as results of other operators are.
  add("sum f32", "gpuprim gathered", [](gpu& own, ncclComm_t comm, std::int64_t n, how_t how) {
    return distributed::all_reduce(comm, own.in, n, own.sum, gpuprim::maximum<float>{}, how);
  });
  add("reproducible sum f32", "gpuprim", [](gpu& own, ncclComm_t comm, std::int64_t n, how_t how) {
    return distributed::all_reduce(gpuprim::reproducible, comm, own.in, n, own.sum, plus, how);
  });
  add_local("reproducible sum f32", [](gpu& own, std::int64_t n, local_t how) {
    return gpuprim::reduce(gpuprim::reproducible, own.in, n, own.sum, plus, how);
  });
  add("max_element f32", "gpuprim", [](gpu& own, ncclComm_t comm, std::int64_t n, how_t how) {
    return distributed::all_reduce(comm, own.in, n, own.most, gpuprim::max_element, how);
  });
  add_local("max_element f32",
            [](gpu& own, std::int64_t n, local_t how) { return gpuprim::max_element(own.in, n, own.most, how); });
  const gpuprim::even_bins even{machine::bins, -128.0f, 128.0f};
  add("histogram f32, 256 bins", "gpuprim", [even](gpu& own, ncclComm_t comm, std::int64_t n, how_t how) {
    return distributed::histogram(comm, own.in, n, own.bins, even, how);
  });
  add_local("histogram f32, 256 bins", [even](gpu& own, std::int64_t n, local_t how) {
    return gpuprim::histogram(own.in, n, own.bins, even, how);
  });
  add("inclusive_scan f32", "gpuprim", [](gpu& own, ncclComm_t comm, std::int64_t n, how_t how) {
    return distributed::inclusive_scan(comm, own.in, n, own.scanned, plus, how);
  });
  add_local("inclusive_scan f32", [](gpu& own, std::int64_t n, local_t how) {
    return gpuprim::inclusive_scan(own.in, n, own.scanned, plus, how);
  });
  return found;
}

/// A contender's call, captured on every GPU.
class graphs {
 public:
  graphs(machine& all, const contender& which, int ranks, std::int64_t n) : all_(all), ranks_(ranks) {
    all.for_each(ranks, [](gpu& own, int) {
      check(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeRelaxed), "capture");
    });
    call_all(all, which, ranks, n);
    all.for_each(ranks, [&](gpu& own, int) {
      cudaGraph_t graph = nullptr;
      check(cudaStreamEndCapture(own.stream, &graph), "capture");
      executables_.push_back(nullptr);
      check(cudaGraphInstantiate(&executables_.back(), graph, 0), "instantiate");
      check(cudaGraphDestroy(graph), "destroy");
    });
  }
  graphs(const graphs&) = delete;
  graphs& operator=(const graphs&) = delete;
  ~graphs() {
    for (cudaGraphExec_t executable : executables_) check(cudaGraphExecDestroy(executable), "destroy");
  }
  void launch() {
    all_.for_each(ranks_, [&](gpu& own, int rank) {
      check(cudaGraphLaunch(executables_[std::size_t(rank)], own.stream), "launch");
    });
  }

 private:
  machine& all_;
  int ranks_;
  std::vector<cudaGraphExec_t> executables_;
};

using clock_type = std::chrono::steady_clock;

double to_us(clock_type::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

/// Of what this thread enqueues on all GPUs, until all are done.
double time_us(machine& all, int ranks, const std::function<void()>& enqueue) {
  all.sync(ranks);
  const auto begin = clock_type::now();
  enqueue();
  all.sync(ranks);
  return to_us(clock_type::now() - begin);
}

/// A thread for each GPU, as a process for each would be: all make their call at once, and wait for it.
class rank_threads {
 public:
  rank_threads(machine& all, int ranks) : all_(all), begins_(std::size_t(ranks)), ends_(begins_) {
    for (int rank = 0; rank < ranks; ++rank) threads_.emplace_back([this, rank] { run(rank); });
  }
  rank_threads(const rank_threads&) = delete;
  rank_threads& operator=(const rank_threads&) = delete;
  ~rank_threads() {
    which_ = nullptr;
    ++round_;
    for (std::thread& each : threads_) each.join();
  }

  /// From the first begin to the last end.
  double time_us(const contender& which, std::int64_t n) {
    which_ = &which;
    n_ = n;
    ready_ = done_ = 0;
    ++round_;
    while (done_ < ranks()) {
    }
    return to_us(*std::max_element(ends_.begin(), ends_.end()) - *std::min_element(begins_.begin(), begins_.end()));
  }

 private:
  int ranks() const { return int(begins_.size()); }

  void run(int rank) {
    gpu& own = all_.at(rank);
    check(cudaSetDevice(own.device), "device");
    const ncclComm_t comm = all_.comm(ranks(), rank);
    for (int round = 1;; ++round) {
      while (round_ < round) {
      }
      if (which_ == nullptr) return;
      ++ready_;
      while (ready_ < ranks()) {
      }
      begins_[std::size_t(rank)] = clock_type::now();
      which_->call(own, comm, n_, nullptr);
      check(cudaStreamSynchronize(own.stream), "wait");
      ends_[std::size_t(rank)] = clock_type::now();
      ++done_;
    }
  }

  machine& all_;
  std::vector<clock_type::time_point> begins_, ends_;
  const contender* which_ = nullptr;
  std::int64_t n_ = 0;
  std::atomic<int> round_ = 0, ready_ = 0, done_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: %s RESULTS.json [log2 of the floats of a GPU, 28] [rounds, 41]\n", arguments[0]);
    return 1;
  }
  const int log2 = count > 2 ? std::atoi(arguments[2]) : 28, rounds = count > 3 ? std::atoi(arguments[3]) : 41;
  int devices = 0, nccl = 0;
  check(cudaGetDeviceCount(&devices), "devices");
  check_nccl(ncclGetVersion(&nccl), "version");
  // In the strong scaling one GPU has as many elements as all of them together.
  const std::int64_t most = std::int64_t{1} << (devices > 2 ? log2 + 4 : log2 + 3);
  machine all(devices, most);
  const std::vector<contender> contenders = find_contenders();
  std::FILE* const file = bench::open_results(arguments[1], CUB_VERSION);
  std::fprintf(file, ",\n \"nccl\": %d,\n \"gpus\": %d,\n \"rows\": [", nccl, devices);
  const char* separator = "\n";
  struct work {
    int ranks;
    std::int64_t n;
  };
  std::vector<work> works;
  for (int ranks = 1; ranks <= devices; ranks *= 2) {
    for (const std::int64_t n : {std::int64_t{1} << 20, std::int64_t{1} << (log2 - 4), std::int64_t{1} << log2}) {
      works.push_back({ranks, n});
    }
    for (const std::int64_t n : {most / devices, most / ranks}) {
      if (works.back().n != n) works.push_back({ranks, n});
    }
  }
  for (const auto& [ranks, n] : works) {
    std::vector<bench::samples> called(contenders.size()), launched(contenders.size()), by_threads(contenders.size());
    std::vector<std::unique_ptr<graphs>> captured;
    for (const contender& each : contenders) {
      call_all(all, each, ranks, n);  // the first call loads code and makes connections
      all.sync(ranks);
      captured.push_back(std::make_unique<graphs>(all, each, ranks, n));
    }
    rank_threads threads(all, ranks);
    for (int round = -2; round < rounds; ++round) {
      bench::take_turns(round, int(contenders.size()), [&](int i) {
        const auto which = std::size_t(i);
        const contender& each = contenders[which];
        const double call_us = time_us(all, ranks, [&] { call_all(all, each, ranks, n); });
        const double graph_us = time_us(all, ranks, [&] { captured[which]->launch(); });
        const double threads_us = threads.time_us(each, n);
        if (round < 0) return;
        called[which].add(call_us);
        launched[which].add(graph_us);
        by_threads[which].add(threads_us);
      });
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const auto write = [&](const char* how, const bench::samples& times) {
        std::fprintf(file,
                     "%s {\"problem\": \"%s\", \"how\": \"%s\", \"ranks\": %d, \"n_per_rank\": %lld, \"contender\": "
                     "\"%s\", \"us\": %.3f, \"quartiles\": [%.3f, %.3f]}",
                     separator, contenders[i].problem.c_str(), how, ranks, static_cast<long long>(n),
                     contenders[i].name.c_str(), times.median(), times.quantile(0.25), times.quantile(0.75));
        separator = ",\n";
      };
      write("call", called[i]);
      write("graph", launched[i]);
      write("threads", by_threads[i]);
    }
  }
  std::fprintf(file, "\n ]\n}\n");
  return std::fclose(file) == 0 ? 0 : 1;
}
