// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lengths.hpp"
#include "workspace.hpp"

#include <gpuprim/reduce_by_key.cuh>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>

namespace {

using namespace bench;

template <class Key>
std::int64_t place_keys(random_numbers& random, const call_memory& memory, std::string& details) {
  const std::int64_t n = random.size(1 << 23);
  std::vector<Key> keys;
  int key = 0;
  for (std::int64_t length : random_lengths(random, n, details)) {
    keys.insert(keys.end(), std::size_t(length), static_cast<Key>(key));
    key = (key + 1) % 100;
  }
  upload(memory.in, keys);
  details = "n " + std::to_string(keys.size()) + details;
  return std::int64_t(keys.size());
}

template <class Key, class Value>
comparison by_key(random_numbers& random, const call_memory& memory) {
  std::string details;
  const std::int64_t n = place_keys<Key>(random, memory, details);
  const auto* const keys = reinterpret_cast<const Key*>(memory.in);
  const auto* const values = reinterpret_cast<const Value*>(memory.second);
  auto* const unique = reinterpret_cast<Key*>(memory.out);
  auto* const sums = reinterpret_cast<Value*>(memory.second_out);
  auto* const runs = reinterpret_cast<int*>(memory.third_out);
  return {"reduce_by_key " + std::to_string(sizeof(Key)) + ", " + std::to_string(sizeof(Value)), details,
          [=](std::int64_t, cudaStream_t s) {
            return gpuprim::reduce_by_key(keys, values, n, unique, sums, runs, gpuprim::plus{}, options_of(s));
          },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            return cub::DeviceReduce::ReduceByKey(memory.temporary, bytes, keys, unique, values, sums, runs,
                                                  cuda::std::plus<>{}, n, s);
          }};
}

template <class Key>
comparison lengths(random_numbers& random, const call_memory& memory) {
  std::string details;
  const std::int64_t n = place_keys<Key>(random, memory, details);
  const auto* const keys = reinterpret_cast<const Key*>(memory.in);
  auto* const unique = reinterpret_cast<Key*>(memory.out);
  auto* const out = reinterpret_cast<int*>(memory.second_out);
  auto* const runs = reinterpret_cast<int*>(memory.third_out);
  return {"run_length_encode " + std::to_string(sizeof(Key)), details,
          [=](std::int64_t, cudaStream_t s) {
            return gpuprim::run_length_encode(keys, n, unique, out, runs, options_of(s));
          },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            return cub::DeviceRunLengthEncode::Encode(memory.temporary, bytes, keys, unique, out, runs, n, s);
          }};
}

const enter_comparisons entered({by_key<int, float>, by_key<long long, double>, by_key<unsigned char, int>,
                                 lengths<unsigned char>, lengths<int>, lengths<long long>});

}  // namespace
