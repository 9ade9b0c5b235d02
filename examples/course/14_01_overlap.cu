// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and kernels of chunks that overlap, seen in time. One after the other, an array takes the time of the copy in,
// of the kernel and of the copy out. In n chunks over n streams it takes about the longest of the three, plus 1/n of
// the two others. Copies in both directions at once need two copy engines.
// Source: "Asynchronous and Overlapping Transfers with Computation" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <memory>

using namespace course;

constexpr int block_size = 256, rounds = 400, most_chunks = 16;

__host__ __device__ inline unsigned scramble(unsigned x) {
  for (int round = 0; round < rounds; ++round) x = (x ^ x >> 15) * 2246822519u;
  return x;
}

__global__ void compute(unsigned* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] = scramble(data[i]);
}

struct chunk {
  stream in;
  event begin, copied_in, computed, end;
};

/// Everything of the array, in chunks; returns microseconds from the first event to the last one.
double run(const chunk* chunks, int chunk_count, unsigned* host, unsigned* device, int n) {
  // [chunks]
  const auto border = [=](int c) { return int(std::int64_t(n) * c / chunk_count); };
  for (int c = 0; c < chunk_count; ++c) {
    const chunk& mine = chunks[c];
    const int first = border(c), count = border(c + 1) - first;
    const std::size_t bytes = std::size_t(count) * sizeof(unsigned);
    mine.begin.record(mine.in);
    check(cudaMemcpyAsync(device + first, host + first, bytes, cudaMemcpyHostToDevice, mine.in));
    mine.copied_in.record(mine.in);
    compute<<<blocks_for(count, block_size), block_size, 0, mine.in>>>(device + first, count);
    mine.computed.record(mine.in);
    check(cudaMemcpyAsync(host + first, device + first, bytes, cudaMemcpyDeviceToHost, mine.in));
    mine.end.record(mine.in);
  }
  // [chunks]
  double last = 0;
  for (int c = 0; c < chunk_count; ++c) {
    chunks[c].in.wait();
    last = std::max(last, chunks[c].end.us_since(chunks[0].begin));
  }
  return last;
}

/// One line a chunk: < copied in, # computed, > copied out, each with its wait for engine and multiprocessors.
void draw(const chunk* chunks, int chunk_count, double total) {
  constexpr int width = 72;
  // [line]
  for (int c = 0; c < chunk_count; ++c) {
    const event* ends[] = {&chunks[c].begin, &chunks[c].copied_in, &chunks[c].computed, &chunks[c].end};
    std::string line(width + 1, ' ');
    for (int part = 0; part < 3; ++part) {
      const int from = int(width * ends[part]->us_since(chunks[0].begin) / total);
      const int to = int(width * ends[part + 1]->us_since(chunks[0].begin) / total);
      for (int at = std::max(from, 0); at < std::min(to, width); ++at) line[std::size_t(at)] = "<#>"[part];
    }
    std::printf("  |%s|\n", line.c_str());
  }
  // [line]
}

int main(int count, char** arguments) {
  const int n = std::max(most_chunks, size_to_run(count, arguments, usual_size(5003, 1 << 24)));
  const pinned_array<unsigned> host(static_cast<std::size_t>(n));
  const device_array<unsigned> device(static_cast<std::size_t>(n));
  const auto chunks = std::make_unique<chunk[]>(most_chunks);
  std::printf("copy engines: %d\n", attribute(cudaDevAttrAsyncEngineCount));
  bool right = true;
  double in = 0, kernel = 0, out = 0;
  for (int chunk_count : {1, 2, 4, 8, most_chunks}) {
    double us = 1e30;
    for (int sample = 0; sample < 3; ++sample) {
      for (int i = 0; i < n; ++i) host[i] = unsigned(i + sample);
      us = std::min(us, run(chunks.get(), chunk_count, host.data(), device.data(), n));
      for (int i = 0; i < n; i += 101) right &= host[i] == scramble(unsigned(i + sample));
    }
    if (chunk_count == 1) {
      in = chunks[0].copied_in.us_since(chunks[0].begin);
      kernel = chunks[0].computed.us_since(chunks[0].copied_in);
      out = chunks[0].end.us_since(chunks[0].computed);
      std::printf("copy in %s, kernel %s, copy out %s\n", figure(in, "us").c_str(), figure(kernel, "us").c_str(),
                  figure(out, "us").c_str());
    }
    const double longest = std::max({in, kernel, out}), bound = longest + (in + kernel + out - longest) / chunk_count;
    std::printf("%2d chunks: %s, expected %s\n", chunk_count, figure(us, "us").c_str(), figure(bound, "us").c_str());
    if (on_gpu) draw(chunks.get(), chunk_count, us);
  }
  return verdict(right);
}
