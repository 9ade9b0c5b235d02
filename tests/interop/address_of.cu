// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of which no program can take the address by `&`: the library must not do so either.
#include <gpuprim/gpuprim.cuh>

#include "../support/device.cuh"

namespace {

struct number {
  int value = 0;

  number() = default;
  GPUPRIM_HOST_DEVICE constexpr number(int v) : value(v) {}
  void operator&() const = delete;
  friend bool operator==(const number&, const number&) = default;
};
struct before {
  GPUPRIM_HOST_DEVICE bool operator()(const number& a, const number& b) const { return a.value < b.value; }
};
struct sum {
  GPUPRIM_HOST_DEVICE number operator()(const number& a, const number& b) const { return {a.value + b.value}; }
};
struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(const number& a) const { return a.value % 2 != 0; }
};
struct own_value {
  GPUPRIM_HOST_DEVICE int operator()(const number& a) const { return a.value; }
};

constexpr int n = 5000;

__global__ void in_a_block(const number* in, number* sorted, number* sums, number* total) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<32> warp;
  const int rank = int(block.thread_rank());
  number keys[1] = {in[rank]}, values[1] = {in[rank]};
  gpuprim::block_sort<64>(block, keys, values, before{});
  gpuprim::warp_sort(warp, keys, values, before{});
  sorted[rank] = values[0];
  number all;
  sums[rank] = gpuprim::block_inclusive_scan<64>(block, in[rank], sum{}, gpuprim::total_to{all});
  const number reduced = gpuprim::block_reduce<64>(block, in[rank], sum{});
  if (rank == 0) *total = reduced;
}

}  // namespace

TEST_CASE("Elements whose address is not taken by &", "[device][few_schedules]") {
  std::vector<number> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back({(i * 37) % n});
  test::device_array<number> in(numbers), out(n), merged(2 * n), value(1);
  test::device_array<std::int64_t> count(1);
  CUDA_OK(gpuprim::sort(in.data(), n, out.data(), before{}));
  const auto sorted = out.download();
  for (int i = 0; i < n; ++i) REQUIRE(sorted[std::size_t(i)] == number{i});
  CUDA_OK(gpuprim::sort_pairs(in.data(), in.data(), n, out.data(), merged.data(), gpuprim::ascending.by(own_value{})));
  CHECK(out.download() == sorted);
  CUDA_OK(gpuprim::merge(out.data(), n, out.data(), n, merged.data(), before{}));
  const auto both = merged.download();
  for (int i = 0; i < 2 * n; ++i) REQUIRE(both[std::size_t(i)] == number{i / 2});
  CUDA_OK(gpuprim::inclusive_scan(in.data(), n, out.data(), sum{}));
  CHECK(out.download().back() == number{n * (n - 1) / 2});
  CUDA_OK(gpuprim::reduce(in.data(), n, value.data(), sum{}, number{0}));
  CHECK(value.download()[0] == number{n * (n - 1) / 2});
  CUDA_OK(gpuprim::select_if(in.data(), n, out.data(), count.data(), is_odd{}));
  CHECK(count.download()[0] == n / 2);
  test::device_array<number> sums(64), total(1);
  test::run(in_a_block, 1, 64, 0, in.data(), out.data(), sums.data(), total.data());
  CHECK(sums.download().back() == total.download()[0]);
}
