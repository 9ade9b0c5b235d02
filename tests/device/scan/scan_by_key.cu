// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/device_scan_check.cuh"
#include "../../support/run_check.cuh"

#include <functional>

namespace {

namespace detail = gpuprim::detail;
using test::scan_kind;

struct same_tens {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

/// A scan by key of runs of the given lengths, compared with a loop. Init: an initial value, or nothing.
template <scan_kind Kind, class Acc, gpuprim::scan_policies Policies, class Key, class T, class Op, class Init>
void check_one(const std::vector<int>& lengths, Op op, Init init, test::scan_places at) {
  const auto keys = test::make_runs<Key>(lengths);
  const auto values = test::make_values<T>(std::int64_t(keys.size()));
  const auto n = std::int64_t(keys.size());
  constexpr bool has_init = !std::is_same_v<Init, detail::nothing>;
  CAPTURE(n, lengths.size(), at.in, at.out, at.in_place, has_init);
  std::vector<Acc> want;
  std::optional<Acc> sum;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto own = static_cast<Acc>(values[i]);
    if (i == 0 || !(keys[i - 1] == keys[i])) {
      sum.reset();
      if constexpr (has_init) sum = init;
    }
    if (Kind == scan_kind::exclusive) want.push_back(*sum);
    sum = sum ? op(*sum, own) : own;
    if (Kind == scan_kind::inclusive) want.push_back(*sum);
  }
  using source = detail::keyed_source<const Key*, const T*, Acc, detail::equal_keys>;
  constexpr detail::scan_bytes bytes = detail::scan_element_bytes<source, Acc, Acc*>;
  gpuprim::workspace workspace(detail::scan_launches<Policies, detail::scan_part<Acc>, bytes>::workspace_bytes(n));
  test::device_array<Key> in_keys(keys, at.out);
  test::device_array<T> in(values, at.in);
  test::device_array<Acc> out(at.in_place ? 0 : values.size(), at.out);
  auto* const to = at.in_place ? reinterpret_cast<Acc*>(in.data()) : out.data();
  const gpuprim::options how{nullptr, &workspace};
  CUDA_OK(detail::run_keyed_scan<Kind, Acc, Policies>(static_cast<const Key*>(in_keys.data()),
                                                      static_cast<const T*>(in.data()), n, to, op, detail::equal_keys{},
                                                      init, how)
              .code);
  if (at.in_place) {
    CHECK(std::memcmp(in.download().data(), want.data(), want.size() * sizeof(Acc)) == 0);
    in.check_guards();
  } else {
    CHECK(bool(out.download() == want));
    out.check_guards();
    in.check_unchanged();
  }
  in_keys.check_unchanged();
  test::check_zero(workspace);
}

template <class Acc, gpuprim::scan_policies Policies, class Key, class T, class Op>
void check_by_key(const std::vector<int>& lengths, Op op, Acc init, test::scan_places at = {}) {
  check_one<scan_kind::exclusive, Acc, Policies, Key, T>(lengths, op, init, at);
  check_one<scan_kind::inclusive, Acc, Policies, Key, T>(lengths, op, init, at);
  check_one<scan_kind::inclusive, Acc, Policies, Key, T>(lengths, op, detail::nothing{}, at);
}

constexpr auto few = test::scan_one_tile(64, 48), many = test::scan_many_tiles(64, 48);

}  // namespace

TEST_CASE("Scans by key over every mix of runs", "[device][sanitizer]") {
  for (const auto& lengths : test::run_mixes()) {
    check_by_key<int, few, int, int>(lengths, gpuprim::plus{}, 3);
    check_by_key<test::affine, many, int, test::affine>(lengths, test::then{}, {3, 1});
  }
}

TEST_CASE("Scans by key of every type", "[device]") {
  const std::vector<int> lengths{1, 3, 700, 30, 1, 1, 1, 2300, 64, 33};
  check_by_key<double, many, int, double>(lengths, gpuprim::plus{}, 0.5);
  check_by_key<int, many, char, short>(lengths, gpuprim::plus{}, 1);
  check_by_key<test::point3, many, test::point3, test::point3>(lengths, test::add_points{}, {1, 2, 3});
  test::unless_sanitized([&](auto) {
    check_by_key<test::matrix2, many, std::int64_t, test::matrix2>(lengths, test::product{}, {{1, 2, 3, 4}});
    check_by_key<test::affine, few, double, test::affine>(lengths, test::then{}, {3, 1});
    check_by_key<float, gpuprim::tuned_keyed_scan_policies, int, float>({3000, 1, 90000}, gpuprim::plus{}, 1);
    check_by_key<double, gpuprim::tuned_keyed_scan_policies, int, double>({3000, 1, 900000}, gpuprim::plus{}, 1);
  });
}

TEST_CASE("Scans by key at misalignments and in place", "[device][sanitizer]") {
  const std::vector<int> lengths{1, 2000, 3, 5, 4000, 20};
  for (std::size_t bytes : {4, 12, 20, 124}) {
    check_by_key<int, many, int, int>(lengths, gpuprim::plus{}, 2, {bytes, bytes});
    check_by_key<int, few, int, int>(lengths, gpuprim::plus{}, 2, {bytes, 0, true});
    check_by_key<int, many, int, int>(lengths, gpuprim::plus{}, 2, {0, bytes, true});
  }
}

TEST_CASE("Scans by key under ThreadSanitizer", "[device][tsan]") {
  check_one<scan_kind::exclusive, int, many, int, int>({5, 2000, 1, 1, 3000}, gpuprim::plus{}, 3, {4, 4, true});
  check_one<scan_kind::inclusive, int, few, int, int>({5, 1000, 1}, gpuprim::plus{}, detail::nothing{}, {});
}

TEST_CASE("Scans by key take an equality, and refuse bad input", "[device]") {
  std::vector<int> tens;
  for (int i = 0; i < 300; ++i) tens.push_back(i);
  test::device_array<int> keys(tens), ones(std::vector<int>(300, 1)), out(300);
  CUDA_OK(gpuprim::inclusive_scan_by_key(keys.data(), ones.data(), 300, out.data(), gpuprim::plus{}, same_tens{}));
  auto got = out.download();
  for (int i : {0, 9, 10, 299}) CHECK(got[std::size_t(i)] == i % 10 + 1);
  CUDA_OK(gpuprim::exclusive_scan_by_key(keys.data(), ones.data(), 300, out.data(), gpuprim::plus{}, 5, same_tens{}));
  got = out.download();
  for (int i : {0, 9, 10, 299}) CHECK(got[std::size_t(i)] == i % 10 + 5);
  CUDA_OK(gpuprim::exclusive_scan_by_key(keys.data(), ones.data(), 300, out.data(), gpuprim::plus{}, 5));
  CHECK(out.download() == std::vector<int>(300, 5));
  CUDA_OK(
      gpuprim::exclusive_scan_by_key(keys.data(), ones.data(), 300, out.data(), gpuprim::plus{}, 5, std::equal_to<>{}));
  CHECK(out.download() == std::vector<int>(300, 5));
  CUDA_OK(gpuprim::inclusive_scan_by_key(keys.data(), ones.data(), 300, out.data(), gpuprim::plus{}));
  CHECK(out.download() == std::vector<int>(300, 1));
  const int* nothing = nullptr;
  const auto scan = [&](const int* k, const int* v, std::int64_t n, int* to) {
    return gpuprim::inclusive_scan_by_key(k, v, n, to, gpuprim::plus{});
  };
  CHECK(scan(nothing, ones.data(), 300, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(keys.data(), nothing, 300, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(keys.data(), ones.data(), -1, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(keys.data(), ones.data(), 300, nullptr) == cudaErrorInvalidValue);
  CHECK(scan(keys.data(), ones.data(), 300, keys.data()) == cudaErrorInvalidValue);
  CHECK(scan(keys.data(), ones.data(), 290, ones.data() + 10) == cudaErrorInvalidValue);
  CHECK(scan(nothing, nothing, 0, nullptr) == cudaSuccess);
  keys.check_unchanged();
  ones.check_unchanged();
}
