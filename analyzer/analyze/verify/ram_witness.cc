// SPDX-License-Identifier: MIT
#include "analyzer/analyze/verify/ram_witness.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/analyze/verify/ram_claims.h"

namespace physmem {
namespace {

using Kind = RamVerdict::Kind;

constexpr std::string_view kBlock = "the collector may split or join a block";
constexpr std::string_view kBlocks = "blocks were split and joined while frames were read";

std::optional<RamTotal> sum_of(const Ledger& ledger, const std::vector<std::string_view>& names) {
  RamTotal sum;
  for (const std::string_view name : names) {
    const auto total = ledger.total(name);
    if (!total && name == names.front()) return std::nullopt;
    sum += total.value_or(RamTotal{});
  }
  return sum;
}

RamVerdict judge(const Ledger& ledger, const RamClaim& claim, const RamTotal& theirs) {
  RamVerdict verdict;
  verdict.claim = claim.claim;
  verdict.witness = claim.witness;
  verdict.ours = claim.ours(ledger);
  verdict.theirs = theirs;
  verdict.tolerance = claim.tolerance_of(ledger);
  verdict.rule = claim.rule_of(ledger);
  verdict.reason = ledger.has_runs() ? claim.obstacle(ledger) : kNoRuns;
  if (!verdict.reason.empty()) return verdict;
  const std::uint64_t motion = claim.is_fixed ? 0 : ledger.motion_of(theirs) + claim.flow(ledger);
  verdict.kind = judged(verdict.ours, theirs, verdict.tolerance, motion);
  if (verdict.kind == Kind::kMoved) verdict.motion = motion;
  return verdict;
}

/// /proc/slabinfo is read after the frames. The change of Slab is the change of the caches.
std::optional<RamTotal> slabinfo(const Ledger& ledger) {
  const std::uint64_t pages = ledger.sum_of("slab");
  const auto slab = ledger.total("slab");
  if (pages == 0 || !slab) return std::nullopt;
  const auto at = [&](std::uint64_t reading) {
    return pages + reading - std::min(pages + reading, slab->after);
  };
  RamTotal total{at(slab->before), pages};
  if (slab->samples)
    total.samples = {at(slab->samples->mean), at(slab->samples->low), at(slab->samples->high)};
  return total;
}

RamVerdict frames_verdict(const Ledger& ledger) {
  const std::uint64_t spanned = ledger.spanned();
  const std::uint64_t covered = ledger.covered();
  RamVerdict verdict{"frames with one class", "spanned frames of the zones"};
  verdict.kind = covered == spanned ? Kind::kAgrees : Kind::kDiffers;
  verdict.ours = covered;
  verdict.theirs = {spanned, spanned};
  return verdict;
}

/// The collector, which takes and frees pages, may split or join one block.
std::uint64_t tolerance_of_order(std::size_t order) {
  return std::max<std::uint64_t>(8, std::uint64_t{1} << order);
}

std::vector<WitnessMember> free_orders(const Ledger& ledger) {
  std::vector<WitnessMember> members;
  const PageSize size = ledger.header().page_size;
  bool has_moved = false;
  for (std::size_t order = 0; order < Ledger::kUnknownOrder; ++order) {
    const auto theirs = ledger.total("free_order." + std::to_string(order));
    if (!theirs) break;
    const std::uint64_t ours = ledger.free_of(order);
    has_moved = has_moved || theirs->has_moved();
    members.push_back({"order " + std::to_string(order),
                       judged(ours, *theirs, tolerance_of_order(order)),
                       size.kib(ours),
                       {size.kib(theirs->before), size.kib(theirs->after)},
                       false});
  }
  for (WitnessMember& member : members)
    if (member.kind == Kind::kDiffers && has_moved) member.kind = Kind::kUnknowable;
  return members;
}

RamVerdict free_orders_verdict(const Ledger& ledger, std::vector<WitnessMember> members) {
  RamVerdict verdict{"free blocks by order", "/proc/buddyinfo"};
  verdict.tolerance = tolerance_of_order(0);
  verdict.rule = kBlock;
  verdict.reason = kBlocks;
  if (!ledger.has_runs())
    verdict.reason = kNoRuns;
  else if (ledger.free_of(Ledger::kUnknownOrder) != 0)
    verdict.reason = "the collector does not know the order";
  else
    add_members(verdict, ledger.header().page_size.kib(1), std::move(members));
  return verdict;
}

}  // namespace

std::vector<RamVerdict> ram_verdicts(const Ledger& ledger) {
  std::vector<RamVerdict> verdicts;
  if (!ledger.is_known()) return verdicts;
  if (!ledger.zones().empty()) verdicts.push_back(frames_verdict(ledger));
  for (const RamClaim& claim : ram_claims()) {
    const auto theirs = claim.totals.empty() ? slabinfo(ledger) : sum_of(ledger, claim.totals);
    if (theirs) verdicts.push_back(judge(ledger, claim, *theirs));
  }
  if (auto orders = free_orders(ledger); !orders.empty())
    verdicts.push_back(free_orders_verdict(ledger, std::move(orders)));
  return verdicts;
}

}  // namespace physmem
