// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments of one length of structs of 56 bytes, with an operator that keeps the order.
#include "../support/check.hpp"
#include "../support/cub_storage.hpp"
#include "../support/timing.hpp"
#include "cases.hpp"

#include <gpuprim/segmented_reduce.cuh>

#include <cub/device/device_segmented_reduce.cuh>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace bench {

namespace {

struct record {
  float weight;
  int first, last, count;
  float largest;
  bool is_set;
  std::int64_t sum, product, begin, end;
};
static_assert(sizeof(record) == 56);

/// Joins neighbouring spans: associative, and not commutative.
struct join_records {
  __host__ __device__ record operator()(const record& a, const record& b) const {
    return {a.weight + b.weight,
            a.is_set ? a.first : b.first,
            b.is_set ? b.last : a.last,
            a.count + b.count,
            a.largest < b.largest ? b.largest : a.largest,
            a.is_set || b.is_set,
            a.sum + b.sum,
            a.product * b.product,
            a.is_set ? a.begin : b.begin,
            b.is_set ? b.end : a.end};
  }
};

constexpr int passes = 20;

struct arrays {
  std::int64_t length, segments;
  record *in, *out;
  std::vector<record> wanted;

  arrays(std::int64_t l, std::int64_t count) : length(l), segments(count) {
    std::vector<record> host;
    for (std::int64_t i = 0; i < length * segments; ++i) {
      const int k = int(i);
      host.push_back({float(k % 7), k, k + 1, 1, float(k % 1000), k % 5 != 0, k, 2 * k + 1, k, k + 1});
    }
    for (std::int64_t i = 0; i < segments; ++i) {
      record total = host[std::size_t(i * length)];
      for (std::int64_t k = 1; k < length; ++k) total = join_records{}(total, host[std::size_t(i * length + k)]);
      wanted.push_back(join_records{}(record{}, total));
    }
    check(cudaMalloc(&in, host.size() * sizeof(record)), "allocate");
    check(cudaMalloc(&out, std::size_t(segments) * sizeof(record)), "allocate");
    check(cudaMemcpy(in, host.data(), host.size() * sizeof(record), cudaMemcpyHostToDevice), "copy");
  }
  void compare(const char* contender) const {
    std::vector<record> got(wanted.size());
    check(cudaMemcpy(got.data(), out, got.size() * sizeof(record), cudaMemcpyDeviceToHost), "copy");
    for (std::size_t i = 0; i < got.size(); ++i) {
      const record &a = got[i], &b = wanted[i];
      if (a.first == b.first && a.last == b.last && a.count == b.count && a.sum == b.sum && a.product == b.product &&
          a.begin == b.begin && a.end == b.end && a.largest == b.largest) {
        continue;
      }
      std::fprintf(stderr, "long_structs: segment %zu of %s is wrong\n", i, contender);
      std::exit(1);
    }
  }
};

/// Times passes in a graph.
case_contender make_contender(const char* name, const std::shared_ptr<arrays>& a, const enqueue_pass& pass) {
  const auto compare = [a, name] { a->compare(name); };
  check(cudaMemset(a->out, 0xff, std::size_t(a->segments) * sizeof(record)), "poison");
  check(pass(0, nullptr), name);
  check(cudaDeviceSynchronize(), name);
  compare();
  const auto timer = std::make_shared<graph_timer>(passes, pass);
  return {name, [timer] { return timer->us_per_pass(); }};
}

case_of_others make_case(const char* name, std::int64_t length, std::int64_t segments) {
  const auto a = std::make_shared<arrays>(length, segments);
  case_of_others made{name, 15, {}};
  static gpuprim::workspace ws(gpuprim::segmented_reduce_workspace_bytes<record>());
  made.contenders.push_back(make_contender("gpuprim", a, [a](std::int64_t, cudaStream_t s) {
    return gpuprim::segmented_reduce(a->in, gpuprim::fixed_length{a->length}, a->segments, a->out, join_records{},
                                     record{}, {.stream = s, .workspace = &ws});
  }));
#if CUB_VERSION >= 300200
  made.contenders.push_back(make_contender("CUB", a, [a](std::int64_t, cudaStream_t s) {
    return with_cub_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceSegmentedReduce::Reduce(storage, bytes, a->in, a->out, a->segments, int(a->length),
                                                join_records{}, record{}, s);
    });
  }));
#endif
  return made;
}

}  // namespace

case_of_others long_structs() { return make_case("512 segments of 1000 structs of 56 bytes", 1000, 512); }
case_of_others many_long_structs() { return make_case("8192 segments of 28 structs of 56 bytes", 28, 8192); }

}  // namespace bench
