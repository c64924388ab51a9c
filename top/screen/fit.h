// SPDX-License-Identifier: MIT
// Texts and numbers in a given number of terminal columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem::top {

/// The beginning of the text that fits.
std::string clipped(std::string_view text, std::size_t columns);
/// The text with its middle replaced by "…" if it does not fit. Both ends of a path matter.
std::string shortened(std::string_view text, std::size_t columns);
/// The same, filled with blanks on the right or on the left.
std::string left_aligned(std::string_view text, std::size_t columns);
std::string right_aligned(std::string_view text, std::size_t columns);

/// "0", "812K", "9.81M", "123M", "1.23G": at most five characters below 10000 TiB. "-" if not
/// known.
std::string size_text(std::optional<std::uint64_t> kib);
/// A lower bound, rounded down: ">812K", ">9.8M", ">123M".
std::string at_least_text(std::uint64_t kib);
/// "0", "812", "12.3k", "1.2M". "-" if not known.
std::string rate_text(std::optional<double> rate);
/// "0.0", "99.9", "123". "-" if not known.
std::string percent_text(std::optional<double> percent);
/// "3:34" hours and minutes, with "2 d " before them.
std::string uptime_text(std::uint64_t ns);

}  // namespace physmem::top
