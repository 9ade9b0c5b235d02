// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies every rung of the ladder, then times them and prints the table.
//   ladder [--n N] [--json FILE] [--verify-to N] [--once N]
#include "timing.hpp"
#include "verify.hpp"

#include <cstdint>
#include <type_traits>

namespace ladder {

namespace {

#if defined(SIMT_DEVICE)
constexpr bool on_gpu = false;
#else
constexpr bool on_gpu = true;
#endif

struct row {
  std::string type, name;
  int n;
  double us, speed_up, gb_per_s, percent_of_limit;  ///< speed_up 0: of another size than r01
  figures look;
};

template <class T>
table<T> all_rungs() {
  table<T> all;
  add_rungs(all);
#if !defined(SIMT_DEVICE)
  const auto first_library = all.end() - 1;
  table<T> nested;
  check(add_nested(nested), "make room for nested launches");
  all.insert(first_library, nested.begin(), nested.end());
  add_other_libraries(all);
#endif
  return all;
}

template <class T>
std::vector<int> sizes_to_verify(int n, int verify_to) {
  std::vector<int> sizes = {1, 2, 31, 33, 1000, 1023, 1025, 4097, 65537};
  if (std::is_same_v<T, int>) sizes.push_back(200003);  // for one type, because the host SIMT device takes its time
  if (on_gpu) {
    for (int more : {most_nested - 12345, most_nested, 1 << 24, (1 << 24) + 12345}) sizes.push_back(more);
  }
  if (n > 0) sizes.push_back(n);
  if (verify_to > 0) std::erase_if(sizes, [&](int size) { return size > verify_to; });
  return sizes;
}

/// Verifies all rungs on the first `most_sets` inputs of each size.
/// @return the number of faults.
template <class T>
int verify_all(const table<T>& rungs, const std::vector<int>& sizes, std::size_t most_sets) {
  int faults = 0;
  for (int size : sizes) {
    std::vector<data_set<T>> sets;
    make_data_sets(size, sets);
    if (sets.size() > most_sets) sets.resize(most_sets);
    for (const data_set<T>& data : sets) {
      const device_array<T> pristine(data.values.size());
      pristine.upload(data.values.data(), data.values.size());
      for (const rung<T>& r : rungs) {
        if (size <= r.largest_input) faults += !verify(r, data, pristine);
      }
    }
  }
  return faults;
}

/// Times what may not fail: a rung that does ends the program, so that there is no time of it.
template <class T>
double time_one(inputs<T>& in, const rung<T>& r) {
  double us = 0;
  check(in.time(r, us), r.name.c_str());
  return us;
}

template <class T>
int time_all(const table<T>& rungs, int n, const char* type, std::vector<row>& rows) {
  int faults = 0, first_n = 0;
  double first_us = 0;
  for (int largest : {most_elements, most_nested}) {  // the nested rungs have a size of their own
    std::vector<data_set<T>> sets;
    const int size = std::min(n, largest);
    make_data_sets(size, sets);
    const data_set<T>& data = sets.front();
    inputs<T> in(data.values);
    double limit_us = 0;
    for (const rung<T>& pass : read_only_passes<T>()) {
      const double us = time_one(in, pass);
      if (limit_us == 0 || us < limit_us) limit_us = us;
    }
    for (const rung<T>& r : rungs) {
      if (r.largest_input != largest) continue;
      const double us = time_one(in, r);
      if (!data.accepts(in.last_result(r), r.longest_chain(size))) {
        std::fprintf(stderr, "ladder: %s: the sum was wrong after the timed runs\n", r.name.c_str());
        ++faults;
        continue;
      }
      if (first_n == 0) first_n = size, first_us = us;
      figures look;
      if (r.look) check(r.look(in.first(), size, look), r.name.c_str());
      rows.push_back({type, r.name, size, us, size == first_n ? first_us / us : 0, double(size) * sizeof(T) * 1e-3 / us,
                      100 * limit_us / us, look});
    }
    if (largest == most_elements) {
      rows.push_back({type,
                      "limit: read only",
                      size,
                      limit_us,
                      first_us / limit_us,
                      double(size) * sizeof(T) * 1e-3 / limit_us,
                      100,
                      {}});
    }
  }
  return faults;
}

void print_markdown(const std::vector<row>& rows, const std::string& type) {
  std::printf("\n| %s | n | us | speed-up over r01 | GB/s | %% of the limit | block | registers | occupancy |\n",
              type.c_str());
  std::printf("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const row& r : rows) {
    if (r.type != type) continue;
    char speed_up[32] = "", look[64] = " | | ";
    if (r.speed_up > 0) std::snprintf(speed_up, sizeof speed_up, "%.2f", r.speed_up);
    if (r.look.block_size > 0) {
      std::snprintf(look, sizeof look, "%d | %d | %.0f %%", r.look.block_size, r.look.registers,
                    100 * r.look.occupancy);
    }
    std::printf("| %s | %d | %.2f | %s | %.1f | %.1f | %s |\n", r.name.c_str(), r.n, r.us, speed_up, r.gb_per_s,
                r.percent_of_limit, look);
  }
}

bool write_json(const char* path, const char* gpu, const std::vector<row>& rows) {
  std::FILE* to = std::fopen(path, "w");
  if (to == nullptr) return false;
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "driver version");
  check(cudaRuntimeGetVersion(&runtime), "runtime version");
  std::fprintf(to, "{\n  \"gpu\": \"%s\",\n  \"cuda_driver\": %d,\n  \"cuda_runtime\": %d,\n  \"rows\": [", gpu, driver,
               runtime);
  const char* separator = "\n";
  for (const row& r : rows) {
    std::fprintf(to,
                 "%s    {\"type\": \"%s\", \"rung\": \"%s\", \"n\": %d, \"us\": %.4f, \"speed_up\": %.4f, "
                 "\"gb_per_s\": %.2f, \"percent_of_limit\": %.2f, \"block_size\": %d, \"registers\": %d, "
                 "\"occupancy\": %.4f}",
                 separator, r.type.c_str(), r.name.c_str(), r.n, r.us, r.speed_up, r.gb_per_s, r.percent_of_limit,
                 r.look.block_size, r.look.registers, r.look.occupancy);
    separator = ",\n";
  }
  std::fprintf(to, "\n  ]\n}\n");
  return std::fclose(to) == 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: ladder [--n N] [--json FILE] [--verify-to N] [--once N]\n"
               "  --n N          values to time, 4 to %d; 2^24 if not given\n"
               "  --verify-to N  verify sizes up to N and time nothing; for compute-sanitizer\n"
               "  --once N       verify one input of N floats and time nothing; for a profiler\n",
               most_elements);
  return 2;
}

}  // namespace

int run(int argc, char** argv) {
  int n = 0, verify_to = 0, once = 0;
  const char* json = nullptr;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) return usage();
    if (option == "--n" || option == "--verify-to" || option == "--once") {
      char* end = nullptr;
      const long long value = std::strtoll(argv[i + 1], &end, 10);
      if (*end != 0 || value < 4 || value > most_elements) return usage();
      (option == "--n" ? n : option == "--once" ? once : verify_to) = int(value);
    } else if (option == "--json") {
      json = argv[i + 1];
    } else {
      return usage();
    }
  }
  cudaDeviceProp gpu;
  check(cudaGetDeviceProperties(&gpu, 0), "find a GPU");

  const table<float> floats = all_rungs<float>();
  if (once > 0) return verify_all(floats, {once}, 1) > 0;
  const table<int> ints = all_rungs<int>();
  constexpr std::size_t all_sets = SIZE_MAX;
  int faults = verify_all(floats, sizes_to_verify<float>(n, verify_to), all_sets) +
               verify_all(ints, sizes_to_verify<int>(n, verify_to), all_sets);
  if (faults > 0) {
    std::fprintf(stderr, "ladder: %d wrong sums; nothing was timed\n", faults);
    return 1;
  }
  std::printf("The rungs' %zu kernels are right for float and int.\n", floats.size());
  if (!on_gpu) {
    std::printf("Ran on the host SIMT device because there is no GPU; times would say nothing and are left out.\n");
    return 0;
  }
  if (verify_to > 0) return 0;
  std::vector<row> rows;
  const int timed = n > 0 ? n : 1 << 24;
  faults = time_all(floats, timed, "float", rows) + time_all(ints, timed, "int", rows);
  std::stable_sort(rows.begin(), rows.end(),  // r17, timed last, to its place; the limit comes first
                   [](const row& a, const row& b) { return a.name.compare(0, 3, b.name, 0, 3) < 0; });
  std::printf("%s; median device times; the limit is a pass of the same size that only reads, timed in the same run.\n",
              gpu.name);
  for (const char* type : {"float", "int"}) print_markdown(rows, type);
  if (json != nullptr && !write_json(json, gpu.name, rows)) {
    std::fprintf(stderr, "ladder: cannot write %s\n", json);
    return 1;
  }
  return faults > 0;
}

}  // namespace ladder

int main(int argc, char** argv) { return ladder::run(argc, argv); }
