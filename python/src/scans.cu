// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of rows; a whole array is one row. Integers are scanned in 64 bits.
#include <gpuprim/scan.cuh>
#include <gpuprim/transform.cuh>

#include "core.hpp"
#include "operators.hpp"

namespace gpuprim_python {
namespace {

/// The least or the greatest, by what is known at run time.
struct extreme {
  bool is_greatest;
  template <class T>
  GPUPRIM_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return is_greatest ? greatest{}(a, b) : least{}(a, b);
  }
};

/// The words of a scan one place on in their rows, behind the identity.
template <class Word>
struct shifted {
  const Word* in;
  std::int64_t columns;
  Word identity;
  GPUPRIM_HOST_DEVICE Word operator()(std::int64_t i) const { return i % columns == 0 ? identity : in[i - 1]; }
};

/// An array has a scan of its own, rows that of segments.
template <class T, class Result, class Op>
void run_scan(address in, address out, std::int64_t rows, std::int64_t columns, Op op, const scope& on) {
  const std::int64_t n = rows * columns;
  const input<T> from(in, n);
  const output<Result> to(out, n);
  using joined = std::conditional_t<is_float<T>, void, Result>;
  const cudaError_t error = rows == 1 ? gpuprim::inclusive_scan<joined>(from.get(), n, to.get(), op, on.how())
                                      : gpuprim::segmented_inclusive_scan<joined>(
                                            from.get(), gpuprim::fixed_length{columns}, rows, to.get(), op, on.how());
  check("scan", error);
  to.keep();
}

template <class T>
T identity_of(scan_operator op) {
  if (op == scan_operator::sum) return T(0.0f);
  if (op == scan_operator::product) return T(1.0f);
  return op == scan_operator::least ? highest_of<T>() : lowest_of<T>();
}

}  // namespace

void scan_rows(int op, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at) {
  const scope on("scan", at);
  if (scan_operator(op) == scan_operator::sum) {
    // Other integers are converted before: sums of these are common.
    using summed = types<std::uint8_t, std::int32_t, std::int64_t, std::uint64_t, __half, __nv_bfloat16, float, double>;
    visit(summed{}, type, "cumsum",
          [&]<class T>(T*) { run_scan<T, wide<T>>(in, out, rows, columns, gpuprim::plus<>{}, on); });
  } else if (scan_operator(op) == scan_operator::product) {
    using multiplied = types<std::int64_t, std::uint64_t, __half, __nv_bfloat16, float, double>;
    visit(multiplied{}, type, "cumprod",
          [&]<class T>(T*) { run_scan<T, T>(in, out, rows, columns, gpuprim::multiplies<>{}, on); });
  } else {
    const extreme join{scan_operator(op) == scan_operator::greatest};
    visit(numbers{}, type, "cummax", [&]<class T>(T*) { run_scan<T, T>(in, out, rows, columns, join, on); });
  }
}

void shift_rows(int op, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at) {
  const scope on("scan", at);
  const std::int64_t n = rows * columns;
  visit(numbers{}, type, "scan", [&]<class T>(T*) {
    using word =
        std::conditional_t<sizeof(T) == 1, std::uint8_t,
                           std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                              std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    const bool is_least_of_bools = dtype(type) == dtype::boolean && scan_operator(op) == scan_operator::least;
    const T identity = is_least_of_bools ? T(1.0f) : identity_of<T>(scan_operator(op));
    word bits;
    __builtin_memcpy(&bits, &identity, sizeof bits);
    const input<word> from(in, n);
    const output<word> to(out, n);
    check("scan", gpuprim::generate(to.get(), n, shifted<word>{from.get(), columns, bits}, on.how()));
    to.keep();
  });
}

}  // namespace gpuprim_python
