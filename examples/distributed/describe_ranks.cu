// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// describe over the shards of a column: several ranks, each with some of the .npy files, print what describe would
// print of one file with all of their elements. A launcher starts a process a rank (see world.hpp); else this process
// drives all GPUs, with a thread each.
#include "../describe/device.cuh"
#include "../describe/element_types.cuh"
#include "../describe/figures.cuh"
#include "../describe/npy.hpp"
#include "../describe/pivot.hpp"
#include "../describe/report.cuh"
#include "world.hpp"

#include <gpuprim/distributed.cuh>

#include <cstdio>
#include <thread>

namespace describe {

namespace distributed = gpuprim::distributed;

struct request {
  std::string name, id_file;
  double patience_s = 60;  ///< that ranks may take to meet, and to answer
  int ranks = 0;           ///< of this process, where no launcher has started it
  std::vector<std::string> shards;
};

int parse_positive(const std::string& option, const std::string& text) {
  const int number = world::parse_number(text);
  if (number < 1) throw input_error(option + " needs a number from 1 on, not " + in_quotes(text));
  return number;
}

request parse_arguments(int count, char** arguments) {
  request asked;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const bool is_last = i + 1 == count;
    if (argument == "--name" && !is_last) asked.name = arguments[++i];
    else if (argument == "--id-file" && !is_last) asked.id_file = arguments[++i];
    else if (argument == "--patience" && !is_last) asked.patience_s = parse_positive(argument, arguments[++i]);
    else if (argument == "--ranks" && !is_last) asked.ranks = parse_positive(argument, arguments[++i]);
    else if (argument.starts_with("-")) throw input_error("unknown option " + in_quotes(argument));
    else asked.shards.push_back(argument);
  }
  if (asked.shards.empty()) throw input_error("no shard is given");
  return asked;
}

column read_shard(const std::string& path) try {
  const file_handle file = open_file(path);
  return read_npy(file.get(), empty_array::allowed);
} catch (const input_error& fault) {
  throw input_error(path + ": " + fault.what());
}

/// Rank r of R has the r-th of R runs of shards, which may be none, so that the ranks have the column in its order.
column read_shards(const std::vector<std::string>& shards, const world::place& own) {
  column all{"", element_kind::f8, 0, {}};
  const std::size_t ranks = std::size_t(own.ranks), rank = std::size_t(own.rank);
  const std::size_t first = shards.size() * rank / ranks, end = shards.size() * (rank + 1) / ranks;
  const std::size_t at_least = first < end ? end : first + 1;  // one for the kind of the elements
  for (std::size_t i = first; i < at_least; ++i) {
    const column one = read_shard(shards[i]);
    if (i > first && one.kind != all.kind) throw input_error(shards[i] + ": the shards are of several types");
    all.kind = one.kind;
    if (i == end) break;
    all.count += one.count;
    all.bytes.insert(all.bytes.end(), one.bytes.begin(), one.bytes.end());
  }
  return all;
}

/// What the ranks have to know of each other before the pass: how many elements there are, and a common pivot.
template <class Value>
struct outline {
  std::int64_t count;
  Value pivot;
};
/// The pivot of the first rank that has elements.
struct join_outlines {
  template <class Value>
  GPUPRIM_HOST_DEVICE outline<Value> operator()(const outline<Value>& a, const outline<Value>& b) const {
    return {a.count + b.count, a.count > 0 ? a.pivot : b.pivot};
  }
};

/// The library's words, where a call was refused or NCCL has failed.
inline void check_call(cudaError_t error) {
  if (error != cudaSuccess) throw device_error(gpuprim::last_fault());
}

/// Refuses shards whose type differs from that of another rank.
void check_kind(ncclComm_t& comm, element_kind kind, double patience_s) {
  using range = gpuprim::tuple<int, int>;
  const device_memory own(sizeof(int)), all(sizeof(range));
  const int number = int(kind);
  check(cudaMemcpy(own.as<void>(), &number, sizeof number, cudaMemcpyHostToDevice), "copying");
  const auto query = gpuprim::fused(gpuprim::minimum{}, gpuprim::maximum{});
  check_call(distributed::all_reduce(comm, own.as<const int>(), 1, all.as<range>(), query));
  check_call(distributed::wait(comm, nullptr, patience_s));
  range found;
  check(cudaMemcpy(&found, all.as<void>(), sizeof found, cudaMemcpyDeviceToHost), "the types of the shards");
  if (gpuprim::get<0>(found) != gpuprim::get<1>(found)) throw input_error("the shards are of several types");
}

// [pass]
/// One rank's share of the column; every rank returns the same line.
template <class T>
std::string describe_part(ncclComm_t& comm, const column& values, const request& asked) {
  using outline = describe::outline<number<T>>;
  const auto pivot = find_pivot<number<T>>(values.count, [&](std::int64_t i) {
    T element;
    std::memcpy(&element, values.bytes.data() + i * std::int64_t(sizeof(T)), sizeof(T));
    return number<T>(element);
  });
  const device_memory memory(values.bytes.size() + 1), outlines(sizeof(outline)), out(sizeof(summary<T>));
  outline whole{values.count, pivot};
  check(cudaMemcpy(memory.as<void>(), values.bytes.data(), values.bytes.size(), cudaMemcpyHostToDevice), "copying");
  check(cudaMemcpy(outlines.as<void>(), &whole, sizeof whole, cudaMemcpyHostToDevice), "copying");
  auto* const own = outlines.as<outline>();
  check_call(distributed::all_reduce(comm, own, 1, own, join_outlines{}, outline{0, {}}));
  check_call(distributed::wait(comm, nullptr, asked.patience_s));
  check(cudaMemcpy(&whole, own, sizeof whole, cudaMemcpyDeviceToHost), "the outline of the column");

  const auto query = figures<T>(whole.pivot);
  auto* const all_figures = out.as<summary<T>>();
  check_call(distributed::all_reduce(comm, memory.as<const T>(), values.count, places(all_figures), query));
  check_call(distributed::wait(comm, nullptr, asked.patience_s));
  summary<T> all;
  check(cudaMemcpy(&all, all_figures, sizeof all, cudaMemcpyDeviceToHost), "the pass over the shards");
  all.pivot = whole.pivot;
  return report_line(asked.name, all, whole.count);
}
// [pass]

/// Everything that one rank does on its device.
std::string run_rank(const world::place& own, const ncclUniqueId& id, const column& values, const request& asked) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "counting the GPUs");
  check(cudaSetDevice(own.local_rank % devices), "choosing a GPU");
  world::communicator all(own, id, asked.patience_s);
  check_kind(all.comm, values.kind, asked.patience_s);
  return with_element_type(values.kind, [&]<class T>() { return describe_part<T>(all.comm, values, asked); });
}

/// The shards are read before the ranks meet: a launcher ends the others if a process ends because it cannot read its.
std::string run_as_process(const world::place& own, const request& asked) {
  if (asked.id_file.empty()) throw input_error("several processes need --id-file, a path that all of them see");
  const column values = read_shards(asked.shards, own);
  const ncclUniqueId id = world::share_id(own, asked.id_file, asked.patience_s);
  const world::temporary_file removed(own.rank == 0 ? asked.id_file : "");
  return run_rank(own, id, values, asked);
}

/// A thread for each rank. If a rank fails, the others do not wait for it for ever.
std::string run_as_threads(int ranks, const request& asked) {
  std::vector<column> columns;
  for (int rank = 0; rank < ranks; ++rank) columns.push_back(read_shards(asked.shards, {rank, ranks, rank}));
  ncclUniqueId id{};
  if (ncclGetUniqueId(&id) != ncclSuccess) throw device_error("NCCL gives no unique id");
  std::vector<std::string> lines(columns.size()), faults(columns.size());
  const auto run = [&](int rank) {
    try {
      lines[std::size_t(rank)] = run_rank({rank, ranks, rank}, id, columns[std::size_t(rank)], asked);
    } catch (const std::exception& fault) {
      faults[std::size_t(rank)] = fault.what();
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 1; rank < ranks; ++rank) threads.emplace_back(run, rank);
  run(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::string& fault : faults) {
    if (!fault.empty()) throw device_error(fault);
  }
  return lines[0];
}

int run(const request& asked) {
  world::place own = world::find_place();
  if (own.ranks == 1) {
    int devices = 1;
    check(cudaGetDeviceCount(&devices), "counting the GPUs");
    own.ranks = asked.ranks > 0 ? asked.ranks : devices;
    std::printf("%s\n", run_as_threads(own.ranks, asked).c_str());
    return 0;
  }
  const std::string line = run_as_process(own, asked);
  if (own.rank == 0) std::printf("%s\n", line.c_str());
  return 0;
}

}  // namespace describe

int main(int count, char** arguments) try {
  return describe::run(describe::parse_arguments(count, arguments));
} catch (const describe::input_error& fault) {
  std::fprintf(stderr,
               "describe_ranks: %s\nusage: describe_ranks [--name NAME] [--ranks N] [--id-file FILE] "
               "[--patience SECONDS] SHARD.npy...\n",
               fault.what());
  return 2;
} catch (const std::exception& fault) {
  std::fprintf(stderr, "describe_ranks: %s\n", fault.what());
  return 3;
}
