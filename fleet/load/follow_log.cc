// SPDX-License-Identifier: MIT
#include "fleet/load/follow_log.h"

#include <fmt/format.h>

#include "analyzer/shape/view.h"

namespace physmem::fleet {

std::optional<std::string> FollowLog::line(const Loaded& loaded, std::uint64_t now_ns) {
  const std::uint64_t added = loaded.added - reported_.added;
  const std::uint64_t known = loaded.known - reported_.known;
  const bool is_early = reported_ns_ && now_ns - *reported_ns_ < kIntervalNs;
  if (is_early || (added == 0 && known == 0)) return std::nullopt;
  reported_ = loaded;
  reported_ns_ = now_ns;
  return fmt::format("{} more {} added, {} known before; the latest is of {}", added,
                     added == 1 ? "snapshot" : "snapshots", known, utc_text(loaded.latest_ns));
}

}  // namespace physmem::fleet
