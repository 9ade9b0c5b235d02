// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of many ranges, and runs of more than one element, beside CUB's calls of the same kind.
#include "../support/check.hpp"
#include "../support/cub_storage.hpp"
#include "../support/timing.hpp"
#include "cases.hpp"

#include <gpuprim/device/copy_batched.cuh>
#include <gpuprim/device/non_trivial_runs.cuh>
#include <gpuprim/device/run_length_encode.cuh>

#include <cub/device/device_memcpy.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace bench {

namespace {

constexpr int passes = 10, rounds = 15;

unsigned scramble(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

template <class T>
T* upload(const std::vector<T>& from) {
  T* to = nullptr;
  check(cudaMalloc(&to, from.size() * sizeof(T)), "allocate");
  check(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  return to;
}

/// What a call writes has to be what is wanted, byte for byte.
case_contender make_contender(const char* name, void* out, const std::shared_ptr<std::vector<char>>& wanted,
                              const enqueue_pass& pass) {
  check(cudaMemset(out, 0xff, wanted->size()), "poison");
  check(pass(0, nullptr), name);
  std::vector<char> got(wanted->size());
  check(cudaMemcpy(got.data(), out, got.size(), cudaMemcpyDeviceToHost), "copy");
  if (got != *wanted) {
    std::fprintf(stderr, "counterparts: %s is wrong\n", name);
    std::exit(1);
  }
  const auto timer = std::make_shared<graph_timer>(passes, pass);
  return {name, [timer, pass] { return timer->us_per_pass(); }};  // what the pass owns is in the graph
}

/// Ranges of about so many bytes, each of which begins at any byte, in an output that has other bytes between them.
case_of_others copy_ranges(const char* name, int count, int bytes) {
  std::vector<std::int64_t> from, to;
  std::vector<int> sizes;
  std::int64_t end = 0;
  for (int i = 0; i < count; ++i) {
    sizes.push_back(bytes / 2 + int(scramble(unsigned(i)) % unsigned(bytes)));
    from.push_back(end + scramble(unsigned(3 * i)) % 16);
    to.push_back(end + scramble(unsigned(5 * i)) % 16);
    end += (sizes.back() + 31) / 16 * 16;
  }
  std::vector<char> source(std::size_t(end) + 16);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = char(scramble(unsigned(i / 4)) >> i % 4);
  const auto wanted = std::make_shared<std::vector<char>>(source.size(), char(0xff));
  char* const in = upload(source);
  char* const out = upload(source);
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::memcpy(wanted->data() + to[i], source.data() + from[i], std::size_t(sizes[i]));
    inputs.push_back(in + from[i]);
    outputs.push_back(out + to[i]);
  }
  const void** const all_in = upload(inputs);
  void** const all_out = upload(outputs);
  int* const all_sizes = upload(sizes);
  const auto ws = std::make_shared<gpuprim::workspace>(gpuprim::copy_batched_workspace_size(count));
  case_of_others made{name, rounds, {}};
  made.contenders.push_back(make_contender("gpuprim::copy_batched", out, wanted, [=](std::int64_t, cudaStream_t s) {
    return gpuprim::copy_batched(all_in, all_out, all_sizes, count, {.stream = s, .workspace = ws.get()});
  }));
  made.contenders.push_back(make_contender("cub::DeviceMemcpy", out, wanted, [=](std::int64_t, cudaStream_t s) {
    return with_cub_storage([&](void* storage, std::size_t& storage_bytes) {
      return cub::DeviceMemcpy::Batched(storage, storage_bytes, all_in, all_out, all_sizes, count, s);
    });
  }));
  return made;
}

case_of_others find_runs(const char* name, int n, int longest) {
  std::vector<int> values;
  // Offsets, lengths and their number, one behind the other.
  const auto wanted = std::make_shared<std::vector<char>>((2 * std::size_t(n) + 1) * sizeof(int), char(0xff));
  auto* const results = reinterpret_cast<int*>(wanted->data());
  int count = 0;
  for (unsigned run = 0; int(values.size()) < n; ++run) {
    const int begin = int(values.size()), length = 1 + int(scramble(run) % unsigned(longest));
    for (int i = 0; i < length && int(values.size()) < n; ++i) values.push_back(int(run));
    if (int(values.size()) - begin < 2) continue;
    results[count] = begin;
    results[n + count++] = int(values.size()) - begin;
  }
  results[2 * n] = count;
  int* const in = upload(values);
  int* const out = reinterpret_cast<int*>(upload(*wanted));
  const auto ws = std::make_shared<gpuprim::workspace>(gpuprim::run_length_encode_workspace_bytes<std::int64_t>(n));
  case_of_others made{name, rounds, {}};
  made.contenders.push_back(make_contender("gpuprim::non_trivial_runs", out, wanted, [=](std::int64_t, cudaStream_t s) {
    return gpuprim::non_trivial_runs(in, n, out, out + n, out + 2 * n, {.stream = s, .workspace = ws.get()});
  }));
  made.contenders.push_back(
      make_contender("cub::DeviceRunLengthEncode", out, wanted, [=](std::int64_t, cudaStream_t s) {
        return with_cub_storage([&](void* storage, std::size_t& bytes) {
          return cub::DeviceRunLengthEncode::NonTrivialRuns(storage, bytes, in, out, out + n, out + 2 * n, n, s);
        });
      }));
  return made;
}

}  // namespace

case_of_others copy_large_ranges() { return copy_ranges("1000 ranges of about 256 kB", 1000, 256000); }
case_of_others copy_ranges_of_a_page() { return copy_ranges("100000 ranges of about 1000 bytes", 100000, 1000); }
case_of_others copy_short_ranges() { return copy_ranges("1000000 ranges of about 64 bytes", 1000000, 64); }
case_of_others find_short_runs() { return find_runs("runs of 1 to 3 of 16777216", 1 << 24, 3); }
case_of_others find_longer_runs() { return find_runs("runs of 1 to 50 of 16777216", 1 << 24, 50); }

}  // namespace bench
