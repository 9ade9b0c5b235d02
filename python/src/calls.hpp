// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The calls of the compiled module. Arrays are addresses of dense rows, whose types and sizes Python has checked. A
// type is a number (`dtype` of core.hpp), `bytes` the size of an element where only that matters.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gpuprim_python {

using address = std::uintptr_t;

/// An error of CUDA's other than a refused argument.
struct cuda_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A type that a call does not take.
struct refused_type : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct place {
  int device;
  address stream;
};

/// What a segment or a row is reduced to.
enum class reduction : int { sum, least, greatest };
enum class statistic : int { mean, norm_1, norm_2, norm_infinity };
enum class scan_operator : int { sum, product, least, greatest };
enum class set_operation : int { intersection, difference };

// reductions.cu
void reduce_rows(int op, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at);
void find_extremum(bool is_greatest, int type, address in, address out, std::int64_t rows, std::int64_t columns,
                   place at);
void find_statistic(int which, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at);
void find_variance(double less, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at);
void dot(int type, address first, address second, std::int64_t n, address out, place at);

// scans.cu
void scan_rows(int op, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at);
void shift_rows(int op, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at);

// sorts.cu, argsorts.cu, top_k.cu
void flip_keys(int type, address in, address out, std::int64_t n, place at);
void sort_rows(int type, address in, address out, std::int64_t rows, std::int64_t columns, place at);
void sort_segments(int type, address in, address out, std::int64_t n, address offsets, std::int64_t segments, place at);
void argsort_rows(int type, address in, address sorted, address positions, std::int64_t rows, std::int64_t columns,
                  place at);
void top_k_rows(bool is_largest, int type, address in, address out, address positions, std::int64_t rows,
                std::int64_t columns, std::int64_t k, place at);

// segments.cu
void reduce_segments(int op, int type, address in, std::int64_t n, address offsets, std::int64_t segments, address out,
                     place at);

// selects.cu
std::int64_t select(std::int64_t bytes, address in, address mask, std::int64_t n, address out, place at);
std::int64_t select_positions(address mask, std::int64_t n, address out, place at);
std::int64_t run_lengths(int type, address in, std::int64_t n, address values, address lengths, place at);

// sets.cu
void merge(int type, address a, std::int64_t a_count, address b, std::int64_t b_count, address out, place at);
std::int64_t join_sets(int op, int type, address a, std::int64_t a_count, address b, std::int64_t b_count, address out,
                       place at);
void search(bool is_upper, int type, address sorted, std::int64_t n, address values, std::int64_t count, address out,
            place at);

// histograms.cu
void even_edges(double lower, double upper, int bins, address edges, place at);
void close_last_bin(address edges, int bins, address levels, place at);
std::pair<double, double> find_range(int type, address in, std::int64_t n, place at);
void histogram(int type, address in, std::int64_t n, address levels, int bins, address counts, place at);
void bincount(int type, address in, std::int64_t n, int bins, address counts, place at);

// moves.cu
void transpose(std::int64_t bytes, address in, std::int64_t rows, std::int64_t columns, address out, place at);
void convert(int from_type, int to_type, address in, std::int64_t n, address out, place at);
void invert_mask(address in, std::int64_t n, address out, place at);
void gather_rows(std::int64_t bytes, address in, address index, std::int64_t rows, std::int64_t columns, address out,
                 place at);
void scatter(std::int64_t bytes, address in, address index, std::int64_t n, address out, place at);
void sequence(std::int64_t n, address out, std::int64_t step, place at);
void find_coordinate(address positions, std::int64_t n, std::int64_t stride, std::int64_t length, address out,
                     place at);

// operator_calls.cu: an operator's code is a cubin, or the path of a shared object for the host SIMT device. What is
// loaded stays so.
address load_operator(const std::string& code, place at);
void transform_by(address kernel, const std::vector<address>& in, const std::vector<std::int64_t>& bytes,
                  std::int64_t n, address out, std::int64_t out_bytes, place at);
void reduce_by(address kernel, std::int64_t bytes, address in, std::int64_t n, std::uint64_t initial, address out,
               place at);
void scan_by(address kernel, std::int64_t bytes, address in, std::int64_t n, std::uint64_t initial, address out,
             place at);
std::int64_t select_by(address kernel, std::int64_t bytes, address in, std::int64_t n, address out, place at);
#if !defined(SIMT_DEVICE)
int find_architecture(int device);
#endif

}  // namespace gpuprim_python
