// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/ram_verdict.h"

#include <algorithm>
#include <utility>

namespace physmem {
namespace {

bool lies_between(std::uint64_t ours, const RamTotal& theirs, std::uint64_t tolerance) {
  const std::uint64_t low = theirs.low() > tolerance ? theirs.low() - tolerance : 0;
  return ours >= low && ours <= theirs.high() + tolerance;
}

}  // namespace

std::uint64_t RamTotal::low() const {
  const std::uint64_t ends = std::min(before, after);
  return samples ? std::min({ends, samples->low, samples->mean}) : ends;
}

std::uint64_t RamTotal::high() const {
  const std::uint64_t ends = std::max(before, after);
  return samples ? std::max({ends, samples->high, samples->mean}) : ends;
}

RamTotal& RamTotal::operator+=(const RamTotal& other) {
  if (samples || other.samples)
    samples = {mean() + other.mean(), low() + other.low(), high() + other.high()};
  before += other.before;
  after += other.after;
  return *this;
}

VerdictKind judged(std::uint64_t ours, const RamTotal& theirs, std::uint64_t tolerance,
                   std::uint64_t motion) {
  if (theirs.before == theirs.after && lies_between(ours, {theirs.before, theirs.after}, tolerance))
    return VerdictKind::kAgrees;
  return lies_between(ours, theirs, tolerance + motion) ? VerdictKind::kMoved
                                                        : VerdictKind::kDiffers;
}

std::int64_t RamVerdict::difference() const {
  // Counters are at most kMaxCounter, and so are numbers of frames.
  if (ours > theirs.high()) return static_cast<std::int64_t>(ours - theirs.high());
  if (ours < theirs.low()) return -static_cast<std::int64_t>(theirs.low() - ours);
  return 0;
}

std::size_t RamVerdict::members_of(Kind wanted) const {
  return static_cast<std::size_t>(
      std::count_if(members.begin(), members.end(),
                    [wanted](const WitnessMember& m) { return m.kind == wanted; }));
}

std::size_t count(const std::vector<RamVerdict>& verdicts, RamVerdict::Kind kind) {
  return static_cast<std::size_t>(std::count_if(
      verdicts.begin(), verdicts.end(), [kind](const RamVerdict& v) { return v.kind == kind; }));
}

void add_members(RamVerdict& verdict, std::uint64_t kib_per_page,
                 std::vector<WitnessMember> members) {
  for (const WitnessMember& member : members) {
    if (member.kind == VerdictKind::kUnknowable || member.is_part) continue;
    verdict.ours += member.ours_kib;
    verdict.theirs.before += member.theirs_kib.before;
    verdict.theirs.after += member.theirs_kib.after;
  }
  for (std::uint64_t* const sum : {&verdict.ours, &verdict.theirs.before, &verdict.theirs.after})
    *sum /= kib_per_page;
  verdict.members = std::move(members);
  for (const VerdictKind kind : {VerdictKind::kDiffers, VerdictKind::kMoved, VerdictKind::kAgrees})
    if (verdict.members_of(kind) != 0) {
      verdict.kind = kind;
      return;
    }
}

}  // namespace physmem
