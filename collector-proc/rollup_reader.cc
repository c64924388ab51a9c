// SPDX-License-Identifier: MIT
#include "collector-proc/rollup_reader.h"

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

std::optional<Rollup> parse_rollup(std::string_view text) {
  const auto rss = number_of_line(text, "Rss:");
  const auto pss = number_of_line(text, "Pss:");
  if (!rss || !pss) return std::nullopt;
  return Rollup{*rss, *pss};
}

}  // namespace physmem::collect
