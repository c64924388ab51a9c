// SPDX-License-Identifier: MIT
// /etc/pftraced.conf: whom to send to, what, and as whom.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/result.h"
#include "tracer/source/open_records.h"
#include "tracer/wire/endpoint.h"

namespace physmem::daemon {

inline constexpr const char* kConfigFile = "/etc/pftraced.conf";

struct Config {
  wire::Endpoint client;                 ///< where datagrams go
  std::optional<wire::Endpoint> server;  ///< which of this machine's addresses they come from
  SourceChoice source = SourceChoice::kAuto;
  std::vector<std::uint32_t> processes;  ///< of these only; empty: of all
  bool all_events = false;               ///< also what needed no input or output
  std::string user = "nobody";  ///< whose rights remain; a name of /etc/passwd, or a number
};

/// `name` stands in messages. An error says line, what was found, what was expected.
Result<Config> parse_config(std::string_view text, const std::string& name);
Result<Config> read_config(const std::string& path);

}  // namespace physmem::daemon
