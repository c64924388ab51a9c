// SPDX-License-Identifier: MIT
// The last step that may need root, and the end of root.
#pragma once

#include <cstdint>
#include <string>

#include "program/privileges.h"
#include "program/result.h"
#include "program/unique_fd.h"
#include "viewer/options.h"

namespace physmem::view {

struct OpenPort {
  UniqueFd socket;    ///< listens; no connection is accepted yet
  Identity identity;  ///< of this process from now on, if it `was_root`
  bool was_root = false;
};

/// A socket that listens. An error names the address and the reason, such as a port in use.
Result<UniqueFd> listen_on(const std::string& address, std::uint16_t port);

/// Listens as the options say, then gives up root and every capability for good. The source must be
/// open; nothing of it may have been parsed.
Result<OpenPort> open_port(const Options& options);

}  // namespace physmem::view
