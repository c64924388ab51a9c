// SPDX-License-Identifier: MIT
#include "top/sample/replay_source.h"

#include <utility>

#include "analyzer/analyze/census.h"
#include "analyzer/parse/open_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "program/machine_id.h"
#include "program/signals.h"
#include "top/model/round_fold.h"

namespace physmem::top {

Result<History> ReplaySource::read() {
  const auto source = open_source(path_);
  if (!source) return source.error();
  SnapshotReader reader(**source, path_, {});
  History history(HistoryLimits::none());
  RoundFold fold;
  std::uint64_t incomplete = 0;
  while (!interrupted()) {
    Census census({&fold});
    const auto more = reader.next(census);
    if (!more && history.is_empty()) return more.error();
    if (!more) problem_ = more.error().text;
    if (reader.notes().data_is_missing()) ++incomplete;
    if (!more || !*more) break;
    const Header& header = census.header();
    is_of_this_machine_ = is_this_machine({header.machine_id, header.boot_id, header.host});
    has_areas_ = has_areas_ || census.header().has_areas;
    history.add(fold.round());
  }
  if (problem_.empty() && incomplete != 0)
    problem_ = path_ + ": data is missing from " + std::to_string(incomplete) +
               (incomplete == 1 ? " snapshot" : " snapshots") + "; physmem-analyze names it";
  return history;
}

std::string ReplaySource::no_details() const {
  if (!has_areas_) return "this file has no areas: physmem-collect --interval records them";
  return details_problem_;
}

void ReplaySource::request_details(std::uint64_t pid, std::uint64_t round) {
  details_.reset();
  details_problem_.clear();
  if (!has_areas_) return;
  const auto source = open_source(path_);
  if (!source) {
    details_problem_ = source.error().text;
    return;
  }
  SnapshotReader reader(**source, path_, {});
  Events skipped;
  for (std::uint64_t number = 0; number < round; ++number)
    if (const auto more = reader.next(skipped); !more || !*more) break;
  DetailsFold fold;
  Census census(fold.analyses(), {.pids = {pid}});
  const auto found = reader.next(census);
  if (!found) details_problem_ = found.error().text;
  if (found && *found && fold.details().pid == pid)
    details_ = std::make_shared<const Details>(fold.details());
  else if (details_problem_.empty())
    details_problem_ = "the snapshot has no areas of this process";
}

}  // namespace physmem::top
