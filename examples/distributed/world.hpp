// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank a process is, and how the ranks find each other without MPI: by the environment of the launcher, and by a
// file for NCCL's unique id, which all ranks see.
#pragma once

#include <nccl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <thread>

namespace world {

/// A rank among others, and which it is of those on its machine.
struct place {
  int rank = 0, ranks = 1, local_rank = 0;
};

/// The first of these variables that is set, as a number, or `otherwise`.
inline int read_environment(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names) {
    if (const char* text = std::getenv(name)) return std::atoi(text);
  }
  return otherwise;
}

/// What torchrun, Open MPI, MPICH or Slurm says of the process; one rank alone where none of them started it.
inline place find_place() {
  const int ranks = read_environment({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}, 1);
  const int rank = read_environment({"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0);
  const int local =
      read_environment({"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, rank);
  return {rank, ranks, local};
}

// [file]
/// Rank 0 writes the unique id to the file, whole or not at all; the others wait for it.
inline ncclUniqueId share_id(const place& own, const std::string& path, double seconds) {
  ncclUniqueId id{};
  if (own.rank == 0) {
    if (ncclGetUniqueId(&id) != ncclSuccess) throw std::runtime_error("NCCL gives no unique id");
    std::ofstream(path + ".part", std::ios::binary).write(id.internal, sizeof id.internal);
    std::filesystem::rename(path + ".part", path);
    return id;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!std::ifstream(path, std::ios::binary).read(id.internal, sizeof id.internal)) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("rank 0 has not written " + path);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return id;
}

// [file]

/// A rank's communicator, which exists when all ranks are there. One that is left by an exception is aborted, and
/// `distributed::wait` has set one that it aborted to null.
class communicator {
 public:
  communicator(const place& own, const ncclUniqueId& id) {
    if (ncclCommInitRank(&comm, own.ranks, id, own.rank) != ncclSuccess) {
      throw std::runtime_error("the ranks do not meet");
    }
  }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  ~communicator() {
    if (comm != nullptr) (void)(std::uncaught_exceptions() > 0 ? ncclCommAbort(comm) : ncclCommDestroy(comm));
  }

  ncclComm_t comm = nullptr;
};

}  // namespace world
