// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>

#include "program/exit.h"
#include "viewer/options.h"

namespace physmem::view {

/// `page` is the HTML to serve.
Exit run(const Options& options, const std::string& page, std::ostream& out,
         std::ostream& messages);

}  // namespace physmem::view
