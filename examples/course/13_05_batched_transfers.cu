// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many small copies, or one large one: each copy costs a few microseconds whatever its size, so the host packs small
// arrays into one pinned buffer, copies that, and a kernel finds each array by its offset. The time of packing counts.
// Source: "Data Transfer Between Host and Device" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <cstring>

using namespace course;

int main(int count, char** arguments) {
  const int arrays = size_to_run(count, arguments, usual_size(30, 1000), 100000);
  std::vector<std::vector<unsigned>> small;
  std::vector<std::size_t> offset = {0};
  for (int a = 0; a < arrays; ++a) {
    small.emplace_back(std::size_t(50 + a % 200), unsigned(a));  // of different lengths
    offset.push_back(offset.back() + small.back().size());
  }
  const device_array<unsigned> device(offset.back());
  const pinned_array<unsigned> packed(offset.back());
  const auto is_right = [&] {
    const std::vector<unsigned> got = device.on_host();
    bool right = true;
    for (int a = 0; a < arrays; ++a) {
      for (std::size_t i = offset[a]; i < offset[a + 1]; ++i) right &= got[i] == unsigned(a);
    }
    device.poison();
    return right;
  };
  device.poison();
  const double one_by_one = host_time_us([&] {
    for (int a = 0; a < arrays; ++a) {
      check(cudaMemcpyAsync(device.data() + offset[a], small[a].data(), small[a].size() * sizeof(unsigned),
                            cudaMemcpyHostToDevice));
    }
  });
  bool right = is_right();
  // [batch]
  const double batched = host_time_us([&] {
    for (int a = 0; a < arrays; ++a) {
      std::memcpy(packed.data() + offset[a], small[a].data(), small[a].size() * sizeof(unsigned));
    }
    check(cudaMemcpyAsync(device.data(), packed.data(), packed.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  });
  // [batch]
  right &= is_right();
  std::printf("%d arrays, %d bytes: one by one %s, in one batch %s\n", arrays, int(4 * offset.back()),
              figure(one_by_one, "us").c_str(), figure(batched, "us").c_str());
  return verdict(right);
}
