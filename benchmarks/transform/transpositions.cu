// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpositions of gpuprim, with the tuned order of tiles and with others, beside a copy of the same bytes.
#include "../support/check.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"
#include "contenders.hpp"

#include <gpuprim/transform.cuh>

#include <memory>

namespace {

using bench::check;

struct matrix_problem {
  const char* name;
  int bytes;  ///< of an element
  std::int64_t rows, columns;
  bool is_in_place = false;
};

constexpr matrix_problem problems[] = {
    {"transpose f32 16384 x 16384", 4, 16384, 16384},   {"transpose f32 16384 x 16384 in place", 4, 16384, 16384, true},
    {"transpose f32 16383 x 16385", 4, 16383, 16385},   {"transpose f32 16000 x 10000", 4, 16000, 10000},
    {"transpose f32 100 x 1000000", 4, 100, 1000000},   {"transpose f32 1000 x 1000", 4, 1000, 1000},
    {"transpose f32 256 x 256", 4, 256, 256},           {"transpose u8 16384 x 16384", 1, 16384, 16384},
    {"transpose u8 32768 x 32768", 1, 32768, 32768},    {"transpose u8 16380 x 16388", 1, 16380, 16388},
    {"transpose u8 16383 x 16385", 1, 16383, 16385},    {"transpose u16 16384 x 16384", 2, 16384, 16384},
    {"transpose u16 16383 x 16385", 2, 16383, 16385},   {"transpose f64 16384 x 8192", 8, 16384, 8192},
    {"transpose f64 16383 x 8191", 8, 16383, 8191},     {"transpose 12 bytes 8192 x 8192", 12, 8192, 8192},
    {"transpose 16 bytes 8192 x 8192", 16, 8192, 8192}, {"transpose u8 3 x 33000001", 1, 3, 33000001},
    {"transpose u8 33000001 x 3", 1, 33000001, 3},      {"transpose u8 32 x 4000000", 1, 32, 4000000},
    {"transpose u16 16000000 x 4", 2, 16000000, 4},     {"transpose f32 3 x 16700000", 4, 3, 16700000},
    {"transpose f32 16700000 x 3", 4, 16700000, 3},     {"transpose f32 17 x 1000000", 4, 17, 1000000},
    {"transpose f32 1000000 x 32", 4, 1000000, 32},     {"transpose f64 8000000 x 6", 8, 8000000, 6},
    {"transpose 12 bytes 7 x 1000001", 12, 7, 1000001}, {"transpose 16 bytes 4000000 x 2", 16, 4000000, 2},
    {"transpose u8 5 x 100003", 1, 5, 100003},
};

struct triple {
  float parts[3];
};

template <class Go>
auto with_element(int bytes, const Go& go) {
  switch (bytes) {
    case 1:
      return go.template operator()<unsigned char>();
    case 2:
      return go.template operator()<short>();
    case 4:
      return go.template operator()<float>();
    case 8:
      return go.template operator()<double>();
    case 12:
      return go.template operator()<triple>();
    default:
      return go.template operator()<float4>();
  }
}

template <int Band>
cudaError_t enqueue(const matrix_problem& p, const void* in, void* out, cudaStream_t s) {
  return with_element(p.bytes, [&]<class T>() {
    constexpr gpuprim::transpose_policy policy{Band, gpuprim::tuned_transpose_policy.most_thin};
    const gpuprim::options how{.stream = s};
    return gpuprim::detail::run_transpose<policy>(static_cast<const T*>(in), p.rows, p.columns, static_cast<T*>(out),
                                                  gpuprim::row_strides{p.columns, p.rows}, how)
        .report();
  });
}

cudaError_t enqueue_copy(const matrix_problem& p, const void* in, void* out, cudaStream_t s) {
  const auto* const from = static_cast<const unsigned char*>(in);
  return gpuprim::copy(from, p.rows * p.columns * p.bytes, static_cast<unsigned char*>(out), {.stream = s});
}

struct contender {
  std::string name;
  cudaError_t (*enqueue)(const matrix_problem&, const void*, void*, cudaStream_t);
};

__global__ void fill(unsigned char* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = static_cast<unsigned char>(unsigned(i) * 2654435761u >> 23);
  }
}
/// Counts bytes that are not where they should be.
__global__ void count_wrong(const unsigned char* in, const unsigned char* out, std::int64_t rows, std::int64_t columns,
                            int bytes, unsigned long long* wrong) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x, n = rows * columns * bytes;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const std::int64_t element = i / bytes, row = element / columns, column = element % columns;
    if (in[i] != out[(column * rows + row) * bytes + i % bytes]) atomicAdd(wrong, 1ull);
  }
}

}  // namespace

bool bench::time_transpositions(void* memory, std::int64_t memory_bytes, int rounds, std::FILE* json,
                                bool is_first_row) {
  const contender all[] = {{"copy", enqueue_copy},
                           {"gpuprim", enqueue<gpuprim::tuned_transpose_policy.band_tiles>},
                           {"band 1", enqueue<1>},
                           {"band 4", enqueue<4>},
                           {"band 32", enqueue<32>}};
  unsigned long long *wrong = nullptr, found = 0;
  check(cudaMalloc(reinterpret_cast<void**>(&wrong), 8), "allocate");
  bool right = true;
  for (const matrix_problem& p : problems) {
    const std::int64_t bytes = p.rows * p.columns * p.bytes, apart = (bytes + 511) / 512 * 512;
    const std::int64_t wanted = std::max<std::int64_t>((std::int64_t{512} << 20) / (2 * apart), 2);
    const std::int64_t copies = std::min(std::min<std::int64_t>(wanted, 64), memory_bytes / (2 * apart));
    auto* const begin = static_cast<unsigned char*>(memory);
    fill<<<1024, 256>>>(begin, copies * 2 * apart);
    check(cudaGetLastError(), "fill");
    const auto in = [=](std::int64_t i) { return begin + i % copies * 2 * apart; };
    const auto out = [=](std::int64_t i) { return in(i) + (p.is_in_place ? 0 : apart); };
    constexpr int count = int(std::size(all));
    std::vector<std::unique_ptr<graph_timer>> timers;
    samples times[count];
    for (int i = 0; i < count; ++i) {
      if (i > 0) {
        auto* const to = in(0) + apart;
        check(cudaMemset(wrong, 0, 8), "clear");
        if (p.is_in_place) check(cudaMemcpy(to, in(0), std::size_t(bytes), cudaMemcpyDeviceToDevice), "copy");
        check(all[i].enqueue(p, p.is_in_place ? to : in(0), to, nullptr), all[i].name.c_str());
        count_wrong<<<1024, 256>>>(in(0), to, p.rows, p.columns, p.bytes, wrong);
        check(cudaMemcpy(&found, wrong, 8, cudaMemcpyDeviceToHost), "copy");
        if (found != 0) std::printf("%s, %s: %llu bytes are wrong\n", p.name, all[i].name.c_str(), found);
        right &= found == 0;
      }
      timers.push_back(std::make_unique<graph_timer>(
          std::max<std::int64_t>(copies, 4),
          [&, i](std::int64_t at, cudaStream_t s) { return all[i].enqueue(p, in(at), out(at), s); }));
    }
    for (int round = 0; round < rounds; ++round) {
      take_turns(round, count, [&](int i) { times[i].add(timers[std::size_t(i)]->us_per_pass()); });
    }
    std::printf("%-42s |", p.name);
    for (int i = 0; i < count; ++i) {
      std::printf(" %s %.2f us, %.0f GB/s, %.3f of the copy |", all[i].name.c_str(), times[i].median(),
                  2e-3 * double(bytes) / times[i].median(), times[0].median() / times[i].median());
      if (json) {
        std::fprintf(json,
                     "%s\n {\"problem\": \"%s\", \"n\": %lld, \"contender\": \"%s\", \"us\": %.3f, "
                     "\"quartiles\": [%.3f, %.3f], \"floor_us\": %.3f}",
                     is_first_row ? "" : ",", p.name, static_cast<long long>(p.rows * p.columns), all[i].name.c_str(),
                     times[i].median(), times[i].quantile(0.25), times[i].quantile(0.75), times[0].median());
        is_first_row = false;
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  check(cudaFree(wrong), "free");
  return right;
}
