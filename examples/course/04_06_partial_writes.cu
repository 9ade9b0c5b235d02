// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of a part of each sector, beside writes of whole sectors of 32 bytes. NVIDIA's guide says that memory with
// error correction (ECC) has to read the rest of a sector that is written in part, because the check bits are of more
// than was written. The time does not show these reads; hardware counters do (scripts/profile.sh, and the chapter on
// coalescing). Only a run where ECC is off would show that ECC asks for them. The first line says what ECC is here.
// Whole sectors are twice as many words as halves, each with a division by `part`, so that the kernel is limited by
// instructions there: the ratio of the times is less than what parts cost memory.
//   04_06_partial_writes [SECTORS [WORDS]]   parts of 8, 4, 2 and 1 words, or the one of so many
// Source: the memory chapter of NVIDIA's "CUDA C++ Best Practices Guide", and its words on ECC.
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, stores = 4, sector = 8;  // words

// [kernel]
/// Writes the first `part` words of each sector; neighbouring threads write neighbouring words.
__global__ void write_parts(int part, std::int64_t words, unsigned value, unsigned* out) {
  const std::int64_t first = std::int64_t(blockIdx.x) * block_size * stores + threadIdx.x;
#pragma unroll
  for (int k = 0; k < stores; ++k) {
    const std::int64_t i = first + k * block_size;
    if (i < words) out[i / part * sector + i % part] = value + unsigned(i);
  }
}
// [kernel]

int main(int count, char** arguments) {
  const int sectors = size_to_run(count, arguments, usual_size(501, 1 << 23), 1 << 27);
  const device_array<unsigned> out(std::size_t(sectors) * sector);
  std::printf("error correction is %s\n", attribute(cudaDevAttrEccEnabled) ? "on" : "off");
  bool right = true;
  double whole = 0;
  std::vector<int> parts = {8, 4, 2, 1};
  if (count > 2) parts = {size_to_run(count - 1, arguments + 1, sector, sector)};
  for (int part : parts) {
    const std::int64_t words = std::int64_t(sectors) * part;
    check(cudaMemset(out.data(), 0, std::size_t(sectors) * sector * sizeof(unsigned)));
    const double us = time_us(
        [&] { write_parts<<<blocks_for(words, block_size * stores), block_size>>>(part, words, 1, out.data()); });
    if (part == sector) whole = us;
    const std::vector<unsigned> got = out.on_host();
    bool same = true;
    for (int i = 0; i < sectors * sector; ++i) {
      const int word = i % sector;
      same &= got[i] == (word < part ? 1u + unsigned(i / sector * part + word) : 0u);
    }
    std::printf("%2d bytes of each sector: %s", 4 * part, figure(us, "us").c_str());
    if (whole > 0) std::printf(", %s of the time of whole sectors", figure(100 * us / whole, "%").c_str());
    std::printf("%s\n", same ? "" : ": WRONG");
    right &= same;
  }
  return verdict(right);
}
