// SPDX-License-Identifier: MIT
#include "analyzer/analyze/alerts.h"

#include <algorithm>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

Alert alert(Alert::Rule rule, const Process& process, const Area& area) {
  return {rule,
          process.task.comm,
          process.pid(),
          area.vma.unit,
          area.vma.start,
          area.marks.flags,
          area.tally.single(),
          area.tally.shared(),
          area.tally.anon.pages};
}

/// Text of a file that every process could share.
bool is_shareable_text(const Vma& vma) {
  return has_file(vma) && vma.is(PM_VMA_EXEC) && !vma.is(PM_VMA_WRITE) && !vma.is(PM_VMA_SHARED);
}

}  // namespace

void Alerts::on_process(const Process& process) {
  for (const Area& area : process.areas) {
    if (area.tally.single() != 0 && area.tally.shared() != 0)
      rows_.push_back(alert(Alert::Rule::kSingleAndShared, process, area));
    if (has_stable_flags_ && is_shareable_text(area.vma) && area.tally.anon.pages != 0)
      private_text(process, area);
  }
}

void Alerts::private_text(const Process& process, const Area& area) {
  rows_.push_back(alert(Alert::Rule::kPrivateText, process, area));
  const UnitKey key = unit_key(area.vma);
  auto unit =
      std::find_if(private_text_.begin(), private_text_.end(), [&](const auto& u) { return u.key == key; });
  if (unit == private_text_.end()) {
    private_text_.push_back({area.vma.unit, key, 0, 0, 0, std::nullopt});
    unit = private_text_.end() - 1;
  }
  ++unit->processes;
  unit->copies += area.tally.anon.pages;
  unit->largest = std::max(unit->largest, area.tally.anon.pages);
}

std::uint64_t Alerts::count(Alert::Rule rule) const {
  return static_cast<std::uint64_t>(
      std::count_if(rows_.begin(), rows_.end(), [&](const Alert& a) { return a.rule == rule; }));
}

void Alerts::prove(const std::function<std::optional<bool>(const PrivateText&)>& has_text_relocations) {
  for (PrivateText& unit : private_text_) unit.has_text_relocations = has_text_relocations(unit);
}

}  // namespace physmem
