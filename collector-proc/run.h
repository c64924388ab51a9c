// SPDX-License-Identifier: MIT
#pragma once

#include "collector-proc/options.h"
#include "collector-proc/result.h"

namespace physmem::collect {

/// Does what the options say, from the open tree to the file under its name. Messages go to
/// standard error.
ExitStatus run(const Options& options);

/// Tells the error, if there is anything to tell, and gives its exit status.
ExitStatus report_error(const Error& error);

}  // namespace physmem::collect
