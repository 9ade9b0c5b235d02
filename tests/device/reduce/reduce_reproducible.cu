// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree of `reproducible`, evaluated here in plain C++: the GPU and the host SIMT device must give its bits.
#include "../../support/reduce_check.cuh"

#include <bit>
#include <optional>

namespace {

/// A float sum that the library may not reorder, as it is not told that it commutes.
struct add_in_order {
  GPUPRIM_HOST_DEVICE float operator()(float a, float b) const { return a + b; }
};

template <class Acc, class Op>
std::optional<Acc> tree(std::vector<std::optional<Acc>> values, Op op) {
  auto join = [&](const std::optional<Acc>& a, const std::optional<Acc>& b) {
    return !a ? b : !b ? a : std::optional<Acc>(op(*a, *b));
  };
  while (values.size() > 1) {
    std::vector<std::optional<Acc>> pairs;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      pairs.push_back(i + 1 < values.size() ? join(values[i], values[i + 1]) : values[i]);
    }
    values = pairs;
  }
  return values.empty() ? std::nullopt : values[0];
}

template <class Acc, class T, class Op>
Acc reference(const std::vector<T>& in, Op op, Acc init) {
  using maybe = std::optional<Acc>;
  constexpr std::size_t items = gpuprim::elements_per_load<T>, unit_items = 4 * 32 * items, leaves = 4224, gangs = 132;
  const std::size_t units = (in.size() + unit_items - 1) / unit_items, run = (units + leaves - 1) / leaves;
  const bool in_turn = units <= 14 * leaves;
  const std::size_t gang_run = (units + gangs - 1) / gangs;
  auto load = [&](std::size_t unit, std::size_t row, std::size_t lane) {
    std::vector<maybe> values;
    for (std::size_t i = 0; i < items; ++i) {
      const std::size_t at = ((unit * 4 + row) * 32 + lane) * items + i;
      values.push_back(at < in.size() ? maybe(static_cast<Acc>(in[at])) : maybe());
    }
    return tree(values, op);
  };
  auto then = [&](const maybe& total, const maybe& value) { return tree<Acc>({total, value}, op); };
  std::vector<maybe> of_leaves;
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    maybe total;
    if (gpuprim::is_commutative<Op, Acc>) {
      std::vector<maybe> lanes(32);
      const std::size_t gang = leaf / 32, end = in_turn ? units : std::min(units, (gang + 1) * gang_run);
      std::size_t unit = in_turn ? leaf : gang * gang_run + leaf % 32;
      for (; unit < end; unit += in_turn ? leaves : 32) {
        for (std::size_t lane = 0; lane < 32; ++lane) {
          std::vector<maybe> rows;
          for (std::size_t row = 0; row < 4; ++row) rows.push_back(load(unit, row, lane));
          lanes[lane] = then(lanes[lane], tree(rows, op));
        }
      }
      total = tree(lanes, op);
    } else {
      for (std::size_t unit = leaf * run; unit < std::min(units, (leaf + 1) * run); ++unit) {
        std::vector<maybe> rows;
        for (std::size_t row = 0; row < 4; ++row) {
          std::vector<maybe> lanes;
          for (std::size_t lane = 0; lane < 32; ++lane) lanes.push_back(load(unit, row, lane));
          rows.push_back(tree(lanes, op));
        }
        total = then(total, tree(rows, op));
      }
    }
    of_leaves.push_back(total);
  }
  const maybe all = tree(of_leaves, op);
  return all ? op(init, *all) : init;
}

/// Values of very different sizes: every other tree gives other bits.
template <class T>
std::vector<T> uneven_values(std::int64_t n) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t r = test::scramble(std::uint64_t(i));
    if constexpr (std::is_same_v<T, test::complex_float>) {
      values.push_back({float(r % 1000) * 0.37f, float(r % 77) / 3.0f});
    } else if constexpr (std::is_floating_point_v<T>) {
      values.push_back(T(1.0) / T(1 + r % 100000) * T(r % 2 ? 1 : 1000));
    } else {
      values.push_back(test::make_value<T>(std::uint64_t(i)));
    }
  }
  return values;
}

template <int BlockSize, class Acc, class T, class Op>
void check_grids(const T* in, std::int64_t n, Op op, Acc init, const Acc& want) {
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<Acc>(n));
  for (int most_blocks : {1, 3, 4096}) {
    test::device_array<Acc> out(1);
    const auto result = gpuprim::detail::reduce_reproducibly<BlockSize, Acc>(in, n, out.data(), op, init,
                                                                             {.workspace = &ws}, most_blocks);
    CUDA_OK(result.code);
    CHECK(out.download()[0] == want);
    out.check_guards();
  }
}

/// In the smallest and the largest block, sums of float in the others too.
template <class Acc, class T, class Op>
void check(std::int64_t n, Op op, Acc init, std::size_t misalignment = 0) {
  const auto values = uneven_values<T>(n);
  const Acc want = reference<Acc>(values, op, init);
  test::device_array<T> input(values, misalignment);
  check_grids<128>(input.data(), n, op, init, want);
  test::unless_sanitized([&](auto) {
    check_grids<1024>(input.data(), n, op, init, want);
    if constexpr (std::is_same_v<Acc, float>) {
      check_grids<256>(input.data(), n, op, init, want);
      check_grids<512>(input.data(), n, op, init, want);
    }
  });
  input.check_unchanged();
}

}  // namespace

TEST_CASE("reproducible sums of float have the bits of the documented tree", "[device][sanitizer]") {
  for (std::int64_t n : {0, 1, 3, 511, 513, 4096, 20001}) check<float, float>(n, gpuprim::plus{}, 0.5f);
  check<float, float>(9001, gpuprim::plus{}, 0.0f, 4);
  check<float, float>(9001, gpuprim::plus{}, 0.0f, 12);
}

TEST_CASE("reproducible reads nothing behind an input that is not aligned", "[device][sanitizer]") {
  // An allocation that ends where the input does, in whole units.
  const auto values = uneven_values<float>(1536);
  char* memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, 4 + sizeof(float) * values.size()));
  auto* in = reinterpret_cast<float*>(memory + 4);
  CUDA_OK(cudaMemcpy(in, values.data(), sizeof(float) * values.size(), cudaMemcpyHostToDevice));
  check_grids<128>(in, 1536, gpuprim::plus{}, 0.0f, reference<float>(values, gpuprim::plus{}, 0.0f));
  check_grids<128>(in, 1536, add_in_order{}, 0.0f, reference<float>(values, add_in_order{}, 0.0f));
  CUDA_OK(cudaFree(memory));
}

TEST_CASE("reproducible keeps the order of an operator that is not known to commute", "[device]") {
  for (std::int64_t n : {1, 4095, 9021}) check<float, float>(n, add_in_order{}, 0.25f);
  check<float, float>(9021, add_in_order{}, 0.25f, 8);
  check<test::affine, test::affine>(5011, test::then{}, test::affine{1, 0});
  check<test::complex_float, test::complex_float>(3001, test::add_complex{}, test::complex_float{0, 0}, 4);
  check<test::matrix2, test::matrix2>(1003, test::product{}, test::matrix2{{1, 0, 0, 1}});
  check<test::affine_pair, test::affine_pair>(1025, test::then_both{}, test::affine_pair{{1, 0}, {1, 0}}, 12);
}

TEST_CASE("reproducible takes every element type", "[device]") {
  check<double, double>(5011, gpuprim::plus{}, 0.0);
  check<double, double>(5011, gpuprim::maximum{}, 0.0, 8);
  check<int, signed char>(8011, gpuprim::plus{}, 0, 1);
  check<std::int64_t, std::int64_t>(5011, gpuprim::bit_xor{}, 0);
  check<test::point3, test::point3>(1001, test::add_points{}, test::point3{0, 0, 0});
}

namespace {

using gpuprim::detail::leaf_order;
using float_units = gpuprim::detail::reproducible_input<const float*>;

template <leaf_order Order>
__global__ void count_leaf_units(float_units input, int* times) {
  const int leaf = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (leaf >= input.leaves) return;
  auto share = input.template units_of<Order>(leaf);
  for (; share.unit < share.end; share.advance()) atomicAdd(times + share.unit, 1);
}

template <leaf_order Order>
void check_leaf_units(std::int64_t units) {
  CAPTURE(units, int(Order));
  const auto input = float_units::make<Order>(nullptr, units * float_units::unit_items - 5);
  REQUIRE(input.units == units);
  test::device_array<int> times(std::vector<int>(std::size_t(units), 0));
  test::run(count_leaf_units<Order>, 33, 128, 0, input, times.data());
  CHECK(times.download() == std::vector<int>(std::size_t(units), 1));
  times.check_guards();
}

}  // namespace

TEST_CASE("the leaves of reproducible have each unit once, in turn and by runs", "[device]") {
  for (std::int64_t units : {1, 4223, 4225, 9000, 14 * 4224, 14 * 4224 + 1, 14 * 4224 + 133, 70001}) {
    check_leaf_units<leaf_order::in_turn>(units);
    check_leaf_units<leaf_order::kept>(units);
  }
}

TEST_CASE("reproducible through the public calls", "[device]") {
  const auto values = uneven_values<float>(40000);
  const float want = reference<float>(values, gpuprim::plus<float>{}, 1.0f);
  test::device_array<float> input(values), output(2);
  CUDA_OK(gpuprim::reduce(gpuprim::reproducible, input.data(), 40000, output.data(), gpuprim::plus<float>{}, 1.0f));
  CUDA_OK((gpuprim::reduce<gpuprim::plus<float>, 256>(gpuprim::reproducible, input.data(), 40000, output.data() + 1,
                                                      gpuprim::plus<float>{}, 1.0f)));
  CHECK(output.download()[0] == want);
  CHECK(output.download()[1] == want);
  const float from_zero = reference<float>(values, gpuprim::plus<float>{}, 0.0f);
  CUDA_OK((gpuprim::reduce<gpuprim::plus<float>, 128>(gpuprim::reproducible, input.data(), 40000, output.data(),
                                                      gpuprim::plus<float>{})));
  CHECK(output.download()[0] == from_zero);
  CHECK(gpuprim::reduce_value(gpuprim::reproducible, input.data(), 40000, gpuprim::plus<float>{}, 1.0f) == want);
  CHECK(gpuprim::reduce(gpuprim::reproducible, input.data(), -1, output.data(), gpuprim::plus{}, 0.0f) ==
        cudaErrorInvalidValue);
}

#if !defined(SIMT_DEVICE)  // four million elements in every schedule are too many for the CPU
TEST_CASE("reproducible sums of many units a leaf", "[device]") {
  constexpr std::int64_t n = 4224 * 512 * 2 + 12345;  // two rounds and a part
  const auto values = uneven_values<float>(n);
  test::device_array<float> input(values);
  check_grids<1024>(input.data(), n, gpuprim::plus{}, 0.0f, reference<float>(values, gpuprim::plus{}, 0.0f));
  check_grids<256>(input.data(), n, add_in_order{}, 0.0f, reference<float>(values, add_in_order{}, 0.0f));
  const std::vector<float> behind_first(values.begin() + 1, values.end());
  const float want = reference<float>(behind_first, gpuprim::plus{}, 0.0f);
  check_grids<1024>(input.data() + 1, n - 1, gpuprim::plus{}, 0.0f, want);
}

TEST_CASE("reproducible sums of runs of units", "[device]") {
  constexpr std::int64_t n = 4224 * 512 * 14 + 300000;
  const auto values = uneven_values<float>(n);
  const float want = reference<float>(values, gpuprim::plus{}, 0.0f);
  test::device_array<float> input(values);
  check_grids<1024>(input.data(), n, gpuprim::plus{}, 0.0f, want);
  check_grids<128>(input.data(), n, gpuprim::plus{}, 0.0f, want);
}
#endif
