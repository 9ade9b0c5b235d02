// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans over the GPUs of one process, called and waited for, and in graphs; beside CUB's reduce with an
// ncclAllReduce behind it. Usage: distributed RESULTS.json [log2 of the floats of a GPU] [rounds]
#include "../support/check.hpp"
#include "../support/cub_storage.hpp"
#include "../support/results.hpp"
#include "../support/samples.hpp"

#include <gpuprim/distributed.cuh>
#include <gpuprim/reduce.cuh>

#include <cub/device/device_reduce.cuh>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
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

/// What is timed: it enqueues everything of a call on the first `ranks` GPUs.
struct contender {
  std::string problem, name;
  std::function<void(int ranks, std::int64_t n)> enqueue;
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

/// Makes a call of the library on all GPUs as one group.
template <class Call>
void call_group(machine& all, int ranks, const Call& call) {
  distributed::group group;
  all.for_each(ranks, [&](gpu& own, int rank) {
    check(call(own, all.comm(ranks, rank), distributed::options{own.stream, &own.workspace, &group}), "gpuprim");
  });
  check(group.finish(), "gpuprim");
}

inline constexpr gpuprim::plus<float> plus{};

std::vector<contender> find_contenders(machine& all) {
  using how_t = const distributed::options&;
  std::vector<contender> found;
  const auto add = [&](const char* problem, const std::string& name, auto enqueue) {
    found.push_back({problem, name, enqueue});
  };

  add("sum f32", "local pass", [&all](int ranks, std::int64_t n) {
    all.for_each(ranks, [&](gpu& own, int) {
      check(gpuprim::reduce(own.in, n, own.sum, plus, {own.stream, &own.workspace}), "gpuprim");
    });
  });
  add("sum f32", "gpuprim", [&all](int ranks, std::int64_t n) {
    call_group(all, ranks, [&](gpu& own, ncclComm_t comm, how_t how) {
      return distributed::all_reduce(comm, own.in, n, own.sum, plus, how);
    });
  });
  add("sum f32", "CUB " + std::to_string(CUB_VERSION), [&all](int ranks, std::int64_t n) {
    all.for_each(ranks, [&](gpu& own, int) {
      check(cub::DeviceReduce::Sum(own.storage, own.storage_bytes, own.in, own.sum, n, own.stream), "CUB");
    });
    check_nccl(ncclGroupStart(), "group");
    for (int i = 0; i < ranks; ++i) {
      gpu& own = all.at(i);
      check_nccl(ncclAllReduce(own.sum, own.sum, 1, ncclFloat, ncclSum, all.comm(ranks, i), own.stream), "all-reduce");
    }
    check_nccl(ncclGroupEnd(), "group");
  });
  add("sum f32", "gpuprim gathered", [&all](int ranks, std::int64_t n) {  // what any other operator takes
    call_group(all, ranks, [&](gpu& own, ncclComm_t comm, how_t how) {
      const gpuprim::maximum<float> maximum;
      return distributed::all_reduce(comm, own.in, n, own.sum, maximum, how);
    });
  });
  add("reproducible sum f32", "gpuprim", [&all](int ranks, std::int64_t n) {
    call_group(all, ranks, [&](gpu& own, ncclComm_t comm, how_t how) {
      return distributed::all_reduce(gpuprim::reproducible, comm, own.in, n, own.sum, plus, how);
    });
  });
  add("reproducible sum f32", "local pass", [&all](int ranks, std::int64_t n) {
    all.for_each(ranks, [&](gpu& own, int) {
      check(gpuprim::reduce(gpuprim::reproducible, own.in, n, own.sum, plus, {own.stream, &own.workspace}), "gpuprim");
    });
  });
  add("max_element f32", "gpuprim", [&all](int ranks, std::int64_t n) {
    call_group(all, ranks, [&](gpu& own, ncclComm_t comm, how_t how) {
      return distributed::all_reduce(comm, own.in, n, own.most, gpuprim::max_element, how);
    });
  });
  add("max_element f32", "local pass", [&all](int ranks, std::int64_t n) {
    all.for_each(ranks, [&](gpu& own, int) {
      check(gpuprim::max_element(own.in, n, own.most, {own.stream, &own.workspace}), "gpuprim");
    });
  });
  const gpuprim::even_bins even{machine::bins, -128.0f, 128.0f};
  add("histogram f32, 256 bins", "gpuprim", [&all, even](int ranks, std::int64_t n) {
    call_group(all, ranks, [&](gpu& own, ncclComm_t comm, how_t how) {
      return distributed::histogram(comm, own.in, n, own.bins, even, how);
    });
  });
  add("histogram f32, 256 bins", "local pass", [&all, even](int ranks, std::int64_t n) {
    all.for_each(ranks, [&](gpu& own, int) {
      check(gpuprim::histogram(own.in, n, own.bins, even, {own.stream, &own.workspace}), "gpuprim");
    });
  });
  add("inclusive_scan f32", "gpuprim", [&all](int ranks, std::int64_t n) {
    call_group(all, ranks, [&](gpu& own, ncclComm_t comm, how_t how) {
      return distributed::inclusive_scan(comm, own.in, n, own.scanned, plus, how);
    });
  });
  add("inclusive_scan f32", "local pass", [&all](int ranks, std::int64_t n) {
    all.for_each(ranks, [&](gpu& own, int) {
      check(gpuprim::inclusive_scan(own.in, n, own.scanned, plus, {own.stream, &own.workspace}), "gpuprim");
    });
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
    which.enqueue(ranks, n);
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

double time_us(machine& all, int ranks, const std::function<void()>& enqueue) {
  all.sync(ranks);
  const auto begin = std::chrono::steady_clock::now();
  enqueue();
  all.sync(ranks);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

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
  const std::vector<contender> contenders = find_contenders(all);
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
    std::vector<bench::samples> called(contenders.size()), launched(contenders.size());
    std::vector<std::unique_ptr<graphs>> captured;
    for (const contender& each : contenders) {
      each.enqueue(ranks, n);  // the first call loads code and makes connections
      all.sync(ranks);
      captured.push_back(std::make_unique<graphs>(all, each, ranks, n));
    }
    for (int round = -2; round < rounds; ++round) {
      bench::take_turns(round, int(contenders.size()), [&](int i) {
        const auto which = std::size_t(i);
        const double call_us = time_us(all, ranks, [&] { contenders[which].enqueue(ranks, n); });
        const double graph_us = time_us(all, ranks, [&] { captured[which]->launch(); });
        if (round < 0) return;
        called[which].add(call_us);
        launched[which].add(graph_us);
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
    }
  }
  std::fprintf(file, "\n ]\n}\n");
  return std::fclose(file) == 0 ? 0 : 1;
}
