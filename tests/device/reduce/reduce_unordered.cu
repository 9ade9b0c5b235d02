// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/reduce_check.cuh"

#include <limits>

namespace {

/// Values are such that sums are exact, so that any order gives the same.
template <class T, class Op>
void check(Op op, T init) {
  for (std::int64_t n : {0, 1, 300, 5000, 70001}) {
    std::vector<T> values;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint64_t r = test::scramble(std::uint64_t(i)) * 0x100000001u;
      if constexpr (std::is_floating_point_v<T>) values.push_back(T(int(r % 17) - 8));
      else values.push_back(T(r));
    }
    const T want = test::fold(values, op, init);
    test::device_array<T> input(values), output(1);
    gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<T>(n));
    for (int round = 0; round < 3; ++round) {  // the state resets itself
      CUDA_OK(gpuprim::reduce(gpuprim::unordered, input.data(), n, output.data(), op, init, {.workspace = &ws}));
      CHECK(output.download()[0] == want);
    }
    if constexpr (std::is_same_v<Op, gpuprim::plus<>>) {  // and serves other forms
      CUDA_OK(gpuprim::reduce(input.data(), n, output.data(), op, init, {.workspace = &ws}));
      CHECK(output.download()[0] == want);
    }
    output.check_guards();
    input.check_unchanged();
  }
}

}  // namespace

TEST_CASE("unordered reduces of 32-bit integers", "[device][sanitizer]") {
  check<int>(gpuprim::plus{}, 5);
  check<int>(gpuprim::minimum{}, std::numeric_limits<int>::max());
  test::unless_sanitized([](auto) {
    check<int>(gpuprim::maximum{}, std::numeric_limits<int>::lowest());
    check<unsigned>(gpuprim::minimum{}, 0xffffffffu);
    check<unsigned>(gpuprim::maximum{}, 0u);
    check<unsigned>(gpuprim::bit_and{}, 0xffffffffu);
    check<unsigned>(gpuprim::bit_or{}, 0u);
    check<int>(gpuprim::bit_xor{}, 1);
  });
}

TEST_CASE("unordered reduces of 64-bit integers and floats", "[device]") {
  check<std::int64_t>(gpuprim::plus{}, 5);
  check<double>(gpuprim::plus{}, 1.0);
  test::unless_sanitized([](auto) {
    check<std::int64_t>(gpuprim::minimum{}, std::numeric_limits<std::int64_t>::max());
    check<std::uint64_t>(gpuprim::maximum{}, 0u);
    check<std::uint64_t>(gpuprim::bit_and{}, ~std::uint64_t{0});
    check<std::int64_t>(gpuprim::bit_xor{}, 1);
    check<float>(gpuprim::plus{}, 1.0f);
  });
}

