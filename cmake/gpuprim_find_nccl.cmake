# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds NCCL for the headers of gpuprim/distributed/: gpuprim_nccl_FOUND, NCCL_INCLUDE_DIR and NCCL_LIBRARY. A folder with
# include/ and lib/, such as that of NCCL's Python package, is named by -DNCCL_ROOT or the environment's NCCL_ROOT.
find_path(NCCL_INCLUDE_DIR nccl.h HINTS "${NCCL_ROOT}" ENV NCCL_ROOT PATH_SUFFIXES include)
find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS "${NCCL_ROOT}" ENV NCCL_ROOT PATH_SUFFIXES lib)
set(gpuprim_nccl_FOUND FALSE)
if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
  set(gpuprim_nccl_FOUND TRUE)
endif()
