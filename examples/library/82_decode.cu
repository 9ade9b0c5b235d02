// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block unpacks runs: each thread has two of them, a letter and how often it stands, and the block writes the text in
// windows of as many letters as it has threads times 4. The offset of a letter in its run tells the first of each: it
// becomes a capital.
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <string>

constexpr int block_size = 64, runs_of_thread = 2, runs = block_size * runs_of_thread, items = 4;

// [decode]
__global__ void decode(const char* letters, const int* lengths, char* text, int* size) {
  const gpuprim::this_block block;
  char own_letters[runs_of_thread];
  int own_lengths[runs_of_thread];
  gpuprim::block_load<block_size, gpuprim::tile_transfer::vectorised>(block, letters, own_letters);
  gpuprim::block_load<block_size, gpuprim::tile_transfer::vectorised>(block, lengths, own_lengths);
  const int total = gpuprim::block_run_length_decode<block_size, items>(
      block, own_letters, own_lengths, [&](const gpuprim::decoded_items<char, int, items>& window) {
        for (int i = 0; i < window.count; ++i) {
          const char letter = window.values[i];
          text[window.first + i] = window.offsets[i] == 0 ? char(letter - 'a' + 'A') : letter;
        }
      });
  if (block.thread_rank() == 0) *size = total;
}
// [decode]

template <class T>
T* allocate(int count) {
  void* memory = nullptr;
  return cudaMallocManaged(&memory, std::size_t(count) * sizeof(T)) == cudaSuccess ? static_cast<T*>(memory) : nullptr;
}

int main() {
  std::string want;
  char* letters = allocate<char>(runs);
  int *lengths = allocate<int>(runs), *size = allocate<int>(1);
  if (!letters || !lengths || !size) return 1;
  for (int i = 0; i < runs; ++i) {
    letters[i] = char('a' + i % 26);
    lengths[i] = i * 7 % 11;  // none at times
    for (int k = 0; k < lengths[i]; ++k) want += k == 0 ? char(letters[i] - 'a' + 'A') : letters[i];
  }
  char* text = allocate<char>(int(want.size()));
  if (!text) return 1;
  cudaError_t e = gpuprim::launch(decode, 1, block_size, nullptr, letters, lengths, text, size);
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  const bool is_right = e == cudaSuccess && *size == int(want.size()) && want == std::string(text, want.size());
  std::printf("%d runs, %d letters: %s (%s)\n", runs, int(want.size()), is_right ? "right" : "wrong",
              cudaGetErrorString(e));
  for (void* memory : {(void*)letters, (void*)lengths, (void*)size, (void*)text}) (void)cudaFree(memory);
  return is_right ? 0 : 1;
}
