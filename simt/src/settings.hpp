// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace simt {

void read_settings_once();

}  // namespace simt
