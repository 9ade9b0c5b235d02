// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed needs NCCL 2.18 or newer
#include <nccl.h>

#if !defined(GPUPRIM_TEST_CONTROL)
#undef NCCL_VERSION_CODE
#define NCCL_VERSION_CODE NCCL_VERSION(2, 17, 1)
#endif

#include <gpuprim/distributed/communicator.cuh>
