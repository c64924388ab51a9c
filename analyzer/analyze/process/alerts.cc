// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/alerts.h"

#include <algorithm>
#include <map>
#include <set>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

Alert alert(Alert::Rule rule, const Process& process, const Area& area) {
  return {rule,
          process.task.comm,
          process.pid(),
          area.vma.unit,
          unit_key(area.vma),
          area.vma.start,
          area.marks.flags,
          area.tally.single(),
          area.tally.shared(),
          area.tally.anon.pages};
}

/// Whether the area is text of a file that all processes could share.
bool is_shareable_text(const Vma& vma) {
  return has_file(vma) && vma.is(PM_VMA_EXEC) && !vma.is(PM_VMA_WRITE) && !vma.is(PM_VMA_SHARED);
}

}  // namespace

void Alerts::on_process(const Process& process) {
  std::map<UnitKey, std::uint64_t> copies;  // a unit may have several executable areas
  if (has_stable_flags_) count_mappers(process);
  for (const Area& area : process.areas) {
    if (area.tally.single() != 0 && area.tally.shared() != 0)
      rows_.push_back(alert(Alert::Rule::kSingleAndShared, process, area));
    if (!has_stable_flags_ || !is_shareable_text(area.vma) || area.tally.anon.pages == 0) continue;
    rows_.push_back(alert(Alert::Rule::kPrivateText, process, area));
    PrivateText& unit = unit_of(area.vma);
    std::uint64_t& own = copies[unit.key];
    if (own == 0) ++unit.processes;
    own += area.tally.anon.pages;
    unit.copies += area.tally.anon.pages;
    unit.largest = std::max(unit.largest, own);
  }
  for (PrivateText& unit : private_text_) unit.others = mappers_[unit.key] - unit.processes;
}

void Alerts::count_mappers(const Process& process) {
  std::set<UnitKey> units;
  for (const Area& area : process.areas)
    if (is_shareable_text(area.vma)) units.insert(unit_key(area.vma));
  for (const UnitKey& unit : units) ++mappers_[unit];
}

PrivateText& Alerts::unit_of(const Vma& vma) {
  const UnitKey key = unit_key(vma);
  const auto unit = std::find_if(private_text_.begin(), private_text_.end(),
                                 [&](const auto& u) { return u.key == key; });
  if (unit != private_text_.end()) return *unit;
  PrivateText& added = private_text_.emplace_back();
  added.unit = vma.unit;
  added.key = key;
  return added;
}

std::uint64_t Alerts::count(Alert::Rule rule) const {
  return static_cast<std::uint64_t>(
      std::count_if(rows_.begin(), rows_.end(), [&](const Alert& a) { return a.rule == rule; }));
}

void Alerts::prove(
    const std::function<std::optional<bool>(const PrivateText&)>& has_text_relocations) {
  for (PrivateText& unit : private_text_) unit.has_text_relocations = has_text_relocations(unit);
}

}  // namespace physmem
