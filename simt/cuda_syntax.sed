# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes of CUDA's own syntax what the C++ compiler of the SIMT device takes: sed -E -f cuda_syntax.sed. What comes out
# includes <simt/launch_of.hpp> and <gpuprim/core/shared.cuh>. A launch stands on one line up to its arguments, and a
# shared variable on a line of its own.
s/([A-Za-z_][A-Za-z_0-9:]*(<[^<>;()]*>)?)<<<(.*)>>>\(/simt::launch_of(\1, \3)(/
s/extern __shared__ (.*) ([a-z_0-9]+)\[\];/\1* \2 = gpuprim::dynamic_shared<\1>();/
s/__shared__ ([A-Za-z_0-9:<>, ]+) ([a-z_0-9]+)((\[[^]]*\])*);/GPUPRIM_SHARED(\2, \1\3);/
