// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem::collect {

constexpr std::uint64_t kSecondNs = 1'000'000'000;

/// "5s", "500ms", "1m", "2h" or a bare number of seconds, in ns; nothing for any other text and
/// from 1000 hours on.
std::optional<std::uint64_t> parse_duration(std::string_view text);

/// "4 s", below ten seconds "1.3 s", below one "250 ms".
std::string duration_text(std::uint64_t ns);

}  // namespace physmem::collect
