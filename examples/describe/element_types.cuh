// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of a column's elements on the device.
#pragma once

#include "column.hpp"

#include <cuda_fp16.h>

#include <cstdint>

namespace describe {

/// Calls `go` with the type as its template argument.
template <class Go>
auto with_element_type(element_kind kind, const Go& go) {
  switch (kind) {
    case element_kind::i1:
      return go.template operator()<std::int8_t>();
    case element_kind::i2:
      return go.template operator()<std::int16_t>();
    case element_kind::i4:
      return go.template operator()<std::int32_t>();
    case element_kind::i8:
      return go.template operator()<std::int64_t>();
    case element_kind::u1:
      return go.template operator()<std::uint8_t>();
    case element_kind::u2:
      return go.template operator()<std::uint16_t>();
    case element_kind::u4:
      return go.template operator()<std::uint32_t>();
    case element_kind::u8:
      return go.template operator()<std::uint64_t>();
    case element_kind::f2:
      return go.template operator()<__half>();
    case element_kind::f4:
      return go.template operator()<float>();
    case element_kind::f8:
      break;
  }
  return go.template operator()<double>();
}

}  // namespace describe
