// SPDX-License-Identifier: MIT
// Opens the port, the last step that may require root, and then drops root.
#pragma once

#include <cstdint>
#include <string>

#include "program/privileges.h"
#include "program/result.h"
#include "program/unique_fd.h"
#include "viewer/options.h"

namespace physmem::view {

struct OpenPort {
  UniqueFd socket;    ///< listening, no connection accepted yet
  Identity identity;  ///< of this process from now on, if `was_root`
  bool was_root = false;
  std::string token;  ///< of --token-file; empty: none
};

/// Opens a listening socket. An error contains the address and the reason, such as a port in use.
Result<UniqueFd> listen_on(const std::string& address, std::uint16_t port);

/// Listens and reads the token as given by the options, then permanently drops root and all
/// capabilities. The source must be open, but none of its data may have been parsed.
Result<OpenPort> open_port(const Options& options);

}  // namespace physmem::view
