# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuprim::nccl: NCCL for the headers of gpuprim/distributed/. In a tree of the host SIMT device it is a stand-in of the
# tests, whose ranks are threads or groups of one process; else what is found. GPUPRIM_HAS_NCCL says whether programs can
# be linked. Without NCCL the headers are compiled against the stand-in's.
set(nccl_stand_in "${PROJECT_SOURCE_DIR}/tests/support/nccl")
set(GPUPRIM_HAS_NCCL ON)
if(GPUPRIM_DEVICE STREQUAL "simt")
  add_library(gpuprim_nccl STATIC "${nccl_stand_in}/nccl.cpp")
  target_include_directories(gpuprim_nccl PUBLIC "${nccl_stand_in}")
  gpuprim_target_device(gpuprim_nccl "${nccl_stand_in}/nccl.cpp")
else()
  include("${CMAKE_CURRENT_LIST_DIR}/gpuprim_find_nccl.cmake")
  add_library(gpuprim_nccl INTERFACE)
  if(gpuprim_nccl_FOUND)
    target_include_directories(gpuprim_nccl SYSTEM INTERFACE "${NCCL_INCLUDE_DIR}")
    target_link_libraries(gpuprim_nccl INTERFACE "${NCCL_LIBRARY}")
  else()
    target_include_directories(gpuprim_nccl INTERFACE "${nccl_stand_in}")
    set(GPUPRIM_HAS_NCCL OFF)
  endif()
endif()
add_library(gpuprim::nccl ALIAS gpuprim_nccl)
