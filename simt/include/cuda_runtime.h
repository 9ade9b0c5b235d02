// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's language extensions and runtime, as far as the host SIMT device has them. See simt/README.md.
#pragma once

#include <simt/qualifiers.hpp>

#include <simt/location.hpp>
#include <simt/vector_types.hpp>

#include <simt/device_interface.hpp>

#include <simt/atomics.hpp>
#include <simt/barriers.hpp>
#include <simt/intrinsics.hpp>
#include <simt/memory_order.hpp>
#include <simt/simd_in_a_word.hpp>
#include <simt/warp.hpp>

#include <simt/runtime_api.hpp>
#include <simt/runtime_templates.hpp>
#include <simt/runtime_types.hpp>

#include <simt/launch.hpp>
#include <simt/launch_by_address.hpp>
