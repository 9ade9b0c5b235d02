// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sorts refuse, and how they are launched.
#include <gpuprim/device/input/input_loads.cuh>

#include "../../support/radix_sort_check.cuh"

#include <functional>
#include <string>

namespace {

/// Element i is i + 5.
struct positions_from_five : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(i) + 5; }
};

std::vector<unsigned> sorted(std::vector<unsigned> keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Called with the tuned shapes, whose clusters hold so many keys of 4 bytes.
constexpr std::int64_t most_in_cluster = 16 * 512 * 16;

/// Memory that no one looks at.
template <class T>
T* far_away(std::uintptr_t which) {
  return reinterpret_cast<T*>(which << 40);
}
struct wide {
  int of[8];
};
struct by_parity {
  GPUPRIM_HOST_DEVICE bool operator()(unsigned a, unsigned b) const { return a % 2 < b % 2; }
};

}  // namespace

TEST_CASE("Sorts refuse bad input and leave the outputs alone", "[device][not_asan]") {
  constexpr std::int64_t n = 1000;
  test::device_array<unsigned> in(test::make_keys<unsigned>(n, test::key_kind::random)), out(n), other(n);
  test::device_array<int> values(n), values_out(n);
  const unsigned* nothing = nullptr;
  unsigned* no_output = nullptr;
  const cudaError_t invalid = cudaErrorInvalidValue;
  const auto* odd = reinterpret_cast<const unsigned*>(reinterpret_cast<const char*>(in.data()) + 2);
  auto* const past = reinterpret_cast<unsigned*>(reinterpret_cast<char*>(out.data()) + 1);
  CHECK(gpuprim::sort(nothing, n, out.data()) == invalid);
  CHECK(gpuprim::sort(in.data(), -1, out.data()) == invalid);
  CHECK(gpuprim::sort(in.data(), std::int64_t{1} << 62, out.data()) == invalid);
  CHECK(gpuprim::sort(in.data(), INT64_MAX / 4 - 16, in.data()) == invalid);  // whose scratch memory would overflow
  CHECK(gpuprim::sort(odd, n, out.data()) == invalid);
  CHECK(gpuprim::sort(in.data(), n, no_output) == invalid);
  CHECK(gpuprim::sort(in.data(), n, past) == invalid);
  CHECK(gpuprim::sort(in.data(), n, in.data() + 1) == invalid);
  CHECK(gpuprim::sort(in.data(), n, out.data(), gpuprim::ascending.bits(3, 33)) == invalid);
  CHECK(gpuprim::sort(in.data(), n, out.data(), gpuprim::ascending.bits(5, 4)) == invalid);
  CHECK(gpuprim::sort(in.data(), n, out.data(), gpuprim::ascending.bits(-1, 4)) == invalid);
  const auto pairs = [&](const auto* keys, const int* from, unsigned* to, int* values_to) {
    return gpuprim::sort_pairs(keys, from, n, to, values_to, gpuprim::descending);
  };
  CHECK(pairs(in.data(), static_cast<const int*>(nullptr), out.data(), values_out.data()) == invalid);
  CHECK(pairs(in.data(), values.data(), out.data(), nullptr) == invalid);
  CHECK(pairs(in.data(), values.data(), out.data(), values.data() + 1) == invalid);
  CHECK(pairs(in.data(), values.data(), out.data(), reinterpret_cast<int*>(out.data())) == invalid);
  CHECK(pairs(in.data(), values.data(), reinterpret_cast<unsigned*>(values.data()), values_out.data()) == invalid);
  CHECK(pairs(in.data(), values.data(), out.data(), reinterpret_cast<int*>(in.data())) == invalid);
  gpuprim::double_buffer<unsigned> same{out.data(), out.data()}, half{out.data(), nullptr};
  CHECK(gpuprim::sort(same, n) == invalid);
  CHECK(gpuprim::sort(half, n) == invalid);
  CHECK(half.current == out.data());
  gpuprim::double_buffer<unsigned> of_keys{out.data(), other.data()};
  const auto with_values = [&](int* current, int* free) {
    gpuprim::double_buffer<int> of_values{current, free};
    return gpuprim::sort_pairs(of_keys, of_values, n);
  };
  CHECK(with_values(reinterpret_cast<int*>(out.data()), values_out.data()) == invalid);
  CHECK(with_values(values_out.data(), reinterpret_cast<int*>(out.data())) == invalid);
  CHECK(with_values(reinterpret_cast<int*>(other.data()), values_out.data()) == invalid);
  CHECK(with_values(values_out.data(), reinterpret_cast<int*>(other.data())) == invalid);
  CHECK(std::string(gpuprim::last_fault()) == "a buffer of keys overlaps one of values");
  CHECK(of_keys.current == out.data());
  in.check_unchanged();
  out.check_untouched();
  other.check_untouched();
  values_out.check_untouched();
}

TEST_CASE("Sorts of no keys and of one", "[device][not_asan]") {
  test::device_array<float> in(std::vector<float>{2.5f}), out(1);
  CUDA_OK(gpuprim::sort(static_cast<const float*>(nullptr), 0, static_cast<float*>(nullptr)));
  CUDA_OK(gpuprim::sort(in.data(), 0, out.data()));
  out.check_untouched();
  CUDA_OK(gpuprim::sort(in.data(), 1, out.data(), gpuprim::descending));
  CHECK(out.download()[0] == 2.5f);
}

/// Whether sorts take little memory beside room for the keys and the values.
template <class Key, class Value = void>
constexpr bool takes_little_memory(std::int64_t most_constant) {
  constexpr std::int64_t bytes = sizeof(Key) + (std::is_void_v<Value> ? 0 : sizeof(unsigned));
  for (std::int64_t n = 1; n < std::int64_t{1} << 36; n += n / 4 + 1) {
    const auto size = gpuprim::sort_workspace_size<Key, Value>(n);
    if (size.zeroed_bytes + size.scratch_bytes > n * bytes + n * bytes / 100 + most_constant) return false;
  }
  return true;
}
static_assert(takes_little_memory<unsigned>(24 << 20) && takes_little_memory<double>(24 << 20));
static_assert(takes_little_memory<unsigned, unsigned>(24 << 20) && takes_little_memory<double, unsigned>(24 << 20));
static_assert(takes_little_memory<short>(36 << 20));
static_assert(!takes_little_memory<unsigned>(1 << 20));

TEST_CASE("Sorts on both sides of what a cluster holds", "[device][not_asan][sanitizer]") {
  for (std::int64_t n : {std::int64_t{3000}, most_in_cluster, most_in_cluster + 1}) {
    CAPTURE(n);
    const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
    test::device_array<unsigned> in(keys), out(keys.size());
    const auto size = gpuprim::sort_workspace_size<unsigned>(n);
    gpuprim::workspace workspace(size);
    CUDA_OK(gpuprim::sort(in.data(), n, out.data(), {.workspace = &workspace}));
    CHECK(out.download() == sorted(keys));
    in.check_unchanged();
    out.check_guards();
    test::check_zero(workspace);
    CHECK(size.scratch_bytes <= n * 4 + (32 << 20));
    if (n <= most_in_cluster) continue;
    test::device_array<unsigned> untouched(keys.size());
    gpuprim::workspace without_scratch(size.zeroed_bytes);
    CHECK(gpuprim::sort(in.data(), n, untouched.data(), {.workspace = &without_scratch}) == cudaErrorInvalidValue);
    gpuprim::workspace without_zeroed({0, size.scratch_bytes});
    CHECK(gpuprim::sort(in.data(), n, untouched.data(), {.workspace = &without_zeroed}) == cudaErrorInvalidValue);
    untouched.check_untouched();
  }
}

TEST_CASE("Sorts of pairs whose values an iterator makes", "[device][not_asan]") {
  const auto keys = test::make_keys<short>(3000, test::key_kind::few_distinct);
  const auto at = test::sort_positions(keys, [](short key) { return key; }, gpuprim::sort_direction::descending);
  test::device_array<short> in(keys), out(keys.size());
  test::device_array<int> values(keys.size());
  CUDA_OK(gpuprim::sort_pairs(in.data(), positions_from_five{}, 3000, out.data(), values.data(), gpuprim::descending));
  const auto got = values.download();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < at.size(); ++i) wrong += got[i] != at[i] + 5;
  CHECK(wrong == 0);
  CHECK(test::count_unequal(out.download(), keys, at) == 0);
}

TEST_CASE("Sorts in two buffers", "[device][not_asan]") {
  for (std::int64_t n : {std::int64_t{1000}, most_in_cluster + 77}) {
    for (const auto& [first, end] : {std::pair{0, 32}, {8, 32}}) {
      CAPTURE(n, first, end);
      const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
      const auto word = [first = first](unsigned key) { return key >> first; };
      const auto at = test::sort_positions(keys, word, gpuprim::sort_direction::ascending);
      std::vector<short> values;
      for (std::int64_t i = 0; i < n; ++i) values.push_back(short(i));
      test::device_array<unsigned> a(keys), b(keys.size());
      test::device_array<short> c(values), d(values.size());
      gpuprim::double_buffer<unsigned> of_keys{a.data(), b.data()};
      gpuprim::double_buffer<short> of_values{c.data(), d.data()};
      const auto order = gpuprim::ascending.bits(first, end);
      using order_type = std::remove_const_t<decltype(order)>;
      gpuprim::workspace workspace(gpuprim::sort_in_buffers_size<unsigned, short, order_type>(n));
      CUDA_OK(gpuprim::sort_pairs(of_keys, of_values, n, order, {.workspace = &workspace}));
      CHECK((of_keys.current == a.data() ? of_keys.other == b.data() : of_keys.other == a.data()));
      CHECK(test::count_unequal((of_keys.current == a.data() ? a : b).download(), keys, at) == 0);
      CHECK(test::count_unequal((of_values.current == c.data() ? c : d).download(), values, at) == 0);
      a.check_guards();
      b.check_guards();
      c.check_guards();
      d.check_guards();
    }
  }
}

TEST_CASE("Sorts of all bits in two buffers, in one pass or more", "[device][not_asan][slow]") {
  for (std::int64_t n : {most_in_cluster + 77, (std::int64_t{1} << 20) + 3}) {
    CAPTURE(n);
    const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
    const auto at = test::sort_positions(keys, [](unsigned key) { return key; }, gpuprim::sort_direction::descending);
    std::vector<int> values(keys.size());
    std::iota(values.begin(), values.end(), 0);
    test::device_array<unsigned> a(keys), b(keys.size()), alone(keys), alone_other(keys.size());
    test::device_array<int> c(values), d(values.size());
    gpuprim::double_buffer<unsigned> of_keys{a.data(), b.data()}, of_alone{alone.data(), alone_other.data()};
    gpuprim::double_buffer<int> of_values{c.data(), d.data()};
    gpuprim::workspace workspace(gpuprim::sort_in_buffers_size<unsigned, int>(n));
    CUDA_OK(gpuprim::sort_pairs(of_keys, of_values, n, gpuprim::descending, {.workspace = &workspace}));
    CUDA_OK(workspace.reserve(gpuprim::sort_in_buffers_size<unsigned>(n)));
    CUDA_OK(gpuprim::sort(of_alone, n, gpuprim::descending, {.workspace = &workspace}));
    CHECK(test::count_unequal((of_keys.current == a.data() ? a : b).download(), keys, at) == 0);
    CHECK((of_values.current == c.data() ? c : d).download() == at);
    CHECK(test::count_unequal((of_alone.current == alone.data() ? alone : alone_other).download(), keys, at) == 0);
    for (const auto* all : {&a, &b, &alone, &alone_other}) all->check_guards();
    for (const auto* all : {&c, &d}) all->check_guards();
  }
}

TEST_CASE("Sorts in two buffers with options and no order", "[device][not_asan]") {
  constexpr std::int64_t n = 1000;
  const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
  test::device_array<unsigned> a(keys), b(n);
  test::device_array<int> c(n), d(n);
  gpuprim::double_buffer<unsigned> of_keys{a.data(), b.data()};
  gpuprim::double_buffer<int> of_values{c.data(), d.data()};
  const gpuprim::options how{};
  CUDA_OK(gpuprim::sort(of_keys, n, {.stream = nullptr}));
  CHECK((of_keys.current == a.data() ? a : b).download() == sorted(keys));
  CUDA_OK(gpuprim::sort(of_keys, n, how));
  CUDA_OK(gpuprim::sort_pairs(of_keys, of_values, n, {.stream = nullptr}));
  CUDA_OK(gpuprim::sort_pairs(of_keys, of_values, n, how));
  CHECK((of_keys.current == a.data() ? a : b).download() == sorted(keys));
}

TEST_CASE("Sorts are captured and replayed", "[device][not_asan]") {
  const std::int64_t n = most_in_cluster + 500;
  const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
  const auto other_keys = test::make_keys<unsigned>(n, test::key_kind::random, 2);
  test::device_array<unsigned> in(keys), out(keys.size());
  gpuprim::workspace workspace(gpuprim::sort_workspace_size<unsigned>(n));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CUDA_OK(gpuprim::sort(in.data(), n, out.data(), {.stream = stream, .workspace = &workspace}));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&ready, graph, 0));
  for (const auto& now : {keys, other_keys, keys}) {
    in.upload(now);
    CUDA_OK(cudaGraphLaunch(ready, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK(out.download() == sorted(now));
  }
  CUDA_OK(cudaGraphExecDestroy(ready));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

namespace {
struct long_value {
  int parts[7];
};
}  // namespace

TEST_CASE("Sorts of pairs with long values", "[device][not_asan]") {
  for (std::int64_t n : {std::int64_t{700}, most_in_cluster + 1}) {
    CAPTURE(n);
    const auto keys = test::make_keys<unsigned short>(n, test::key_kind::few_distinct);
    const auto word = [](unsigned short key) { return key; };
    const auto at = test::sort_positions(keys, word, gpuprim::sort_direction::ascending);
    std::vector<long_value> values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back({{int(i), 1, 2, 3, 4, 5, int(-i)}});
    test::device_array<unsigned short> in(keys), out(keys.size());
    test::device_array<long_value> values_in(values), values_out(values.size());
    gpuprim::workspace workspace(gpuprim::sort_workspace_size<unsigned short, long_value>(n));
    const gpuprim::options how{.workspace = &workspace};
    CUDA_OK(gpuprim::sort_pairs(in.data(), values_in.data(), n, out.data(), values_out.data(), how));
    CHECK(test::count_unequal(out.download(), keys, at) == 0);
    CHECK(test::count_unequal(values_out.download(), values, at) == 0);
    values_in.check_unchanged();
    values_out.check_guards();
    test::check_zero(workspace);
    CUDA_OK(gpuprim::sort_pairs(in.data(), values_in.data(), n, in.data(), values_in.data(), how));
    CHECK(test::count_unequal(in.download(), keys, at) == 0);
    CHECK(test::count_unequal(values_in.download(), values, at) == 0);
    values_in.check_guards();
  }
}

namespace {
struct version {
  int major, minor;
  GPUPRIM_HOST_DEVICE friend bool operator<(const version& a, const version& b) {
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
  }
};
struct by_minor {
  GPUPRIM_HOST_DEVICE bool operator()(const version& a, const version& b) const { return a.minor < b.minor; }
};
struct by_last_digit {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
}  // namespace

TEST_CASE("Sorts by digits where they can, and else by comparisons", "[device][not_asan]") {
  using gpuprim::detail::sorting_type;
  constexpr auto by_digits = []<class Key, class Order>(Key, Order) {
    return gpuprim::detail::is_radix_order<sorting_type<Key, Order>>;
  };
  STATIC_REQUIRE(by_digits(1, std::less<>{}));
  STATIC_REQUIRE(by_digits(1.0f, std::greater<float>{}));
  STATIC_REQUIRE_FALSE(by_digits(1.0f, std::greater<int>{}));
  STATIC_REQUIRE_FALSE(by_digits(1, by_last_digit{}));
  STATIC_REQUIRE_FALSE(by_digits(version{}, gpuprim::descending));

  constexpr int n = 1300;
  std::vector<version> keys;
  for (int i = 0; i < n; ++i) {
    keys.push_back({int(unsigned(i) * 2654435761u >> 30), int(unsigned(i) * 40503u >> 3) % 5});
  }
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  const auto check = [&](const auto& order, const auto& before) {
    std::vector<int> at = values;
    std::stable_sort(at.begin(), at.end(),
                     [&](int a, int b) { return before(keys[std::size_t(a)], keys[std::size_t(b)]); });
    test::device_array<version> in(keys), out(keys.size()), alone(keys.size());
    test::device_array<int> values_in(values), values_out(values.size());
    using order_type = std::remove_cvref_t<decltype(order)>;
    gpuprim::workspace workspace(gpuprim::sort_workspace_size<version, int, order_type>(n));
    const gpuprim::options how{.workspace = &workspace};
    CUDA_OK(gpuprim::sort_pairs(in.data(), values_in.data(), n, out.data(), values_out.data(), order, how));
    CUDA_OK(gpuprim::sort(in.data(), n, alone.data(), order));
    CHECK(values_out.download() == at);
    CHECK(test::count_unequal(out.download(), keys, at) == 0);
    CHECK(test::count_unequal(alone.download(), keys, at) == 0);
  };
  check(gpuprim::ascending, [](const version& a, const version& b) { return a < b; });
  check(gpuprim::descending, [](const version& a, const version& b) { return b < a; });
  check(by_minor{}, by_minor{});
  test::device_array<version> in(keys), out(keys.size());
  CHECK(gpuprim::sort(in.data(), n, out.data(), gpuprim::ascending.bits(0, 4)) == cudaErrorInvalidValue);
  out.check_untouched();
}

TEST_CASE("The plan of a sort is that of its first launch that moves keys", "[device][not_asan]") {
  using radix = gpuprim::detail::radix_sort_of<unsigned, gpuprim::detail::no_values, decltype(gpuprim::ascending)>;
  test::device_array<unsigned> in(400), out(400);
  const unsigned* const from = in.data();
  const auto plan_of = [&](std::int64_t n) { return gpuprim::sort_plan(from, n, out.data()); };
  CHECK(plan_of(0).grid_size == 0);
  CHECK((plan_of(400).grid_size == 1 && plan_of(400).block_size == radix::few::block_size));
  const auto refuses = [](const auto& call) { CHECK_THROWS_AS(call(), gpuprim::cuda_error); };
  refuses([&] { return plan_of(-1); });
  const auto* const far = far_away<unsigned>(1);
  auto* const to = far_away<unsigned>(2);
  // As many keys as a block holds, and one more.
  const auto blocks_of = [&](std::int64_t n) { return gpuprim::sort_plan(far, n, to).grid_size; };
  CHECK((blocks_of(radix::few::tile_items) == 1 && blocks_of(radix::few::tile_items + 1) > 1));
#if defined(SIMT_DEVICE)  // which has clusters of every size
  constexpr int blocks = gpuprim::tuned_sort_policies.cluster_blocks;
  constexpr int few_items = blocks / 2 * gpuprim::tuned_sort_policies.cluster_items;
  constexpr int most_items = blocks * radix::few::tile_items;
  static_assert(most_items * sizeof(unsigned) == gpuprim::tuned_sort_policies.cluster_bytes);
  CHECK((blocks_of(few_items) == blocks / 2 && blocks_of(few_items + 1) == blocks));
  CHECK((blocks_of(most_items) == blocks && blocks_of(most_items + 1) != blocks));
#endif
  // Keys alone are parted by buckets, pairs and parts of keys by digits.
  using buckets = gpuprim::detail::sort_of<radix>;
  constexpr std::int64_t several = 1 << 18, many = 1 << 24;
  const auto of_several = gpuprim::sort_plan(far, several, to), of_many = gpuprim::sort_plan(far, many, to);
  using gpuprim::detail::bucket_step;
  CHECK(of_several.grid_size == (several - 1) / buckets::tile_keys(bucket_step::only) + 1);
  CHECK(of_several.block_size == buckets::pass_size);
  CHECK(of_many.grid_size == (many - 1) / buckets::tile_keys(bucket_step::high) + 1);
  CHECK(of_many.bytes_in_flight > 0);
  const auto of_bits = gpuprim::ascending.bits(0, 20);
  CHECK(gpuprim::sort_plan(far, several, to, of_bits).grid_size == (several - 1) / radix::several::tile_items + 1);
  CHECK(gpuprim::sort_plan(far, several, to, of_bits).block_size == radix::several::block_size);
  CHECK(gpuprim::sort_plan(far, many, to, of_bits).grid_size == (many - 1) / radix::many::tile_items + 1);
  const auto of_pairs = gpuprim::sort_pairs_plan(far, far_away<int>(3), many, to, far_away<int>(4));
  CHECK(of_pairs.grid_size > of_many.grid_size);
  const auto of_long = gpuprim::sort_pairs_plan(far, far_away<wide>(3), many, to, far_away<wide>(4));
  CHECK(of_long.grid_size == of_pairs.grid_size);
  const auto of_merges = gpuprim::merge_sort_plan(far, many, to, by_parity{});
  CHECK((of_merges.grid_size > 1 && of_merges.grid_size == gpuprim::sort_plan(far, many, to, by_parity{}).grid_size));
  CHECK(gpuprim::merge_sort_pairs_plan(far, far, many, to, far_away<unsigned>(5), by_parity{}).grid_size > 1);
}
