// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nanobind/nanobind.h>

namespace gpuprim_python {

/// Adds the class of Python that reads tensors by a framework's C functions.
void bind_exchange(nanobind::module_& m);

}  // namespace gpuprim_python
