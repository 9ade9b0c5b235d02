// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streaming passes over as many elements as a number in device memory says.
#include "../../support/transform_check.cuh"

#include <string>

namespace {

struct shifted_by_one {
  GPUPRIM_HOST_DEVICE unsigned char operator()(unsigned char x) const { return static_cast<unsigned char>(x + 1); }
  GPUPRIM_HOST_DEVICE int operator()(int x) const { return gpuprim::plus<int>{}(x, 1); }
  GPUPRIM_HOST_DEVICE double operator()(double x) const { return x + 1; }
  GPUPRIM_HOST_DEVICE test::point3 operator()(const test::point3& p) const { return {p.z, p.x + 1, p.y}; }
};
struct tripled {
  GPUPRIM_HOST_DEVICE int operator()(std::int64_t i) const { return int(3 * i); }
};
struct sum_of_both {
  GPUPRIM_HOST_DEVICE int operator()(int a, short b) const { return gpuprim::plus<int>{}(a, b); }
};
/// Marks places of an array.
struct mark {
  int* marks;
  __device__ void operator()(std::int64_t i) const { marks[i] = int(i) + 1; }
};

/// Calls that write to `most` places at most are given each count in turn; places behind it stay as they are.
template <class T, class Launch>
void check_counts(std::int64_t most, const std::vector<T>& all, std::size_t past, const Launch& launch) {
  test::device_array<std::int64_t> number(1);
  for (std::int64_t n :
       {std::int64_t{-5}, std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, most / 3, most - 1, most, most + 100}) {
    CAPTURE(most, n, past);
    number.upload({n});
    test::device_array<T> out(all.size(), past);
    auto wanted = out.download();
    for (std::int64_t i = 0; i < n && i < most; ++i) wanted[std::size_t(i)] = all[std::size_t(i)];
    CUDA_OK(launch(out.data(), gpuprim::element_count{number.data(), most}));
    CHECK(test::same_bytes(out.download(), wanted));
    out.check_guards();
  }
}

template <class T>
void check_transform(std::int64_t most, std::size_t in_past, std::size_t out_past) {
  CAPTURE(in_past);
  const auto values = test::make_values<T>(most);
  const test::device_array<T> in(values, in_past);
  std::vector<T> changed;
  for (const T& x : values) changed.push_back(shifted_by_one{}(x));
  check_counts<T>(most, changed, out_past, [&](T* out, const gpuprim::element_count& n) {
    return gpuprim::transform(in.data(), n, out, shifted_by_one{});
  });
  check_counts<T>(most, values, out_past,
                  [&](T* out, const gpuprim::element_count& n) { return gpuprim::copy(in.data(), n, out); });
  in.check_unchanged();
}

}  // namespace

TEST_CASE("Transforms take a count in device memory", "[device][sanitizer]") {
  for (std::int64_t most : {1, 40, 9000}) {
    for (std::size_t past : {0, 4, 8}) {
      check_transform<int>(most, past, 0);
      check_transform<int>(most, 4, past);
    }
    check_transform<unsigned char>(most, 3, 5);
    check_transform<test::point3>(most, 0, 0);
  }
  test::unless_sanitized([](auto) {
    check_transform<double>(5000, 8, 0);
    check_transform<unsigned char>(70000, 0, 0);
    check_transform<test::point3>(800000, 4, 8);  // whose lanes trade their packets
  });
}

TEST_CASE("Other passes take a count in device memory", "[device]") {
  const std::int64_t most = 3000;
  const auto values = test::make_values<int>(most);
  const auto others = test::make_values<short>(most);
  const test::device_array<int> in(values);
  const test::device_array<short> beside(others, 2);
  std::vector<int> order, gathered, scattered, sums, marked, tripled_all, filled(std::size_t(most), 9);
  for (std::int64_t i = 0; i < most; ++i) {
    order.push_back(int(most - 1 - i));
    gathered.push_back(values[std::size_t(most - 1 - i)]);
    sums.push_back(sum_of_both{}(values[std::size_t(i)], others[std::size_t(i)]));
    marked.push_back(int(i) + 1);
    tripled_all.push_back(tripled{}(i));
  }
  const test::device_array<int> index(order);
  using count = gpuprim::element_count;
  check_counts<int>(most, gathered, 0,
                    [&](int* out, const count& n) { return gpuprim::gather(in.data(), index.data(), n, out); });
  check_counts<int>(most, values, 0, [&](int* out, const count& n) {
    return gpuprim::scatter(in.data(), gpuprim::positions<int>{}, n, out);
  });
  check_counts<int>(most, sums, 4, [&](int* out, const count& n) {
    return gpuprim::transform(gpuprim::inputs(in.data(), beside.data()), n, out, sum_of_both{});
  });
  check_counts<int>(most, marked, 0, [&](int* out, const count& n) { return gpuprim::for_each(n, mark{out}); });
  check_counts<int>(most, marked, 0, [&](int* out, const count& n) {
    return gpuprim::for_each(gpuprim::positions<std::int64_t>{}, n, mark{out});
  });
  check_counts<int>(most, tripled_all, 4,
                    [&](int* out, const count& n) { return gpuprim::generate(out, n, tripled{}); });
  check_counts<int>(most, filled, 8, [&](int* out, const count& n) { return gpuprim::fill(out, n, 9); });
}

TEST_CASE("A count of a pass is made by the kernel before it", "[device][tsan]") {
  const int most = 700;
  const test::device_array<int> in(std::vector<int>(most, 3));
  test::device_array<int> out(most), number(1);
  CUDA_OK(gpuprim::fill(number.data(), 1, 650));
  CUDA_OK(gpuprim::transform(in.data(), {number.data(), most}, out.data(), shifted_by_one{}));
  CHECK((out.download()[649] == 4 && out.download()[650] != 4));
}

TEST_CASE("Passes refuse a count that they would overwrite", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 3));
  test::device_array<int> out(100);
  const auto refusal = [&](const int* number, std::int64_t most) {
    CHECK(gpuprim::transform(in.data(), {number, most}, out.data(), shifted_by_one{}) == cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault());
  };
  CHECK(refusal(nullptr, 100) == "the count is a null pointer");
  CHECK(refusal(out.data() + 99, 100) == "the count lies in an output");
  CHECK(refusal(in.data(), -1) == "the count is negative");
  out.check_untouched();
  CUDA_OK(gpuprim::transform(in.data(), {out.data() + 50, 0}, out.data(), shifted_by_one{}));  // nothing to overwrite
}
