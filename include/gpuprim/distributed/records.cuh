// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the ranks tell each other: a record each, which every rank folds in the order of the ranks.
#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/distributed/group.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What a rank's local pass has found, of how many elements.
template <class Result>
struct alignas(16) rank_record {
  Result result;
  std::int64_t count;
};

/// Where a local pass writes its result.
template <class Result>
struct record_output {
  rank_record<Result>* record;
  std::int64_t count;

  __device__ const record_output& operator*() const { return *this; }
  __device__ void operator=(const Result& result) const {
    record->result = result;
    record->count = count;
  }
};

/// All records of a call, in scratch memory, where each rank writes its own.
template <class Record>
struct rank_records {
  static constexpr std::int64_t bytes(int ranks) { return ranks * std::int64_t(sizeof(Record)); }
  static Record* of(void* memory) { return static_cast<Record*>(memory); }
  static ncclResult_t gather(void* memory, int rank, ncclComm_t comm, cudaStream_t stream) {
    return ncclAllGather(of(memory) + rank, memory, sizeof(Record), ncclUint8, comm, stream);
  }
};

/// A part of the memory of a call as the workspace of a call of one GPU, in `options()`. `refusal()` says what went
/// wrong.
class lent_workspace {
 public:
  lent_workspace(void* memory, const workspace_size& size, const gpuprim::options& how)
      : how_(how), refusal_{own_.borrow(memory, size, how.stream)} {
    how_.workspace = &own_;
  }
  lent_workspace(const lent_workspace&) = delete;
  lent_workspace& operator=(const lent_workspace&) = delete;

  const gpuprim::options& options() const { return how_; }
  const outcome& refusal() const { return refusal_; }

 private:
  workspace own_;
  gpuprim::options how_;
  outcome refusal_;
};

/// Writes a number that the host knows.
template <class T>
__global__ void store_number_kernel(T* to, T number) {
  *to = number;
}

/// Launches a kernel of one warp that begins with wait_for_previous_grid(), so that its launch overlaps the exchange.
template <auto Kernel, class... Arguments>
outcome launch_warp(cudaStream_t stream, const Arguments&... arguments) {
  const found_shape found = detail::find_shape<Kernel>(1, warp_size);
  if (found.error != cudaSuccess) return {found.error};
  return {gpuprim::launch(found.when, Kernel, found.grid, stream, arguments...)};
}

/// Joins the first records by one warp: each lane some neighbours, and then the lanes. The tree depends on the number
/// of ranks alone, so that all ranks get the same bits. There is at least one record.
template <class Record, class Join>
__device__ __forceinline__ Record join_records(const Record* records, int count, const Join& join) {
  const int lane = int(threadIdx.x), each = (count + warp_size - 1) / warp_size;
  const int lanes = (count + each - 1) / each, first = lane < lanes ? lane * each : 0;
  const int end = first + each < count ? first + each : count;
  Record own = records[first];
  for (int i = first + 1; i < end; ++i) own = join(own, records[i]);
  return gpuprim::warp_reduce(warp_tile<warp_size>{}, own, join, lanes);
}

/// Writes what follows from all records.
template <class Result, class Join, class Finish, class Out>
__global__ void __launch_bounds__(warp_size)
    fold_records_kernel(const rank_record<Result>* records, int ranks, Join join, Finish finish, Out out) {
  ptx::wait_for_previous_grid();
  const rank_record<Result> all = detail::join_records(records, ranks, join);
  if (threadIdx.x == 0) detail::assign(*out, finish(all.result));
}

}  // namespace gpuprim::detail
