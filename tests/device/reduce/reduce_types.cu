// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/reduce_check.cuh"

TEST_CASE("reduce of integers", "[device][not_asan]") {
  for (auto n : test::sizes()) {
    test::check_tuned<int>(n, gpuprim::plus{}, 7);
    test::check_tuned<std::int64_t>(n, gpuprim::plus{}, std::int64_t{7});
    test::check_tuned<unsigned char>(n, gpuprim::maximum{}, static_cast<unsigned char>(1));
    test::check_tuned<short>(n, gpuprim::minimum{}, short{5});
    test::check_tuned<unsigned>(n, gpuprim::bit_xor{}, 0u);
    test::check_tuned<signed char>(n, gpuprim::plus{}, 11);
    test::check_tuned<unsigned char>(n, gpuprim::plus{}, 11u);
    test::check_tuned<short>(n, gpuprim::plus{}, -11);
    test::check_tuned<unsigned short>(n, gpuprim::plus{}, 11u);
    test::check_tuned<signed char>(n, gpuprim::plus{}, std::int64_t{-5});
  }
}

TEST_CASE("reduce of floating-point numbers", "[device][not_asan]") {
  for (auto n : test::sizes()) {
    test::check_tuned<float>(n, gpuprim::plus{}, 0.0f);
    test::check_tuned<double>(n, gpuprim::plus{}, 1.0);
    test::check_tuned<double>(n, gpuprim::minimum{}, 1.0);
    test::check_tuned<test::complex_float>(n, test::add_complex{}, test::complex_float{1, 2});
  }
}

TEST_CASE("reduce of half and bfloat16 sums in float", "[device][not_asan]") {
  for (auto n : test::sizes()) {
    test::check_tuned<__half>(n, gpuprim::plus{}, 0.0f);
    test::check_tuned<__nv_bfloat16>(n, gpuprim::plus{}, 0.5f);
  }
}

TEST_CASE("reduce of 8-bit sums is wide by default", "[device][sanitizer][not_asan]") {
  const std::vector<signed char> values(300, 100);
  test::device_array<signed char> input(values);
  static_assert(std::is_same_v<decltype(gpuprim::reduce_value(input.data(), 300, gpuprim::plus{})), int>);
  CHECK(gpuprim::reduce_value(input.data(), 300, gpuprim::plus{}) == 30000);
  CHECK(gpuprim::reduce_value<std::int64_t>(input.data(), 300, gpuprim::plus{}) == 30000);
}

TEST_CASE("a sum of bools counts them", "[device][not_asan]") {
  test::device_array<unsigned char> input(std::vector<unsigned char>{1, 0, 1, 1});
  const auto* flags = reinterpret_cast<const bool*>(input.data());
  const auto count = gpuprim::reduce_value(flags, 4, gpuprim::plus{});
  static_assert(std::is_same_v<decltype(count), const int>);
  CHECK(count == 3);
  CHECK(gpuprim::reduce_value(flags, 4, gpuprim::maximum{}) == true);
}

TEST_CASE("a sum is as wide as its initial value", "[device][sanitizer][not_asan]") {
  constexpr std::int64_t large = std::int64_t{1} << 30, sum = 5000 * large + 7, seven = 7;
  const gpuprim::plus<> plus;
  test::device_array<int> input(std::vector<int>(5000, int(large)));
  const int* in = input.data();
  const auto check = [](const auto& call) {
    test::device_array<std::int64_t> out(1);
    REQUIRE(call(out.data()) == cudaSuccess);
    CUDA_OK(cudaDeviceSynchronize());
    CHECK(out.download()[0] == sum);
  };
  using plus_type = gpuprim::plus<>;
  check([&](std::int64_t* out) { return gpuprim::reduce(in, 5000, out, plus, seven); });
  check([&](std::int64_t* out) { return gpuprim::reduce<plus_type, 256, 4>(in, 5000, out, plus, seven); });
  check([&](std::int64_t* out) { return gpuprim::reduce(gpuprim::reproducible, in, 5000, out, plus, seven); });
  check([&](std::int64_t* out) {
    return gpuprim::reduce<plus_type, 128>(gpuprim::reproducible, in, 5000, out, plus, seven);
  });
  CHECK(gpuprim::reduce_value(in, 5000, plus, seven) == sum);
  CHECK(gpuprim::reduce_value(gpuprim::reproducible, in, 5000, plus, seven) == sum);
  CHECK(gpuprim::reduce_value(in, 5000, plus, 0.5) == double(sum) - 6.5);
  static_assert(std::is_same_v<decltype(gpuprim::reduce_value(in, 5000, plus, 7)), int>);
}

TEST_CASE("reduce keeps the order of an operator that does not commute", "[device][sanitizer][not_asan]") {
  for (auto n : test::sizes()) {
    test::check_tuned<test::affine>(n, test::then{}, test::affine{3, 5});
    test::check_tuned<test::matrix2>(n, test::product{}, test::matrix2{{1, 2, 3, 4}});
    test::check_tuned<test::span_of_positions>(n, test::chain{}, test::span_of_positions(-3, -1));
  }
}

TEST_CASE("reduce by an operator that fixes another type than the elements'", "[device][sanitizer][not_asan]") {
  std::vector<int> values;
  for (int i = 0; i < 5000; ++i) values.push_back(i % 7 == 0 ? -int(test::scramble(unsigned(i)) >> 1) : i + 3);
  test::device_array<int> input(values);
  const auto n = std::int64_t(values.size());
  const gpuprim::minimum<unsigned> least;
  const gpuprim::maximum<unsigned> most;
  unsigned low = unsigned(values[0]), high = low;
  for (int v : values) low = least(low, unsigned(v)), high = most(high, unsigned(v));
  CHECK(gpuprim::reduce_value(input.data(), n, least) == low);
  CHECK(gpuprim::reduce_value(input.data(), n, most) == high);
  CHECK(gpuprim::reduce_value<int>(input.data(), n, least, -1) == int(low));
  CHECK(gpuprim::reduce_value<int>(input.data(), n, most, 0) == int(high));
  std::int64_t sum = 0;
  for (int v : values) sum += v;
  CHECK(gpuprim::reduce_value(input.data(), n, gpuprim::plus<std::int64_t>{}) == sum);
}

namespace {

/// Every second element. What get() gives is not an array of them.
struct every_second {
  using value_type = float;
  using difference_type = std::ptrdiff_t;
  using reference = float;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  float* first;

  GPUPRIM_HOST_DEVICE float operator[](std::int64_t i) const { return first[2 * i]; }
  float* get() const { return first; }
};

/// Many words, added word by word.
template <int Words>
struct word_list {
  std::uint32_t words[Words];

  GPUPRIM_HOST_DEVICE explicit word_list(std::uint32_t first) {
    for (int i = 0; i < Words; ++i) words[i] = first + std::uint32_t(i);
  }
  bool operator==(const word_list&) const = default;
};
struct add_words {
  template <int Words>
  GPUPRIM_HOST_DEVICE word_list<Words> operator()(word_list<Words> a, const word_list<Words>& b) const {
    for (int i = 0; i < Words; ++i) a.words[i] += b.words[i];
    return a;
  }
};
/// Each two words are a map x -> (2 a + 1) x + b, and one follows the other. No word is ever lost.
struct follow_words {
  template <int Words>
  GPUPRIM_HOST_DEVICE word_list<Words> operator()(word_list<Words> a, const word_list<Words>& b) const {
    for (int i = 0; i < Words; i += 2) {
      a.words[i + 1] = (2 * b.words[i] + 1) * a.words[i + 1] + b.words[i + 1];
      a.words[i] += b.words[i] + 2 * a.words[i] * b.words[i];
    }
    return a;
  }
};

}  // namespace

/// Lists of 8 words are not said to commute, and those of 33 have no identity.
template <int Words>
inline constexpr bool gpuprim::is_commutative<add_words, word_list<Words>> = Words != 8;
template <int Words>
  requires(Words == 16 || Words == 24)
struct gpuprim::identity_element<add_words, word_list<Words>> {
  GPUPRIM_HOST_DEVICE static word_list<Words> value() {
    word_list<Words> zeros(0);
    for (auto& word : zeros.words) word = 0;
    return zeros;
  }
};

TEST_CASE("reduce of an iterator that has get() and is not contiguous", "[device][not_asan]") {
  std::vector<float> values(6000, 100.0f);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = 1.0f;
  test::device_array<float> input(values);
  const every_second ones{input.data()};
  REQUIRE(ones.get() == input.data());
  CHECK(gpuprim::reduce_value(ones, 3000, gpuprim::plus{}) == 3000.0f);
}

TEST_CASE("reduce of elements that are a third of three loads", "[device][not_asan]") {
  for (auto n : test::sizes()) {
    test::check_tuned<test::point3>(n, test::add_points{}, test::point3{1, 2, 3});
    test::check_tuned<test::triple<short>>(n, test::add_triples{}, test::triple<short>{{1, 2, 3}});
    test::check_tuned<test::triple<std::int64_t>>(n, test::add_triples{}, test::triple<std::int64_t>{{1, 2, 3}});
  }
}

TEST_CASE("reduce with a lambda and with a function object that has an identity", "[device][not_asan]") {
  auto add = [] __host__ __device__(int a, int b) { return a + b; };
  const std::vector<int> values = {1, 2, 3, 4, 5};
  test::device_array<int> input(values);
  CHECK(gpuprim::reduce_value(input.data(), 5, add, 100) == 115);
}

TEST_CASE("a float sum stays within the error bound of its tree", "[device][not_asan]") {
  // |error| <= depth * epsilon * sum |x|, depth at most the longest chain of additions of one value.
  const std::int64_t n = test::on_simt ? 20000 : 1 << 22;
  std::vector<float> values;
  double exact = 0, magnitude = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    values.push_back(float(test::scramble(std::uint64_t(i))) / 3.0e9f - 0.5f);
    exact += double(values.back());
    magnitude += values.back() < 0 ? -double(values.back()) : double(values.back());
  }
  test::device_array<float> input(values);
  const float got = gpuprim::reduce_value(input.data(), n, gpuprim::plus{});
  const double epsilon = 5.97e-8, depth = 64;
  CHECK((got - exact <= depth * epsilon * magnitude && exact - got <= depth * epsilon * magnitude));
  for (int repeat = 0; repeat < 3; ++repeat) {
    CHECK(gpuprim::reduce_value(input.data(), n, gpuprim::plus{}) == got);  // the same bits in every run
  }
}

TEST_CASE("reduce of long elements, few and many", "[device][sanitizer][not_asan]") {
  const auto check = []<int Words>(std::integral_constant<int, Words>) {
    test::device_array<word_list<Words>> out(1);
    const auto block_size_of = [&](std::int64_t n) {
      return gpuprim::reduce_plan(out.data(), n, out.data(), add_words{}, word_list<Words>(7)).block_size;
    };
    // The sizes between which the shape changes.
    std::int64_t most_of_few = 1, least_of_many = 1 << 22;
    REQUIRE(block_size_of(most_of_few) != block_size_of(least_of_many));
    while (least_of_many - most_of_few > 1) {
      const std::int64_t middle = (most_of_few + least_of_many) / 2;
      (block_size_of(middle) == block_size_of(1) ? most_of_few : least_of_many) = middle;
    }
    std::vector<std::int64_t> sizes{1, 300};
    if (!test::on_simt || Words >= 16) sizes.insert(sizes.end(), {most_of_few, most_of_few + 1});
    for (std::int64_t n : sizes) {
      test::check_tuned<word_list<Words>>(n, add_words{}, word_list<Words>(7));
      if constexpr (Words == 16) test::check_tuned<word_list<Words>>(n, follow_words{}, word_list<Words>(7));
    }
  };
  check(std::integral_constant<int, 8>{});
  check(std::integral_constant<int, 16>{});
  check(std::integral_constant<int, 24>{});
  check(std::integral_constant<int, 33>{});
}

TEST_CASE("reduce of long elements that no wide load begins at", "[device][sanitizer][not_asan]") {
  for (std::size_t misalignment : {4, 8, 12}) {
    test::check_tuned<word_list<8>>(300, add_words{}, word_list<8>(7), misalignment);
    test::check_tuned<word_list<16>>(300, add_words{}, word_list<16>(7), misalignment);
  }
}

TEST_CASE("long values that other blocks have mailed are gathered word by word", "[device][sanitizer][not_asan]") {
  using gpuprim::detail::gathered_mail;
  STATIC_CHECK(gpuprim::detail::gathers_mail<word_list<16>>);
  STATIC_CHECK(!gpuprim::detail::gathers_mail<word_list<8>>);
  // Fewer threads than words, and no power of two; of the last, some blocks have no room in the first round.
  test::check_policy<32, 1>(1000, add_words{}, word_list<33>(7));
  test::check_policy<96, 1>(1500, add_words{}, word_list<24>(7));
  test::check_policy<96, 1>(1500, add_words{}, word_list<33>(7));
  STATIC_CHECK(gathered_mail<word_list<128>>::most == 24);
  test::check_policy<32, 1>(1000, add_words{}, word_list<128>(7));
  // The columns of 512 threads leave room for that mail, those of 576 would not.
  using gpuprim::detail::joins_columns;
  STATIC_CHECK(joins_columns<512, word_list<16>, add_words> && !joins_columns<576, word_list<16>, add_words>);
  test::check_policy<512, 1>(1500, add_words{}, word_list<16>(7));
  test::check_policy<576, 1>(1500, add_words{}, word_list<16>(7));
}
