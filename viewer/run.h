// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>

#include "analyzer/model/exit.h"
#include "viewer/options.h"

namespace physmem::view {

/// `page`: the HTML that is served.
Exit run(const Options& options, const std::string& page, std::ostream& out, std::ostream& messages);

Exit fail(std::ostream& messages, const Error& error);

}  // namespace physmem::view
