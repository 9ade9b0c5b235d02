// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that mislead the sample, types, numbers that are none, places in memory, and what is refused.
#include "../../support/schedules.cuh"
#include "../../support/top_k_check.cuh"

#include <string>

namespace {

using gpuprim::largest, gpuprim::smallest;
using test::counted_top_k, test::key_shape, test::sampled_top_k;

/// Where the sample of n keys looks.
template <gpuprim::top_k_policy Policy>
std::vector<std::int64_t> sampled_places(std::int64_t n) {
  using sampling = test::detail::top_k_sampling<Policy>;
  std::vector<std::int64_t> places;
  for (int j = 0; j < int(sampling::size); ++j) places.push_back(test::detail::find_sampled<sampling>(n, j));
  return places;
}

/// A computed input.
struct halves {
  using value_type = double;
  using reference = double;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  std::int64_t n;
  GPUPRIM_HOST_DEVICE double operator[](std::int64_t i) const { return double((i * 7919) % n) / 2; }
};

}  // namespace

TEST_CASE("A sample looks at every stratum once, and not at the same place of each", "[device]") {
  for (std::int64_t n : {512, 1000, 4321, 1 << 20}) {
    const auto places = sampled_places<sampled_top_k>(n);
    CHECK(std::is_sorted(places.begin(), places.end()));
    CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
    CHECK((places.front() >= 0 && places.back() < n));
  }
  const auto places = sampled_places<sampled_top_k>(1 << 20);
  std::vector<int> of_period(16);
  for (std::int64_t place : places) ++of_period[std::size_t(place % 16)];
  CHECK(*std::min_element(of_period.begin(), of_period.end()) > 4);
  CHECK(*std::max_element(of_period.begin(), of_period.end()) < 40);
}

TEST_CASE("A sample that misleads costs time alone", "[device][sanitizer]") {
  constexpr int n = 20000;
  std::vector<int> few(n, 0), many(n, 0);
  for (int i = 0; i < n; ++i) few[std::size_t(i)] = many[std::size_t(i)] = int(test::scramble(std::uint64_t(i)) >> 8);
  for (std::int64_t at : sampled_places<sampled_top_k>(n)) {
    few[std::size_t(at)] += 1 << 25;   // the largest are all in the sample: it leaves too few candidates
    many[std::size_t(at)] -= 1 << 25;  // none of them is: it leaves too many
  }
  for (int k : {1, 30, 300}) {
    const auto check = [&](auto order) {
      test::check_top_k<sampled_top_k>(few, k, order);
      test::check_top_k<sampled_top_k>(many, k, order);
    };
    test::for_orders(check, largest, smallest, largest.sorted());
  }
  using sampling = test::detail::top_k_sampling<sampled_top_k>;
  const int rank = sampling::find(n, 300, 128).rank;
  REQUIRE((rank > 0 && rank < 300));
}

TEST_CASE("The k largest of every type", "[device]") {
  const auto check = [&]<class T>() {
    for (auto shape : test::all_key_shapes) {
      for (int n : {100, 2001}) {
        const auto keys = test::make_keys<T>(n, shape);
        const auto check_order = [&](auto order) {
          test::check_top_k<counted_top_k>(keys, n / 5, order, sizeof(T));
          test::check_top_k<sampled_top_k>(keys, 20, order, 3 * sizeof(T));
        };
        test::for_orders(check_order, largest, smallest.sorted());
      }
    }
  };
  check.operator()<signed char>();
  check.operator()<unsigned short>();
  check.operator()<std::int64_t>();
  check.operator()<float>();
  test::unless_sanitized([&](auto) {
    check.operator()<unsigned char>();
    check.operator()<short>();
    check.operator()<std::uint64_t>();
    check.operator()<double>();
    check.operator()<__half>();
    check.operator()<__nv_bfloat16>();
  });
}

TEST_CASE("The k largest of bools", "[device]") {
  std::vector<unsigned char> flags(300);
  for (int i : {5, 77, 299}) flags[std::size_t(i)] = 1;
  test::device_array<unsigned char> in(flags), out(4);
  test::device_array<int> positions(4);
  CUDA_OK(gpuprim::top_k_positions(reinterpret_cast<const bool*>(in.data()), 300, 4,
                                   reinterpret_cast<bool*>(out.data()), positions.data(), largest.sorted()));
  CHECK(out.download() == std::vector<unsigned char>{1, 1, 1, 0});
  CHECK(positions.download() == std::vector<int>{5, 77, 299, 0});
}

TEST_CASE("Numbers that are none, infinities and zeros of both signs", "[device][sanitizer][slow]") {
  const auto check = [&]<class T>() {
    const float infinite = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
    const float special[] = {0.0f, -0.0f, infinite, -infinite, none, -none, 1.0f, -1.0f, 1e-7f, -1e-7f};
    for (const auto& [n, in_row] : {std::pair{10, 1}, {200, 3}, {3000, 1}, {3000, 40}}) {  // special ones among so many
      std::vector<T> keys;
      for (int i = 0; i < n; ++i) {
        const std::uint32_t r = test::scramble(std::uint64_t(i));
        keys.push_back(r % unsigned(in_row) == 0 ? T(special[r / 64 % 10]) : T(float(int(r % 4001) - 2000)));
      }
      const int most_sampled = n / 8;
      for (int k : {1, most_sampled, n / 2, n - 3}) {
        test::for_all_orders([&](auto order) {
          test::check_top_k<counted_top_k>(keys, k, order);
          if (k <= most_sampled) test::check_top_k<sampled_top_k>(keys, k, order);
        });
      }
    }
  };
  check.operator()<float>();
  test::unless_sanitized([&](auto) {
    check.operator()<double>();
    check.operator()<__half>();
  });
}

TEST_CASE("Keys anywhere in memory", "[device][sanitizer]") {
  for (std::size_t bytes = 0; bytes < 20; ++bytes) {
    for (int n : {3, 17, 140, 1111}) {
      const auto keys = test::make_keys<unsigned char>(n, key_shape::random);
      test::check_top_k<counted_top_k>(keys, n / 3 + 1, largest, bytes);
      test::check_top_k<sampled_top_k>(keys, n / 20 + 1, smallest, bytes);
      if (bytes % 4 == 0) {
        test::check_top_k<sampled_top_k>(test::make_keys<float>(n, key_shape::random), 9, largest, bytes);
      }
    }
  }
}

TEST_CASE("Pairs, and inputs that are computed", "[device][sanitizer]") {
  for (int n : {5, 1000, 20000}) {
    const std::int64_t k = 40, taken = std::min<std::int64_t>(k, n);
    const auto keys = test::make_keys<short>(n, key_shape::random);
    const auto beside = test::make_values<test::point3>(n);
    const auto at = test::find_top_k(keys, 0, n, k, smallest);
    const auto room = std::size_t(taken);
    test::device_array<short> in(keys), keys_out(room);
    test::device_array<test::point3> values(beside), values_out(room);
    test::device_array<double> computed_out(room);
    test::device_array<std::int64_t> positions(room);
    CUDA_OK(
        gpuprim::top_k_pairs(in.data(), values.data(), n, k, keys_out.data(), values_out.data(), smallest.sorted()));
    CUDA_OK(gpuprim::top_k_positions(halves{n}, n, k, computed_out.data(), positions.data(), largest.sorted()));
    const auto got = values_out.download();
    const auto got_keys = keys_out.download();
    const auto got_halves = computed_out.download();
    const auto got_at = positions.download();
    for (std::size_t i = 0; i < room; ++i) {
      CHECK(got[i] == beside[std::size_t(at[i])]);
      CHECK(got_keys[i] == keys[std::size_t(at[i])]);
      CHECK(got_halves[i] == double(n - 1 - std::int64_t(i)) / 2);
      CHECK(got_at[i] * 7919 % n == n - 1 - std::int64_t(i));
    }
    in.check_unchanged();
    values.check_unchanged();
    keys_out.check_guards();
    values_out.check_guards();
  }
}

TEST_CASE("The k largest with the library's shapes", "[device]") {
  for (int n : {1000, 16384, 16385, 70001}) {
    const auto keys = test::make_keys<float>(n, key_shape::random);
    for (int k : {1, 1000, n / 2}) test::check_top_k<gpuprim::tuned_top_k_policy>(keys, k);
    for (int k : {2048, 2049}) test::check_top_k<gpuprim::tuned_top_k_policy>(keys, k, smallest.sorted());
  }
}

TEST_CASE("The k largest of many keys", "[device][not_asan]") {
  const auto keys = test::make_keys<float>((1 << 20) + 5, key_shape::random);
  test::check_top_k<gpuprim::tuned_top_k_policy>(keys, 16, largest, 4);
  test::check_top_k<gpuprim::tuned_top_k_policy>(keys, 5000, smallest);
}

TEST_CASE("More sorted results than a block sorts", "[device]") {
  for (auto shape : {key_shape::random, key_shape::few, key_shape::equal, key_shape::but_three}) {
    const auto keys = test::make_keys<float>(9001, shape);
    for (int k : {2049, 9001, 10000}) {
      test::check_top_k<gpuprim::tuned_top_k_policy>(keys, k, largest.sorted(), 4);
      test::check_top_k<sampled_top_k>(keys, k, smallest.sorted());
    }
  }
  test::check_top_k<counted_top_k>(test::make_keys<std::uint8_t>(3000, key_shape::random), 2500, smallest.sorted());
  test::check_top_k<counted_top_k>(test::make_keys<short>(40000, key_shape::random), 2500, largest.sorted());
  test::check_top_k<counted_top_k>(test::make_keys<std::int64_t>(3000, key_shape::few), 2999, largest.sorted());
}

TEST_CASE("Sorted results and their places take the whole workspace", "[device]") {
  constexpr int n = 3000, k = 2500;
  using launch = test::detail::top_k_launch<gpuprim::tuned_top_k_policy>;
  constexpr auto rows = test::detail::row_of(n);
  const auto size =
      test::detail::launch_top_k::find_workspace<launch, std::uint32_t, gpuprim::top_k_form::sorted>(rows, k);
  const test::device_array<unsigned> in(test::make_keys<unsigned>(n, key_shape::random));
  test::device_array<unsigned> out(k);
  test::device_array<std::int64_t> at(k);
  const unsigned* const from = in.data();
  for (const int missing : {1, 0}) {
    gpuprim::workspace workspace(gpuprim::workspace_size{size.zeroed_bytes, size.scratch_bytes - missing});
    const auto done = test::detail::top_k_of<gpuprim::tuned_top_k_policy>(
        from, rows, k, out.data(), largest.sorted(), test::detail::launch_top_k{{nullptr, &workspace}}, at.data());
    CHECK(done.report() == (missing > 0 ? cudaErrorInvalidValue : cudaSuccess));
  }
}

TEST_CASE("100,000 sorted results, with what lies beside them", "[device][not_asan]") {
  constexpr int n = 100000;
  const auto keys = test::make_keys<float>(n, key_shape::random);
  for (int k : {3000, n}) test::check_top_k<gpuprim::tuned_top_k_policy>(keys, k, largest.sorted());
  const auto short_keys = test::make_keys<short>(n, key_shape::random);
  const auto beside = test::make_values<test::point3>(n);
  const auto at = test::find_top_k(short_keys, 0, n, n, smallest);
  test::device_array<short> in(short_keys);
  test::device_array<float> keys_out(n);
  test::device_array<test::point3> values(beside), values_out(n);
  CUDA_OK(gpuprim::top_k_pairs(in.data(), values.data(), n, n, keys_out.data(), values_out.data(), smallest.sorted()));
  const auto got = values_out.download();
  const auto got_keys = keys_out.download();
  int wrong = 0;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    wrong += !(got[i] == beside[std::size_t(at[i])]) || got_keys[i] != float(short_keys[std::size_t(at[i])]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("A top-k in a graph that is launched again", "[device]") {
  constexpr int n = 5000;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  for (const int mode : {0, 1, 2, 3}) {
    const bool has_workspace = mode % 2 == 0;
    const std::size_t k = mode / 2 == 0 ? 70 : 3000;
    test::device_array<unsigned> in(n), out(k);
    gpuprim::workspace workspace(gpuprim::top_k_workspace_size<unsigned>(n, std::int64_t(k), largest.sorted()));
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_OK(gpuprim::top_k(in.data(), n, std::int64_t(k), out.data(), largest.sorted(),
                           {stream, has_workspace ? &workspace : nullptr}));
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
    for (auto shape : {key_shape::random, key_shape::equal, key_shape::rising}) {
      auto keys = test::make_keys<unsigned>(n, shape);
      in.upload(keys);
      CUDA_OK(cudaGraphLaunch(executable, stream));
      CUDA_OK(cudaStreamSynchronize(stream));
      test::sort_by_sign(keys, largest);
      keys.resize(k);
      CHECK(out.download() == keys);
    }
    test::check_zero(workspace);
    CUDA_OK(cudaGraphExecDestroy(executable));
    CUDA_OK(cudaGraphDestroy(graph));
  }
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("A top-k refuses bad arguments and leaves its outputs alone", "[device]") {
  constexpr std::int64_t n = 20000;
  test::device_array<float> in(test::make_keys<float>(n, key_shape::random)), out(4000);
  test::device_array<int> positions(10);
  float* const from = in.data();
  float* const to = out.data();
  const auto refuses = [](cudaError_t e, const char* fault) {
    CAPTURE(fault, gpuprim::last_fault());
    CHECK(e == cudaErrorInvalidValue);
    CHECK(std::string(gpuprim::last_fault()).find(fault) != std::string::npos);
  };
  refuses(gpuprim::top_k(from, n, -1, to), "k is negative");
  refuses(gpuprim::top_k(from, -1, 1, to), "the count is negative");
  refuses(gpuprim::top_k(from, std::int64_t{1} << 62, 1, to), "too large");
  refuses(gpuprim::top_k(static_cast<float*>(nullptr), n, 1, to), "null pointer");
  refuses(gpuprim::top_k(from, n, 1, static_cast<float*>(nullptr)), "null pointer");
  refuses(gpuprim::top_k(from, n, 1, from + 5), "overlaps");
  refuses(gpuprim::top_k_pairs(from, to, 4000, 1, from + 9000, to), "overlaps");
  refuses(gpuprim::top_k_pairs(from, from + 9000, 9000, 1, to, from), "overlaps");
  refuses(gpuprim::top_k_positions(from, n, 10, to, static_cast<int*>(nullptr)), "null pointer");
  refuses(gpuprim::top_k_positions(from, n, 10, to, reinterpret_cast<int*>(from)), "overlaps");
  refuses(gpuprim::top_k_positions(from, n, 10, to, reinterpret_cast<int*>(to) + 9), "the outputs overlap each other");
  refuses(gpuprim::top_k_pairs(from, from, n, 10, to, to), "the outputs overlap each other");
  constexpr std::int64_t most = std::int64_t{1} << 32;
  refuses(gpuprim::top_k(halves{most}, most, most, test::device_array<double>(1).data(), largest.sorted()), "2^32");
  refuses(gpuprim::top_k(reinterpret_cast<float*>(reinterpret_cast<char*>(from) + 1), 9, 1, to), "aligned");
  const test::device_array<double> wide(test::make_keys<double>(n, key_shape::random));  // which no cluster takes
  test::device_array<double> wide_out(10);
  gpuprim::workspace none, zeroed(gpuprim::top_k_workspace_size<double>(n, 10).zeroed_bytes);
  const auto call = [&](auto how) { return gpuprim::top_k(wide.data(), n, 10, wide_out.data(), how); };
  refuses(call(gpuprim::options{.workspace = &none}), "workspace is too small");
  refuses(call(gpuprim::options{.workspace = &zeroed}), "workspace is too small");
  wide_out.check_untouched();
  out.check_untouched();
  CUDA_OK(gpuprim::top_k(static_cast<float*>(nullptr), 0, 5, static_cast<float*>(nullptr)));
  CUDA_OK(gpuprim::top_k(static_cast<float*>(nullptr), n, 0, static_cast<float*>(nullptr)));
  CUDA_OK(gpuprim::top_k(from, 3, std::int64_t{1} << 62, to));
  CHECK(gpuprim::top_k_plan(from, n, 10, to).grid_size >= 1);
}

#if defined(SIMT_DEVICE)
TEST_CASE("The k largest under 1,000 schedules at 1 to 7 resident blocks", "[device][not_asan]") {
  test::under_many_schedules([](unsigned seed) {
    const auto keys = test::make_keys<int>(600 + seed % 77, seed % 3 == 0 ? key_shape::few : key_shape::random);
    const auto check = [&](auto order) {
      if (seed % 2 == 0) test::check_top_k<sampled_top_k>(keys, 1 + seed % 40, order);
      else test::check_top_k<counted_top_k>(keys, 1 + seed % 200, order);
    };
    if (seed % 5 == 0) check(largest.sorted());
    else check(smallest);
  });
}
#endif
