// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages about faults in the program under test. Each ends the process: a wrong program has no state to go
// on with.
#pragma once

#include <simt/location.hpp>

namespace simt {

enum exit_status { status_fault = 86, status_deadlock = 87, status_livelock = 88, status_usage = 2 };

// Prints "simt: <text>", the running CUDA thread, and how to replay; then ends with status 86.
[[noreturn, gnu::format(printf, 2, 3)]] void fail(location, const char* format, ...);

// Ends with 87: no thread can run. Ends with 88: threads poll for a change that cannot happen any more.
[[noreturn]] void fail_deadlock();
[[noreturn]] void fail_livelock(unsigned long long polls);

// A fault in the settings of the simulation, such as an unknown schedule: ends with status 2.
[[noreturn, gnu::format(printf, 1, 2)]] void fail_usage(const char* format, ...);

}  // namespace simt
