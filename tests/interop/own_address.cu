// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements whose type has no address by an operator &. No call of the library may use that operator on an element.
#include <gpuprim/gpuprim.cuh>

#include "../support/device.cuh"

namespace {

/// Joins strings of which only the first and the last character are kept.
struct element {
  int first, last;
  GPUPRIM_HOST_DEVICE element* operator&() const = delete;
  friend bool operator==(const element&, const element&) = default;
};
GPUPRIM_HOST_DEVICE bool operator<(const element& a, const element& b) { return a.first < b.first; }
GPUPRIM_HOST_DEVICE element operator+(const element& a, const element& b) { return {a.first, b.last}; }

struct is_even {
  GPUPRIM_HOST_DEVICE bool operator()(const element& e) const { return e.last % 2 == 0; }
};
struct first_of {
  GPUPRIM_HOST_DEVICE int operator()(const element& e) const { return e.first; }
};
struct turned {
  GPUPRIM_HOST_DEVICE element operator()(const element& e) const { return {e.last, e.first}; }
};
struct same_first {
  GPUPRIM_HOST_DEVICE bool operator()(const element& a, const element& b) const { return a.first == b.first; }
};

std::vector<element> make_elements(int n) {
  std::vector<element> made;
  unsigned seed = 5;
  for (int i = 0; i < n; ++i) made.push_back({int((seed = seed * 1664525 + 1013904223) >> 25), i});
  return made;
}

__global__ void join_in_block(const element* in, element* out) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<32> warp;
  const int rank = int(threadIdx.x);
  const element own = in[rank];
  element* const to = out + rank;
  to[0] = gpuprim::block_inclusive_scan<64>(block, own, gpuprim::plus{});
  to[64] = gpuprim::warp_inclusive_scan(warp, own, gpuprim::plus{});
  to[128] = gpuprim::block_all_reduce<64>(block, own, gpuprim::plus{});
  to[192] = gpuprim::warp_all_reduce(warp, own, gpuprim::plus{});
  element pair[2] = {in[2 * rank], in[2 * rank + 1]};
  int values[2] = {2 * rank, 2 * rank + 1};
  gpuprim::block_sort<64>(block, pair, values, std::less<>{});
  to[256] = pair[0], to[320] = pair[1];
  to[384] = {values[0], values[1]};
}

}  // namespace

TEST_CASE("elements with an operator & of their own: scans and reduces", "[interop]") {
  const int n = 3000;
  const std::vector<element> all = make_elements(n);
  test::device_array<element> in(all), out(all.size()), one(1);
  CUDA_OK(gpuprim::reduce(in.data(), n, one.data(), gpuprim::plus<>{}, element{7, 8}));
  CHECK(one.download()[0] == element{7, n - 1});
  CUDA_OK(gpuprim::inclusive_scan(in.data(), n, out.data(), gpuprim::plus<>{}));
  std::vector<element> wanted;
  for (const element& e : all) wanted.push_back({all[0].first, e.last});
  CHECK(out.download() == wanted);
  CUDA_OK(gpuprim::segmented_reduce(in.data(), gpuprim::fixed_length{30}, n / 30, out.data(), gpuprim::plus<>{},
                                    element{7, 8}));
  CHECK(out.download()[1] == element{7, 59});
  std::vector<int> offsets{0, 10, 10, 1000, n};
  test::device_array<int> at(offsets);
  CUDA_OK(gpuprim::segmented_reduce(in.data(), at.data(), 4, out.data(), gpuprim::plus<>{}, element{7, 8}));
  CHECK(out.download()[2] == element{7, 999});
  test::device_array<int> keys(std::vector<int>(std::size_t(n), 1)), unique(1), runs(1);
  CUDA_OK(gpuprim::reduce_by_key(keys.data(), in.data(), n, unique.data(), one.data(), runs.data(), gpuprim::plus<>{}));
  CHECK(one.download()[0] == element{all[0].first, n - 1});
  CUDA_OK(gpuprim::inclusive_scan_by_key(keys.data(), in.data(), n, out.data(), gpuprim::plus<>{}));
  CHECK(out.download() == wanted);
}

TEST_CASE("elements with an operator & of their own: sorts and merges", "[interop]") {
  const int n = 3000;
  std::vector<element> wanted = make_elements(n);
  test::device_array<element> in(wanted), out(wanted.size()), merged(wanted.size());
  std::stable_sort(wanted.begin(), wanted.end());
  CUDA_OK(gpuprim::sort(in.data(), n, out.data()));
  CHECK(out.download() == wanted);
  CUDA_OK(gpuprim::sort(in.data(), n, out.data(), gpuprim::ascending.by(first_of{})));
  CHECK(out.download() == wanted);
  CUDA_OK(gpuprim::merge_sort(in.data(), n, out.data()));
  CHECK(out.download() == wanted);
  CUDA_OK(gpuprim::sort(in.data(), 1000, out.data()));
  CUDA_OK(gpuprim::sort(in.data() + 1000, 2000, out.data() + 1000));
  CUDA_OK(gpuprim::merge(out.data(), 1000, out.data() + 1000, 2000, merged.data()));
  CHECK(merged.download() == wanted);
  test::device_array<int> keys(std::vector<int>(std::size_t(n), 3)), keys_out(static_cast<std::size_t>(n));
  CUDA_OK(gpuprim::sort_pairs(keys.data(), in.data(), n, keys_out.data(), out.data()));
  CHECK(out.download() == in.download());
  CUDA_OK(
      gpuprim::segmented_sort(in.data(), gpuprim::fixed_length{n}, 1, out.data(), gpuprim::ascending.by(first_of{})));
  CHECK(out.download() == wanted);
}

TEST_CASE("elements with an operator & of their own: selects and moves", "[interop]") {
  const int n = 3000;
  const std::vector<element> all = make_elements(n);
  std::vector<element> even, odd, swapped;
  for (const element& e : all) (e.last % 2 == 0 ? even : odd).push_back(e), swapped.push_back({e.last, e.first});
  test::device_array<element> in(all), kept(even.size()), rest(odd.size()), out(all.size());
  test::device_array<int> count(1);
  CUDA_OK(gpuprim::select_if(in.data(), n, kept.data(), count.data(), is_even{}));
  CHECK(kept.download() == even);
  CUDA_OK(gpuprim::transform(in.data(), n, out.data(), turned{}));
  CHECK(out.download() == swapped);
  CUDA_OK(gpuprim::transpose(in.data(), 30, 100, out.data()));
  CHECK(out.download()[1] == all[100]);
  CUDA_OK(gpuprim::unique(in.data(), n, out.data(), count.data(), same_first{}));
  CHECK(out.download()[0] == all[0]);
  test::device_array<gpuprim::extremum<element>> least(1);
  CUDA_OK(gpuprim::min_element(in.data(), n, least.data()));
  CHECK(least.download()[0].value == *std::min_element(all.begin(), all.end()));
}

TEST_CASE("elements with an operator & of their own: inside a block", "[interop]") {
  const std::vector<element> all = make_elements(128);
  test::device_array<element> in(all), out(448);
  test::run(join_in_block, 1, 64, 0, static_cast<const element*>(in.data()), out.data());
  const std::vector<element> got = out.download();
  std::vector<element> sorted(all);
  std::stable_sort(sorted.begin(), sorted.end());
  for (int i = 0; i < 64; ++i) {
    CAPTURE(i);
    CHECK(got[std::size_t(i)] == element{all[0].first, i});
    CHECK(got[std::size_t(64 + i)] == element{all[std::size_t(i / 32 * 32)].first, i});
    CHECK(got[std::size_t(128 + i)] == element{all[0].first, 63});
    CHECK(got[std::size_t(192 + i)] == element{all[std::size_t(i / 32 * 32)].first, i / 32 * 32 + 31});
    CHECK(got[std::size_t(256 + i)] == sorted[std::size_t(2 * i)]);
    CHECK(got[std::size_t(320 + i)] == sorted[std::size_t(2 * i + 1)]);
    CHECK(got[std::size_t(384 + i)] == element{sorted[std::size_t(2 * i)].last, sorted[std::size_t(2 * i + 1)].last});
  }
}
