// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Several GPUs through NCCL. It is no part of gpuprim.cuh: it needs <nccl.h>.
#include <gpuprim/distributed/all_reduce.cuh>
#include <gpuprim/distributed/count_runs.cuh>
#include <gpuprim/distributed/histogram.cuh>
#include <gpuprim/distributed/reproducible.cuh>
#include <gpuprim/distributed/scan.cuh>
#include <gpuprim/distributed/select.cuh>
#include <gpuprim/distributed/version.hpp>
#include <gpuprim/distributed/wait.cuh>
