// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram_digest.h"

#include <algorithm>
#include <utility>

#include "analyzer/analyze/class_pages.h"

namespace physmem {

RamOfSnapshot RamOfSnapshot::of(const Ledger& ledger) {
  RamOfSnapshot ram;
  ram.is_known = ledger.is_known();
  if (!ram.is_known) return ram;
  const std::uint64_t page = ledger.header().page_size.bytes;
  for (const ClassPages& row : class_pages(ledger)) ram.classes[row.name] += row.pages * page;
  for (const OwnerRow& row : ledger.owners()) {
    if (row.owner.kind == RamOwner::Kind::kSlab)
      ram.owners[{FleetOwnerKind::kSlab, row.owner.name}] += row.pages * page;
    if (row.owner.kind == RamOwner::Kind::kFile)
      ram.owners[{FleetOwnerKind::kFileSystem, row.owner.file_system}] += row.pages * page;
  }
  return ram;
}

void RamDigest::add(Sum& sum, const std::string& host, std::uint64_t bytes) {
  sum.hosts.insert(host);
  if (bytes > sum.max || sum.snapshots == 0) {
    sum.max = bytes;
    sum.max_host = host;
  }
  sum.min = sum.snapshots == 0 ? bytes : std::min(sum.min, bytes);
  ++sum.snapshots;
  sum.bytes += static_cast<double>(bytes);
}

void RamDigest::add(const std::string& host, const RamOfSnapshot& ram) {
  if (!ram.is_known) return;
  ++snapshots_;
  hosts_.insert(host);
  for (const auto& [name, bytes] : ram.classes) add(classes_[name], host, bytes);
  for (const auto& [key, bytes] : ram.owners) {
    const auto& [kind, name] = key;
    Sums& sums = owners_[kind];
    if (sums.size() < kMaxNames || sums.contains(name))
      add(sums[name], host, bytes);
    else
      rest_[kind] += static_cast<double>(bytes);
  }
}

std::vector<RamDigestRow> RamDigest::rows(const Sums& sums) const {
  std::vector<RamDigestRow> rows;
  for (const auto& [name, sum] : sums) {
    const bool is_everywhere = sum.snapshots == snapshots_;
    rows.push_back({name, sum.hosts.size(), sum.snapshots,
                    RamDigestRow::Range{is_everywhere ? sum.min : 0, sum.max, sum.max_host},
                    sum.bytes / static_cast<double>(snapshots_)});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.mean > b.mean; });
  return rows;
}

std::vector<RamDigestRow> RamDigest::classes() const {
  return rows(classes_);
}

std::vector<RamDigestRow> RamDigest::owners(FleetOwnerKind kind) const {
  const auto sums = owners_.find(kind);
  if (sums == owners_.end()) return {};
  std::vector<RamDigestRow> shown = rows(sums->second);
  const auto beyond = rest_.find(kind);
  RamDigestRow other{"other", 0, 0, {}, 0};
  if (beyond != rest_.end()) other.mean = beyond->second / static_cast<double>(snapshots_);
  for (std::size_t i = kShown; i < shown.size(); ++i) other.mean += shown[i].mean;
  const bool has_rest = shown.size() > kShown || beyond != rest_.end();
  shown.resize(std::min(shown.size(), kShown));
  if (has_rest) shown.push_back(std::move(other));
  return shown;
}

}  // namespace physmem
