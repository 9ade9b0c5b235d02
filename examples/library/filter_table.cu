// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A query of a table that is stored in columns: which customers have bought for 50 or more between two days and have
// paid? An iterator makes rows of the columns that the condition needs. The positions of the rows that fulfil it are
// selected; with them any other column is gathered, of which nothing else is read. The table is ordered by customer, so
// that equal customers are neighbours among those that are left, and unique keeps one of each.
// Source: Abadi, Boncz and Harizopoulos, "The design and implementation of modern column-oriented database systems",
// 2013 (late materialization).
#include <gpuprim/select.cuh>
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <vector>

// [rows]
/// What the condition needs of a purchase.
struct purchase {
  int cents, day;
  bool is_paid;
};

/// Element i is row i of the columns.
struct purchases {
  using value_type = purchase;
  using reference = purchase;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;

  const int *cents, *days;
  const unsigned char* paid;

  __host__ __device__ purchase operator[](std::int64_t i) const { return {cents[i], days[i], paid[i] != 0}; }
};

struct is_wanted {
  int least_cents, first_day, last_day;
  __host__ __device__ bool operator()(const purchase& p) const {
    return p.is_paid && p.cents >= least_cents && first_day <= p.day && p.day <= last_day;
  }
};
// [rows]

int main(int count, char** arguments) {
  using measure::check;
  const int n = measure::size_to_run(count, arguments, 50000);
  std::vector<int> customers, cents, days;
  std::vector<unsigned char> paid;
  for (int i = 0; i < n; ++i) {
    const unsigned random = unsigned(i) * 2654435761u;
    customers.push_back(i / 7);
    cents.push_back(int(random >> 19));
    days.push_back(int(random >> 8) % 365);
    paid.push_back(random >> 5 & 1);
  }
  const measure::device_array<int> all_customers(customers), all_cents(cents), all_days(days);
  const measure::device_array<unsigned char> all_paid(paid);
  const measure::device_array<int> row_numbers(customers.size()), buyers(customers.size());
  int *const rows = row_numbers.data(), *const buyer = buyers.data();
  const is_wanted wanted{5000, 100, 200};

  // [filter]
  const purchases table{all_cents.data(), all_days.data(), all_paid.data()};
  const std::int64_t found = gpuprim::select_indices_count(table, n, rows, wanted);
  check(gpuprim::gather(all_customers.data(), rows, found, buyer));
  const std::int64_t different = gpuprim::unique_count(buyer, found, buyer);  // in place
  // [filter]

  std::vector<int> want_rows, want;
  for (int i = 0; i < n; ++i) {
    const auto at = std::size_t(i);
    if (!wanted({cents[at], days[at], paid[at] != 0})) continue;
    want_rows.push_back(i);
    if (want.empty() || want.back() != customers[at]) want.push_back(customers[at]);
  }
  const std::vector<int> got_rows = row_numbers.on_host(), got = buyers.on_host();
  const bool right = found == std::int64_t(want_rows.size()) && different == std::int64_t(want.size()) &&
                     std::equal(want_rows.begin(), want_rows.end(), got_rows.begin()) &&
                     std::equal(want.begin(), want.end(), got.begin());
  std::printf("%lld of %d purchases, by %lld customers: %s\n", static_cast<long long>(found), n,
              static_cast<long long>(different), right ? "right" : "wrong");
  return right ? 0 : 1;
}
