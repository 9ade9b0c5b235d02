// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of results, as text and as JSON.
#include "../support/floor.hpp"
#include "../support/results.hpp"
#include "../support/samples.hpp"

#include <string>
#include <vector>

namespace bench {

struct segmented_row {
  std::string mix, form, library;
  std::int64_t values, segments, length, bytes;  ///< length: 0 where it is not one
  samples us;
  double floor_us;  ///< what the bytes take at the read limit
};

inline void print(const segmented_row& row) {
  std::printf("%-40s %-14s %-8s %10.2f us  %5.1f %% of the floor\n", row.mix.c_str(), row.form.c_str(),
              row.library.c_str(), row.us.median(), 100 * row.floor_us / row.us.median());
  std::fflush(stdout);
}

inline void write_json(const char* path, const device_limits& limits, double read_gb_per_s, int cub,
                       const std::vector<segmented_row>& rows) {
  std::FILE* file = open_results(path, cub);
  std::fprintf(file,
               ",\n \"read_limit_bytes\": %lld,\n \"read_limit_gb_per_s\": %.1f,\n \"empty_in_graph_us\": %.3f,\n"
               " \"empty_full_grid_us\": %.3f,\n \"statistic\": \"median, with the first and third quartile\",\n"
               " \"rows\": [",
               static_cast<long long>(limits.read_limit_bytes), read_gb_per_s, limits.empty_in_graph_us,
               limits.empty_full_grid_us);
  const char* separator = "\n";
  for (const segmented_row& r : rows) {
    std::fprintf(file,
                 "%s  {\"mix\": \"%s\", \"form\": \"%s\", \"library\": \"%s\", \"n\": %lld, \"segments\": %lld, "
                 "\"length\": %lld, \"bytes\": %lld, \"us\": %.5g, \"quartiles\": [%.5g, %.5g], \"floor_us\": %.5g, "
                 "\"percent_of_floor\": %.4g}",
                 separator, r.mix.c_str(), r.form.c_str(), r.library.c_str(), static_cast<long long>(r.values),
                 static_cast<long long>(r.segments), static_cast<long long>(r.length), static_cast<long long>(r.bytes),
                 r.us.median(), r.us.quantile(0.25), r.us.quantile(0.75), r.floor_us, 100 * r.floor_us / r.us.median());
    separator = ",\n";
  }
  std::fprintf(file, "\n ]\n}\n");
  std::fclose(file);
}

}  // namespace bench
