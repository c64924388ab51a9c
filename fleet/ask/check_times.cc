// SPDX-License-Identifier: MIT
#include "fleet/ask/check_times.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "analyzer/shape/view.h"
#include "fleet/model/report.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

std::string text_of_second(std::uint64_t second) {
  return utc_text(second * kSecondNs);
}

}  // namespace

Status check_order(const Asked& asked) {
  if (asked.since && asked.until && *asked.since >= *asked.until)
    return Error{Error::Kind::kUsage,
                 fmt::format("--until: found {}, expected a time after --since, {}",
                             text_of_second(*asked.until), text_of_second(*asked.since))};
  if (asked.since && asked.before && *asked.before > *asked.since)
    return Error{Error::Kind::kUsage,
                 fmt::format("--before: found {}, expected --since, {}, or a time before it",
                             text_of_second(*asked.before), text_of_second(*asked.since))};
  return {};
}

Status check_expired(std::uint64_t expired, const Asked& asked) {
  const std::pair<const char*, std::optional<std::uint64_t>> times[]{
      {"--since", asked.since}, {"--until", asked.until}, {"--before", asked.before}};
  for (const auto& [option, time] : times)
    if (time && *time < expired && *time % kDay != 0)
      return Error{Error::Kind::kUsage,
                   fmt::format("{}: found {}, expected a midnight (UTC) such as {}: before {} the "
                               "store has only sums of days",
                               option, text_of_second(*time), text_of_second(*time - *time % kDay),
                               text_of_second(expired))};
  return {};
}

}  // namespace physmem::fleet
