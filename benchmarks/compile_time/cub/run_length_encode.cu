// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_run_length_encode.cuh>

cudaError_t encode(const int* in, std::int64_t n, int* unique, std::int64_t* lengths, std::int64_t* runs,
                   cudaStream_t stream, void* storage, std::size_t& bytes) {
  return cub::DeviceRunLengthEncode::Encode(storage, bytes, in, unique, lengths, runs, n, stream);
}
