// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/transform_check.cuh"

namespace {

/// Elements of Bytes bytes that are aligned as `Word` is.
template <class Word, int Count>
struct words {
  Word parts[Count];
};

struct places {
  std::size_t in = 0, out = 0;             ///< bytes past a boundary of 256
  std::int64_t more_in = 0, more_out = 0;  ///< elements between rows
};

template <class T>
void check_transpose(std::int64_t rows, std::int64_t columns, places at = {}) {
  CAPTURE(sizeof(T), rows, columns, at.in, at.out, at.more_in, at.more_out);
  const gpuprim::row_strides strides{columns + at.more_in, rows + at.more_out};
  const auto in_count = std::size_t((rows - 1) * strides.in + columns);
  const auto out_count = std::size_t((columns - 1) * strides.out + rows);
  std::vector<T> values(in_count), want(out_count);
  for (std::size_t i = 0; i < in_count * sizeof(T); ++i) {
    reinterpret_cast<unsigned char*>(values.data())[i] = static_cast<unsigned char>(test::scramble(i));
  }
  std::memset(static_cast<void*>(want.data()), test::guarded_bytes::poison, out_count * sizeof(T));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      want[std::size_t(column * strides.out + row)] = values[std::size_t(row * strides.in + column)];
    }
  }
  test::device_array<T> in(values, at.in), out(out_count, at.out);
  CUDA_OK(gpuprim::transpose(in.data(), rows, columns, out.data(), strides));
  CHECK(test::same_bytes(out.download(), want));
  out.check_guards();
  in.check_unchanged();
  if (rows == columns && at.more_in == at.more_out) {
    std::vector<T> in_place = values;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        in_place[std::size_t(column * strides.in + row)] = values[std::size_t(row * strides.in + column)];
      }
    }
    CUDA_OK(gpuprim::transpose(in.data(), rows, columns, in.data(), strides));
    CHECK(test::same_bytes(in.download(), in_place));
    in.check_guards();
  }
}

}  // namespace

TEST_CASE("Transpositions of elements of 1 to 16 bytes", "[device][sanitizer]") {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 77}, {77, 1}, {33, 130}, {64, 128}, {131, 131}}) {
    check_transpose<unsigned char>(rows, columns);
    check_transpose<int>(rows, columns, {4, 8});
    check_transpose<test::point3>(rows, columns, {4, 0});
    test::unless_sanitized([&, r = rows, c = columns](auto) {
      check_transpose<short>(r, c, {2, 6});
      check_transpose<double>(r, c, {8, 0});
      check_transpose<test::triple<unsigned char>>(r, c, {1, 2});
      check_transpose<test::affine>(r, c, {4, 4});
      check_transpose<test::affine_pair>(r, c, {4, 4});
      check_transpose<uint4>(r, c);
      check_transpose<test::matrix2>(r, c);
      check_transpose<words<std::uint32_t, 5>>(r, c);
      check_transpose<words<std::uint64_t, 25>>(r, c);
    });
  }
}

TEST_CASE("Transpositions in words", "[device][sanitizer]") {
  for (const auto& [rows, columns] : {std::pair{16, 16}, {160, 48}, {272, 144}, {144, 144}}) {
    check_transpose<unsigned char>(rows, columns);
    check_transpose<unsigned char>(rows + 4, columns + 4, {4, 8});
    check_transpose<short>(rows, columns, {16, 0});
    check_transpose<short>(rows + 2, columns + 2);
    check_transpose<float>(rows, columns);
    check_transpose<double>(rows, columns);
  }
}

TEST_CASE("Transpositions of short elements in rows that begin anywhere", "[device][sanitizer]") {
  for (const auto& [rows, columns] : {std::pair{1, 700}, {700, 1}, {16, 31}, {31, 16}, {257, 255}, {481, 270}}) {
    check_transpose<unsigned char>(rows, columns);
    check_transpose<short>(rows, columns);
  }
  for (const std::size_t past : {1, 15, 17, 31}) {
    check_transpose<unsigned char>(261, 262, {past, 32 - past, 3, 9});
    check_transpose<short>(133, 134, {2 * past, 64 - 2 * past, 1, 7});
  }
}

TEST_CASE("Transpositions whose tiles share sectors", "[device][sanitizer]") {
  for (const std::int64_t more : {0, 1, 2, 3, 4, 5, 6, 7}) {
    check_transpose<float>(261, 70, {0, 0, 1, more});
    check_transpose<double>(133, 37, {8, 8, 0, more});
    check_transpose<test::point3>(131, 35, {4, 8, 0, more});
    check_transpose<uint4>(67, 33, {0, 16, 0, more});
  }
  check_transpose<float>(132, 68);
  check_transpose<double>(66, 66, {0, 16});
  check_transpose<short>(264, 136);
  check_transpose<unsigned char>(272, 144);
}

TEST_CASE("Transpositions with strides and in place", "[device][sanitizer]") {
  check_transpose<int>(70, 90, {0, 0, 3, 5});
  check_transpose<int>(68, 92, {0, 0, 4, 12});
  check_transpose<int>(200, 200, {0, 0, 8, 8});
  check_transpose<int>(201, 201, {4, 0, 1, 1});
  check_transpose<unsigned char>(150, 150, {1, 0, 7, 7});
  check_transpose<unsigned char>(300, 300, {1, 0, 1, 1});
  check_transpose<unsigned char>(160, 160, {0, 0, 16, 16});
}

TEST_CASE("Transpositions of thin matrices", "[device][sanitizer]") {
  const auto check_both = []<class T>(std::type_identity<T>, std::int64_t width, std::int64_t count, places at) {
    check_transpose<T>(count, width, at);
    check_transpose<T>(width, count, {at.out, at.in, at.more_out, 0});
  };
  const auto check_all = [&]<class T>(std::type_identity<T> type) {
    constexpr std::size_t word = alignof(T);
    for (const std::int64_t width : {1, 2, 3, 8, 17, 32}) {
      for (const std::int64_t count : {2, 33, 300}) {
        check_both(type, width, count, {});
        check_both(type, width, count, {word, 3 * word, 0, 1});
        check_both(type, width, count, {3 * word, 0, 0, 64 - count % 32});
      }
    }
    check_both(type, 3, 6001, {word, word, 0, 2});
    check_both(type, 5, 16000, {});
  };
  check_all(std::type_identity<unsigned char>{});
  check_all(std::type_identity<float>{});
  test::unless_sanitized([&](auto) {
    check_all(std::type_identity<short>{});
    check_all(std::type_identity<double>{});
    check_all(std::type_identity<test::point3>{});
    check_all(std::type_identity<uint4>{});
    check_all(std::type_identity<test::triple<unsigned char>>{});
    check_all(std::type_identity<words<unsigned char, 8>>{});
    check_all(std::type_identity<test::matrix2>{});
    check_all(std::type_identity<words<std::uint64_t, 25>>{});
  });
}

TEST_CASE("Transpositions over more bands than one", "[device]") {
  check_transpose<float>(64 * 9 + 4, 64 * 10);
  check_transpose<float>(64 * 17 + 1, 64 * 2 + 3);
}

TEST_CASE("Transpositions under ThreadSanitizer", "[device][tsan]") {
  check_transpose<int>(70, 70);
  check_transpose<int>(68, 68);
  check_transpose<short>(67, 67);
  check_transpose<short>(5, 1001);
  check_transpose<short>(1001, 5, {2, 2});
}

TEST_CASE("Transpositions refuse bad input", "[device]") {
  test::device_array<int> a(test::make_values<int>(100)), b(100);
  int* const null = nullptr;
  const auto go = [](const int* in, std::int64_t rows, std::int64_t columns, int* out) {
    return gpuprim::transpose(in, rows, columns, out);
  };
  CHECK(go(null, 5, 5, b.data()) == cudaErrorInvalidValue);
  CHECK(go(a.data(), 5, 5, null) == cudaErrorInvalidValue);
  CHECK(go(a.data(), -5, 5, b.data()) == cudaErrorInvalidValue);
  CHECK(go(a.data(), INT64_MAX / 8, 9, b.data()) == cudaErrorInvalidValue);
  CHECK(go(a.data(), 5, 6, a.data()) == cudaErrorInvalidValue);
  CHECK(std::string(gpuprim::last_fault()) == "the output overlaps the input, and is not the same square matrix");
  CHECK(go(a.data(), 5, 5, a.data() + 5) == cudaErrorInvalidValue);
  CHECK(gpuprim::transpose(a.data(), 5, 6, b.data(), gpuprim::row_strides{5, 5}) == cudaErrorInvalidValue);
  CHECK(gpuprim::transpose(a.data(), 5, 5, a.data(), gpuprim::row_strides{5, 6}) == cudaErrorInvalidValue);
  CHECK(go(null, 0, 5, null) == cudaSuccess);
  a.check_unchanged();
  b.check_untouched();
}
