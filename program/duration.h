// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem {

constexpr std::uint64_t kSecondNs = 1'000'000'000;

/// Parses "5s", "0.5s", "500ms", "1m", "2h" or a number of seconds to ns. Up to three decimals.
/// Returns nothing for any other text and for 1000 hours or more.
std::optional<std::uint64_t> parse_duration(std::string_view text);

/// Formats as "4 s", below ten seconds as "1.3 s", below one second as "250 ms".
std::string duration_text(std::uint64_t ns);

}  // namespace physmem
