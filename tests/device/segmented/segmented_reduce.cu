// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/segmented_check.cuh"

#include <numeric>

namespace {

using kernel = test::offsets_kernel;

/// Joins spans that follow each other; `nothing` is its unit, so that any segment may start from it.
struct chain_from_nothing {
  static constexpr test::span_of_positions nothing() { return {-1, -2}; }
  GPUPRIM_HOST_DEVICE test::span_of_positions operator()(const test::span_of_positions& a,
                                                         const test::span_of_positions& b) const {
    if (a.first == -1) return b;
    return b.first == -1 ? a : test::chain{}(a, b);
  }
};

template <class In, class Segments>
__global__ void choose(In in, Segments segments, gpuprim::detail::segment_choice* found) {
  using namespace gpuprim::detail;
  constexpr int block_size = gpuprim::segmented_policy::block_size;
  const bounded_input<In> input{in, segments.first(), segments.last()};
  const segment_choice own = choose_takers<block_size, int>(input, segments);
  if (blockIdx.x == 0 && threadIdx.x == 0) *found = own;
}

/// Who takes segments of elements of type T in a grid of so many blocks.
template <class T>
gpuprim::detail::segment_choice choice_of(const std::vector<int>& lengths, int blocks) {
  using namespace gpuprim::detail;
  const auto offsets = test::make_offsets<int>(lengths);
  test::device_array<int> where(offsets);
  test::device_array<T> input(std::size_t(offsets.back()));  // of which blocks may ask for lines
  test::device_array<segment_choice> found(1);
  const offset_segments<const int*> segments{where.data(), std::int64_t(lengths.size())};
  CUDA_OK(gpuprim::launch(&choose<const T*, offset_segments<const int*>>, blocks,
                          gpuprim::segmented_policy::block_size, nullptr, static_cast<const T*>(input.data()), segments,
                          found.data()));
  return found.download()[0];
}
template <class T>
gpuprim::detail::segment_taker taker_of(const std::vector<int>& lengths, int blocks) {
  return choice_of<T>(lengths, blocks).taker;
}

__global__ void take_all_as_streams(const unsigned char* in, gpuprim::detail::offset_segments<const int*> segments,
                                    gpuprim::detail::put_segment<unsigned, unsigned*, gpuprim::plus<>> put,
                                    unsigned* drawn) {
  using namespace gpuprim::detail;
  const bounded_input<const unsigned char*> input{in, segments.first(), segments.last()};
  take_streams<gpuprim::segmented_policy::block_size>(input, segments, put, drawn);
}

/// How many cuts the first of the two launches for many segments lists for the second.
unsigned count_cuts(const std::vector<int>& lengths, int blocks) {
  using namespace gpuprim::detail;
  using segments_type = offset_segments<const int*>;
  using kernels = turns_kernels<float, const float*, segments_type, float*, gpuprim::plus<>>;
  const auto offsets = test::make_offsets<int>(lengths);
  test::device_array<int> where(offsets);
  test::device_array<float> input(test::make_values<float>(offsets.back())), output(lengths.size());
  const float* const in = input.data();
  gpuprim::workspace workspace(turns_state<float>::bytes());
  const auto state = turns_state<float>::lay_over(workspace.data());
  const found_shape found = find_shape<kernels::turns>(blocks, kernels::block_size);
  CUDA_OK(found.error);
  CUDA_OK(gpuprim::launch(found.when, kernels::turns, found.grid, nullptr, in,
                          segments_type{where.data(), std::int64_t(lengths.size())},
                          put_segment<float, float*, gpuprim::plus<>>{output.data(), {}, 0.0f}, state));
  unsigned listed = 0;
  CUDA_OK(cudaMemcpy(&listed, state.listed, sizeof listed, cudaMemcpyDeviceToHost));
  return listed;
}

}  // namespace

TEST_CASE("segmented_reduce over every mix of lengths", "[device][sanitizer][few_schedules][slow]") {
  for (const auto& lengths : test::length_mixes()) test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f);
}

TEST_CASE("segmented_reduce keeps the order", "[device][few_schedules]") {
  for (const auto& lengths : test::length_mixes()) {
    test::check_long_lists<std::uint64_t, test::affine>(lengths, test::then{}, test::affine{1, 0});
  }
  test::check_offsets<kernel::shares, unsigned, test::span_of_positions>(
      {700, 0, 1, 40, 3000}, chain_from_nothing{}, chain_from_nothing::nothing());
}

TEST_CASE("segmented_reduce writes each result that it holds back", "[device][sanitizer][few_schedules]") {
  std::vector<int> lengths, blocks_lengths(40, 3);
  for (int i = 0; i < 1500; ++i) lengths.push_back(i / 100 % 5 == 3 ? i % 2 : 10 + i % 29);  // tiles of few and of many
  for (int first : {0, 3}) {
    test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f, first, 1);
    test::check_long_lists<std::uint64_t, test::affine>(lengths, test::then{}, test::affine{1, 0}, first, 1);
  }
  blocks_lengths[37] = 41 * 8192;  // long on average: whole blocks
  test::check_segments<int, float>(blocks_lengths, gpuprim::plus{}, 3.0f);
  test::check_offsets<kernel::shares, int, unsigned char>(blocks_lengths, gpuprim::plus{}, 3u);
  test::check_offsets<kernel::few, int, unsigned char>(blocks_lengths, gpuprim::plus{}, 3u);
}

TEST_CASE("segmented_reduce of few segments: all at once, by blocks, in parts",
          "[device][sanitizer][few_schedules]") {
  const auto check = [](const std::vector<int>& lengths, int blocks) {
    test::check_offsets<kernel::few, int, float>(lengths, gpuprim::plus{}, 3.0f, 4, 2, blocks);
  };
  // All warps of a block for each, some, or one; of each as many as have some loads.
  for (int segments : {4, 13, 31, 32, 33}) {
    std::vector<int> lengths(std::size_t(segments), 700);
    lengths[1] = 0;
    lengths[2] = 16000;
    lengths[3] = 513;
    check(lengths, 4);
  }
  std::vector<int> many(2000, 2);
  for (int i = 0; i < 2000; i += 7) many[std::size_t(i)] = i % 5 * 3;
  check(many, 3);
  many[1500] = 3500;
  check(many, 3);
  many[1200] = 20000;  // in many units of loads
  check(many, 3);
  many[1990] = 33000;  // longer than is taken at once, and not looked at with the first
  check(many, 3);
  std::vector<int> alike(13, 33000);  // for blocks, but those of up to 32768
  for (int i : {0, 4, 5, 12}) alike[std::size_t(i)] = i * 11;
  check(alike, 1);
  check(alike, 2);
  many.resize(400);
  many[17] = 60000;  // long beside what each block has to read
  many[18] = 30000;
  check(many, 8);
  check({0, 140000, 0, 0, 17000}, 4);
  check({5, 100000, 3}, 8);  // a part for each block
  check({100000, 5, 40000}, 4);  // at once, for blocks have one each
  check({132000, 5, 40000}, 4);  // but that is too long
  // Parts of long lists: more of them, for they do not come out even; as few, where they do; so many that a block joins
  // them.
  test::check_offsets<kernel::few, int, float>({140000, 5, 140000, 1, 60000}, gpuprim::plus{}, 3.0f, 4, 2, 2);
  test::check_offsets<kernel::few, int, float>({140000, 140000, 140000, 140000}, gpuprim::plus{}, 3.0f, 4, 2, 2);
  test::check_offsets<kernel::few, std::int64_t, double>({5, 1060000, 3}, gpuprim::plus{}, 1.0, 0, 1, 70);
}

TEST_CASE("segmented_reduce of short lists: a bundle for each warp", "[device][sanitizer][few_schedules]") {
  const int count = gpuprim::segmented_policy::few_segments + 52;
  for (int values : {1, 6, 90}) {
    std::vector<int> lengths(std::size_t(count), values);
    for (int i = 0; i < count; i += 3) lengths[std::size_t(i)] = i % 11 * values / 4;
    for (int blocks : {17, 40}) {  // bundles of 31 and of 14
      test::check_offsets<kernel::chosen, int, float>(lengths, gpuprim::plus{}, 3.0f, 4, 3, blocks);
    }
    test::check_offsets<kernel::chosen, std::int64_t, double>(lengths, gpuprim::plus{}, 3.0, 8, 0, 33);
    test::check_offsets<kernel::chosen, int, unsigned char>(lengths, gpuprim::plus{}, 3u, 1, 0, 20);
    const test::triple<unsigned> zero{};
    test::check_offsets<kernel::chosen, int, test::triple<unsigned>>(lengths, test::add_triples{}, zero, 0, 0, 20);
  }
  std::vector<int> lengths(std::size_t(count), 30);
  for (int values : {500, 2500}) {  // for lanes in some rounds, and for whole blocks; no sample shows them
    for (int at : {9, 1203}) {
      std::fill_n(lengths.begin() + at, 15, 0);
      lengths[std::size_t(at + 7)] = values;
    }
    for (int blocks : {17, 40}) {
      test::check_offsets<kernel::chosen, int, float>(lengths, gpuprim::plus{}, 3.0f, 0, 0, blocks);
    }
  }
  std::vector<int> stretches(std::size_t(count), 1);  // the more long ones a warp sees, the longer they may be
  std::fill_n(stretches.begin() + 300, 40, 70);
  std::fill_n(stretches.begin() + 1000, 20, 300);
  stretches[1010] = 6000;
  for (int blocks : {17, 40}) {
    test::check_offsets<kernel::chosen, int, float>(stretches, gpuprim::plus{}, 3.0f, 4, 1, blocks);
  }
  lengths[1203] = 5000;  // and one that a sample shows
  test::check_offsets<kernel::chosen, int, float>(lengths, gpuprim::plus{}, 3.0f, 0, 0, 40);
}

TEST_CASE("bundles are as large as fill a warp, unless samples show what takes its lanes long",
          "[device][few_schedules]") {
  using gpuprim::detail::segment_taker;
  const int blocks = 200, warps = 4 * blocks, count = gpuprim::segmented_policy::few_segments + 52;
  std::vector<int> lengths(std::size_t(count), 1);
  const std::size_t sample = 5 * std::size_t((count - 1) / 128 + 1);
  const auto even = choice_of<float>(lengths, blocks);
  CHECK(even.taker == segment_taker::bundle);
  CHECK(even.bundle.size * even.bundle.lanes == 32);
  CHECK(even.bundle.size > count / warps + 1);
  lengths[sample] = gpuprim::segmented_policy::most_lane_rounds * even.bundle.lanes * 16;
  CHECK(choice_of<float>(lengths, blocks).bundle.size == even.bundle.size);
  ++lengths[sample];
  const auto uneven = choice_of<float>(lengths, blocks);
  CHECK(uneven.taker == segment_taker::bundle);
  CHECK(uneven.bundle.size == count / warps + 1);
  CHECK(uneven.bundle.lanes == 8);
  CHECK(uneven.bundle.full_blocks >= blocks);
  lengths[sample] = 20000;
  CHECK(taker_of<float>(lengths, blocks) == segment_taker::share);
  // Long on average: warps take them, but if one is much longer, blocks do.
  lengths.assign(std::size_t(count), 1300);
  const auto long_ones = choice_of<float>(lengths, blocks);
  CHECK(long_ones.taker == segment_taker::bundle);
  const int left = count - (long_ones.bundle.size - 1) * warps;  // when each warp has one less
  CHECK(long_ones.bundle.full_blocks == (left + 3) / 4);
  lengths[sample] = 3999;
  CHECK(taker_of<float>(lengths, blocks) == segment_taker::bundle);
  lengths[sample] = 4000;
  CHECK(taker_of<float>(lengths, blocks) == segment_taker::alike_block);
  lengths[sample] = 40000;
  CHECK(taker_of<float>(lengths, blocks) == segment_taker::share);
  lengths.assign(std::size_t(count), 1200);
  lengths[sample] = 4000;
  CHECK(taker_of<float>(lengths, blocks) == segment_taker::bundle);
}

TEST_CASE("bundles of several rounds are dealt out evenly", "[device][few_schedules]") {
  constexpr int blocks = 10, warps = 4;
  const auto count_all = [](const gpuprim::detail::segment_bundle& bundle) {
    int all = 0;
    for (int block = 0; block < blocks; ++block) all += warps * (bundle.size - (block >= bundle.full_blocks));
    return all;
  };
  for (int count : {1, 39, 40, 41, 43, 79, 80, 81, 120, 121}) {
    CAPTURE(count);
    const int size = (count - 1) / (blocks * warps) + 1;
    gpuprim::detail::segment_bundle even{size, 32, 0}, full{size, 32 / size, 0};
    even.deal_out(count, blocks, 32 * warps);
    full.deal_out(count, blocks, 32 * warps);
    CHECK(count_all(full) == size * blocks * warps);
    CHECK(count_all(even) >= count);
    CHECK((size == 1 || count_all(even) - count < warps));
  }
}

TEST_CASE("segmented_reduce of long segments: blocks draw them, shorter ones if alike",
          "[device][sanitizer][few_schedules]") {
  using gpuprim::detail::segment_taker;
  for (int values : {4000, 11000}) {
    std::vector<int> lengths(23, values);
    lengths[3] = 0;
    lengths[22] = 2 * values;
    const bool are_long = 4 * values > gpuprim::segmented_policy::least_uneven_bytes;
    for (int blocks : {1, 2, 3}) {
      test::check_offsets<kernel::shares, int, float>(lengths, gpuprim::plus{}, 3.0f, 4, 0, blocks);
      test::check_offsets<kernel::shares, std::int64_t, double>(lengths, gpuprim::plus{}, 3.0, 8, 0, blocks);
      CHECK(taker_of<float>(lengths, blocks) == (are_long ? segment_taker::long_block : segment_taker::alike_block));
    }
    lengths[5] = 8 * values;  // not alike
    CHECK(taker_of<float>(lengths, 2) == (are_long ? segment_taker::long_block : segment_taker::share));
    test::check_offsets<kernel::shares, int, float>(lengths, gpuprim::plus{}, 3.0f, 0, 0, 2);
  }
  // So many, and so even, that blocks draw two at once; the last has no neighbour.
  for (int blocks : {1, 3}) {
    std::vector<int> even(std::size_t(32 * blocks + 3), 3600);
    CHECK(taker_of<float>(even, blocks) == segment_taker::even_block);
    test::check_offsets<kernel::shares, int, float>(even, gpuprim::plus{}, 3.0f, 4, 1, blocks);
    even[5] = 8400;
    CHECK(taker_of<float>(even, blocks) == segment_taker::alike_block);
    even.assign(std::size_t(32 * blocks), 3600);
    CHECK(taker_of<float>(even, blocks) == segment_taker::alike_block);
  }
  // So many that blocks draw from several counters, and from one in the end.
  test::check_offsets<kernel::shares, int, float>(std::vector<int>(90, 3600), gpuprim::plus{}, 3.0f, 0, 0, 5);
  std::vector<int> lengths(23, 15000);  // of bytes
  lengths[7] = 0;
  CHECK(taker_of<unsigned char>(lengths, 2) == segment_taker::alike_block);
  test::check_offsets<kernel::shares, int, unsigned char>(lengths, gpuprim::plus{}, 3u, 1, 3, 2);
}

TEST_CASE("segmented_reduce of many segments that are alike: streams of them",
          "[device][sanitizer][few_schedules]") {
  using gpuprim::detail::segment_taker;
  const auto ragged = [](int segments, int values) {  // so long on average, some of them empty
    std::vector<int> lengths;
    for (int i = 0; i < segments; ++i) lengths.push_back(int(test::scramble(std::uint64_t(i)) % unsigned(2 * values)));
    for (int i = 3; i < segments; i += 40) lengths[std::size_t(i)] = 0;
    lengths.back() = lengths.back() | 1;
    return lengths;
  };
  int shift = 0;
  const auto check = [&](const std::vector<int>& lengths, int blocks) {
    CHECK(taker_of<float>(lengths, blocks) == segment_taker::stream);
    ++shift;  // the input, and the first segment
    test::check_offsets<kernel::shares, int, float>(lengths, gpuprim::plus{}, 3.0f, std::size_t(shift % 4 * 4),
                                                    shift / 4 % 4, blocks);
  };
  for (int values : {160, 256, 701, 1700}) {
    const int segments = 40000 / values;
    for (int last : {0, 1, 2}) {
      check(std::vector<int>(std::size_t(segments + last), values), 1);
      check(ragged((last % 2 + 1) * segments + last, values), last % 2 + 1);
    }
    const auto lengths = ragged(2 * segments, values);
    CHECK(taker_of<std::uint64_t>(lengths, 2) == segment_taker::stream);
    test::check_offsets<kernel::shares, std::int64_t, double>(lengths, gpuprim::plus{}, 3.0, 8, 1, 2);
    test::check_offsets<kernel::shares, int, unsigned>(lengths, gpuprim::maximum{}, 3u, 4, 2, 2);
  }
  CHECK(taker_of<std::uint64_t>(std::vector<int>(50, 1800), 2) == segment_taker::alike_block);
  // Too few for streams to come out even, of which some parts have more than others.
  std::vector<int> parts(600, 2000);
  CHECK(taker_of<float>(parts, 2) == segment_taker::stream);
  for (int i = 0; i < 600; ++i) parts[std::size_t(i)] = i / 20 % 2 * 4000;
  CHECK(taker_of<float>(parts, 2) == segment_taker::alike_block);
  for (int i = 0; i < 600; ++i) parts[std::size_t(i)] = i / 20 % 2 * 3000;
  CHECK(taker_of<float>(parts, 2) == segment_taker::stream);
  check(ragged(121, 1100), 1);  // so many chunks that the last ones are small
  // Edges within one load, which lanes read by themselves; segments of no values at both.
  std::vector<int> edges = ragged(300, 400);
  for (std::size_t i : {0, 2, 3, 5}) edges[i] = edges[299 - i] = 1;
  for (std::size_t i : {1, 4}) edges[i] = edges[299 - i] = 0;
  CHECK(taker_of<float>(edges, 2) == segment_taker::stream);
  for (int first = 0; first < 4; ++first) {
    test::check_offsets<kernel::shares, int, float>(edges, gpuprim::plus{}, 3.0f, 4, first, 2);
  }
  // Not alike: one of them, and parts.
  std::vector<int> unlike(600, 256);
  unlike[300] = 6000;
  CHECK(taker_of<float>(unlike, 2) == segment_taker::share);
  test::check_offsets<kernel::shares, int, float>(unlike, gpuprim::plus{}, 3.0f, 0, 0, 2);
}

TEST_CASE("streams that are too long are for the whole block", "[device][sanitizer][few_schedules]") {
  using namespace gpuprim::detail;
  std::vector<int> lengths(256, 550);
  std::fill_n(lengths.begin() + 128, 32, 4400);  // one stream, of which samples of so short a list would tell
  lengths[140] = 0;
  const auto offsets = test::make_offsets<int>(lengths);
  REQUIRE(offsets[160] - offsets[128] > gpuprim::segmented_policy::most_stream_values);
  const auto values = test::make_values<unsigned char>(offsets.back());
  test::device_array<unsigned char> input(values);
  test::device_array<int> where(offsets);
  test::device_array<unsigned> output(lengths.size()), drawn(std::vector<unsigned>(1, 0));
  CUDA_OK(gpuprim::launch(&take_all_as_streams, 1, gpuprim::segmented_policy::block_size, nullptr, input.data(),
                          offset_segments<const int*>{where.data(), std::int64_t(lengths.size())},
                          put_segment<unsigned, unsigned*, gpuprim::plus<>>{output.data(), {}, 3u}, drawn.data()));
  const auto got = output.download();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    CAPTURE(i);
    CHECK(got[i] == std::accumulate(values.begin() + offsets[i], values.begin() + offsets[i + 1], 3u));
  }
  CHECK(drawn.download()[0] == 0);
}

TEST_CASE("segmented_reduce by equal numbers of segments cuts what is long",
          "[device][sanitizer][few_schedules]") {
  // One in the middle, two of which nothing lies between, the last; of many segments and of few.
  std::vector<int> many(3000), few(20, 9);
  for (int i = 0; i < 3000; ++i) many[std::size_t(i)] = i % 9;
  for (int at : {1500, 2999}) many[std::size_t(at)] = 30000;
  for (int at : {3, 4, 19}) few[std::size_t(at)] = 70000;
  CHECK(count_cuts(std::vector<int>(3000, 9), 2) == 0);
  for (const auto& lengths : {many, few}) {
    CHECK(count_cuts(lengths, 2) > 2);
    test::check_segments<int, float>(lengths, gpuprim::plus{}, 3.0f, 0, 2);
    test::check_long_lists<std::uint64_t, test::affine>(lengths, test::then{}, test::affine{1, 0}, 0, 2);
  }
}

TEST_CASE("segmented_reduce of a few segments by offsets", "[device][tsan][few_schedules]") {
  test::check_segments<int, float>({3, 0, 700, 1500, 2}, gpuprim::plus{}, 1.0f, 7);
  test::check_long_lists<std::uint64_t, test::affine>({1400, 0, 0, 5}, test::then{}, test::affine{1, 0});
  std::vector<int> cut(20, 9);
  cut[7] = 20000;
  CHECK(count_cuts(cut, 2) > 1);
  test::check_offsets<kernel::turns, int, float>(cut, gpuprim::plus{}, 1.0f, 0, 0, 2);
  const std::vector<int> alike(90, 200);
  CHECK(taker_of<float>(alike, 1) == gpuprim::detail::segment_taker::stream);
  test::check_offsets<kernel::shares, int, float>(alike, gpuprim::plus{}, 1.0f, 0, 1, 1);
  const std::vector<int> whole(7, 3600);
  CHECK(taker_of<float>(whole, 2) == gpuprim::detail::segment_taker::alike_block);
  test::check_offsets<kernel::shares, int, float>(whole, gpuprim::plus{}, 1.0f, 0, 1, 2);
}
