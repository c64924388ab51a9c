// SPDX-License-Identifier: MIT
// /etc/pftraced.conf: the client, the events to send, and the user to run as.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paging/source/open_records.h"
#include "paging/wire/endpoint.h"
#include "program/result.h"

namespace physmem::daemon {

inline constexpr const char* kConfigFile = "/etc/pftraced.conf";

struct Config {
  wire::Endpoint client;                 ///< destination of the datagrams
  std::optional<wire::Endpoint> server;  ///< source address on this machine
  SourceChoice source = SourceChoice::kAuto;
  std::vector<std::uint32_t> processes;  ///< only these; empty: all
  bool all_events = false;               ///< also events without device I/O
  std::string user = "nobody";           ///< user to run as: a name in /etc/passwd or a number
};

/// `name` is used in messages. An error contains the line, what was found and what was expected.
Result<Config> parse_config(std::string_view text, const std::string& name);
Result<Config> read_config(const std::string& path);

}  // namespace physmem::daemon
