// SPDX-License-Identifier: MIT
#include "analyzer/shape/verify_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "analyzer/shape/owner_words.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

const char* verdict_word(VerdictKind kind) {
  constexpr std::array<const char*, 4> kWords{"agrees", "moved", "differs", "cannot be compared"};
  return kWords[static_cast<std::size_t>(kind)];
}

/// How the kernel's number changed, and why ours may be outside of the change.
std::string motion_detail(const RamVerdict& verdict) {
  const RamTotal& theirs = verdict.theirs;
  std::string text =
      fmt::format("from {} to {} while frames were read", theirs.before, theirs.after);
  if (theirs.low() < std::min(theirs.before, theirs.after) ||
      theirs.high() > std::max(theirs.before, theirs.after))
    text += fmt::format(", between {} and {}", theirs.low(), theirs.high());
  if (static_cast<std::uint64_t>(std::abs(verdict.difference())) > verdict.tolerance)
    text += fmt::format("; up to {} pages came, went or were moved", verdict.motion);
  return text;
}

/// Whether it agrees, but not exactly.
bool uses_tolerance(const WitnessMember& member) {
  return member.kind == VerdictKind::kAgrees && member.ours_kib != member.theirs_kib.after;
}

/// How many of the members there are of each kind, and the first that differs.
std::string members_detail(const RamVerdict& verdict) {
  const std::size_t all = verdict.members.size();
  const std::size_t unknowable = verdict.members_of(VerdictKind::kUnknowable);
  std::string text = fmt::format("{} compared", all - unknowable);
  if (const std::size_t moved = verdict.members_of(VerdictKind::kMoved); moved != 0)
    text += fmt::format(", {} moved", moved);
  if (std::any_of(verdict.members.begin(), verdict.members.end(), uses_tolerance))
    text += verdict.tolerance == 0
                ? fmt::format(" ({})", verdict.rule)
                : fmt::format(", each within {} pages ({})", verdict.tolerance, verdict.rule);
  if (unknowable != 0)
    text += fmt::format("; {} cannot be compared ({})", unknowable, verdict.reason);
  if (!verdict.note.empty()) text += "; " + verdict.note;
  const std::size_t differ = verdict.members_of(VerdictKind::kDiffers);
  if (differ == 0) return text;
  const auto first =
      std::find_if(verdict.members.begin(), verdict.members.end(),
                   [](const WitnessMember& m) { return m.kind == VerdictKind::kDiffers; });
  return fmt::format("{} of {} differ{}: {}, {} kB for {} kB{}", differ, all - unknowable,
                     differ == 1 ? "s" : "", first->name, first->ours_kib, first->theirs_kib.after,
                     differ == 1 ? "" : " …");
}

std::string verdict_detail(const RamVerdict& verdict) {
  if (!verdict.members.empty()) return members_detail(verdict);
  if (!verdict.note.empty()) return verdict.note;
  if (verdict.frames_off != 0)
    return fmt::format("{} frames differ{}", verdict.frames_off,
                       verdict.rule.empty() ? "" : fmt::format(" ({})", verdict.rule));
  switch (verdict.kind) {
    case RamVerdict::Kind::kMoved:
      return motion_detail(verdict);
    case RamVerdict::Kind::kDiffers:
      return fmt::format("by {} pages{}", verdict.difference(),
                         verdict.tolerance == 0
                             ? ""
                             : fmt::format("; up to {} may be missing or too many: {}",
                                           verdict.tolerance, verdict.rule));
    case RamVerdict::Kind::kUnknowable:
      return std::string(verdict.reason);
    case RamVerdict::Kind::kAgrees:
      break;
  }
  return verdict.difference() == 0 ? ""
                                   : fmt::format("within {} ({})", verdict.tolerance, verdict.rule);
}

}  // namespace

std::string verdict_text(const std::vector<RamVerdict>& verdicts) {
  const std::size_t agree = count(verdicts, VerdictKind::kAgrees);
  const std::size_t moved = count(verdicts, VerdictKind::kMoved);
  const std::size_t differ = count(verdicts, VerdictKind::kDiffers);
  const std::size_t unknowable = verdicts.size() - agree - moved - differ;
  std::string text = fmt::format("{} of {} witnesses agree", agree, verdicts.size());
  if (moved != 0) text += fmt::format(", {} moved", moved);
  if (differ != 0) text += fmt::format(", {} differ{}", differ, differ == 1 ? "s" : "");
  if (unknowable != 0) text += fmt::format(", {} cannot be compared", unknowable);
  return text;
}

Table witness_table(const std::vector<RamVerdict>& verdicts) {
  Table table{{"verify",
               "What physmem and what the kernel counts, in pages",
               {{"Claim", Kind::kText},
                {"Pages"},
                {"Witness", Kind::kText},
                {"Before"},
                {"After"},
                {"Verdict", Kind::kText},
                {"Detail", Kind::kText}}},
              {}};
  table.head.spare = {"Detail"};
  for (const RamVerdict& verdict : verdicts)
    table.rows.push_back({std::string(verdict.claim), verdict.ours, std::string(verdict.witness),
                          verdict.theirs.before, verdict.theirs.after,
                          std::string(verdict_word(verdict.kind)), verdict_detail(verdict)});
  return table;
}

Table members_table(const std::vector<RamVerdict>& verdicts, bool has_all) {
  Table table{{"members",
               has_all ? "Parts of the comparisons, in kB" : "Parts that differ, in kB",
               {{"Claim", Kind::kText},
                {"Name", Kind::kText},
                {"kB", Kind::kNumber, "kb"},
                {"Before"},
                {"After"},
                {"Verdict", Kind::kText}}},
              {}};
  for (const RamVerdict& verdict : verdicts)
    for (const WitnessMember& member : verdict.members)
      if (has_all || member.kind == VerdictKind::kDiffers)
        table.rows.push_back({std::string(verdict.claim), member.name, member.ours_kib,
                              member.theirs_kib.before, member.theirs_kib.after,
                              std::string(verdict_word(member.kind))});
  return table;
}

/// "TITLE: 20 of 300 runs".
std::string runs_title(const std::string& title, std::size_t shown, std::size_t all) {
  return shown == all ? title : fmt::format("{}: {} of {} runs", title, shown, all);
}

Table miscounted_table(const MappingJoin& join, const Ledger& ledger, std::size_t max_rows) {
  const std::vector<MiscountedFrames>& all = join.differences();
  const std::string title = "Frames whose mappings differ from their count";
  Table table{{"miscounted",
               runs_title(title, std::min(max_rows, all.size()), join.different_runs()),
               {{"Frame", Kind::kHex},
                {"Pages"},
                {"Class", Kind::kText},
                {"Mappings"},
                {"Count"},
                {"In M:", Kind::kNumber, "listed"},
                {"Owner", Kind::kText}}},
              {}};
  for (std::size_t i = 0; i < std::min(max_rows, all.size()); ++i) {
    const MiscountedFrames& frames = all[i];
    const RamOwner* const owner = ledger.find_owner(frames.owner);
    table.rows.push_back({frames.first_pfn, frames.pages, class_cell(frames.use), frames.mappings,
                          frames.count, frames.listed ? Cell(*frames.listed) : Cell(),
                          owner != nullptr ? owner->name : ""});
  }
  return table;
}

}  // namespace physmem
