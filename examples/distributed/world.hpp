// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank a process is, and how the ranks find each other without MPI: by the environment of the launcher, and by a
// file for NCCL's unique id, which all ranks see.
#pragma once

#include <nccl.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

namespace world {

/// A rank among others, and which it is of those on its machine.
struct place {
  int rank = 0, ranks = 1, local_rank = 0;
};

/// A number without a sign, or -1 for what is none.
inline int parse_number(std::string_view text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0 ? number : -1;
}

/// The first of these variables that is set, as a number, or `otherwise`.
inline int read_environment(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    if (const int number = parse_number(text); number >= 0) return number;
    throw std::runtime_error(std::string(name) + " is not a number: " + text);
  }
  return otherwise;
}

/// What torchrun, Open MPI, MPICH or srun says of the process; one rank alone where none of them started it. A launcher
/// says both the rank and the number of ranks. A batch script of Slurm has a rank too, but it is no step of srun.
inline place find_place() {
  struct launcher {
    const char *ranks, *rank;
  };
  for (const launcher& by : {launcher{"WORLD_SIZE", "RANK"}, launcher{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                             launcher{"PMI_SIZE", "PMI_RANK"}, launcher{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    if (std::getenv(by.ranks) == nullptr || std::getenv(by.rank) == nullptr) continue;
    const int ranks = read_environment({by.ranks}, 1), rank = read_environment({by.rank}, 0);
    const int local =
        read_environment({"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, rank);
    if (rank < ranks) return {rank, ranks, local};
    throw std::runtime_error("the launcher has numbered a rank that is not below the number of ranks");
  }
  return {};
}

/// A file that is removed at the end, whatever happens; of an empty path none.
struct temporary_file {
  std::string path;
  temporary_file(const std::string& p) : path(p) {}
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

// [file]
/// Rank 0 writes the unique id to the file, whole or not at all; the others wait for it. The file must be new: the id
/// of an earlier run leads nowhere.
inline ncclUniqueId share_id(const place& own, const std::string& path, double seconds) {
  ncclUniqueId id{};
  if (own.rank == 0) {
    if (std::filesystem::exists(path)) throw std::runtime_error(path + " is there already; remove it, or name another");
    if (ncclGetUniqueId(&id) != ncclSuccess) throw std::runtime_error("NCCL gives no unique id");
    std::ofstream file(path + ".part", std::ios::binary);
    file.write(id.internal, sizeof id.internal);
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path + ".part");
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

// [meet]
/// A rank's communicator, which exists when all ranks are there. It does not block, so that the ranks wait for each
/// other no longer than `seconds`: a process may be missing, or the file may have the id of an earlier run. One that
/// has failed, or is left by an exception, is aborted, and `distributed::wait` has set one that it aborted to null.
class communicator {
 public:
  communicator(const place& own, const ncclUniqueId& id, double seconds) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    ncclResult_t state = ncclCommInitRankConfig(&comm, own.ranks, id, own.rank, &config);
    while (state == ncclInProgress && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (ncclCommGetAsyncError(comm, &state) != ncclSuccess) state = ncclInternalError;
    }
    if (state == ncclSuccess) return;
    if (comm != nullptr) (void)ncclCommAbort(comm);
    const char* const why = state == ncclInProgress ? "the others have not come in time" : ncclGetErrorString(state);
    throw std::runtime_error(std::string("the ranks do not meet: ") + why);
  }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  ~communicator() {
    if (comm == nullptr) return;
    ncclResult_t state = ncclSuccess;
    const bool is_sound = ncclCommGetAsyncError(comm, &state) == ncclSuccess && state == ncclSuccess;
    (void)(is_sound && std::uncaught_exceptions() == 0 ? ncclCommDestroy(comm) : ncclCommAbort(comm));
  }

  ncclComm_t comm = nullptr;
};
// [meet]

}  // namespace world
