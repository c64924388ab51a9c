// SPDX-License-Identifier: MIT
#include "analyzer/analyze/many/ram_digest.h"

#include <algorithm>
#include <utility>

#include "analyzer/analyze/ram/class_pages.h"

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

void RamDigest::add(const Header& header, const std::string& host, const RamOfSnapshot& ram) {
  if (!ram.is_known) return;
  const auto machine = add_machine(machine_of(header, host), host, 1, header.time_ns);
  for (const auto& [name, bytes] : ram.classes) add_class(name, machine, {1, bytes, bytes, bytes});
  for (const auto& [key, bytes] : ram.owners)
    add_owner(key.first, key.second, machine, {1, bytes, bytes, bytes});
}

FleetMachines::Number RamDigest::add_machine(const std::string& machine, const std::string& host,
                                             std::uint64_t snapshots,
                                             std::optional<std::uint64_t> last_ns) {
  snapshots_ += snapshots;
  return machines_.add(machine, host, last_ns);
}

void RamDigest::add_class(const std::string& name, FleetMachines::Number machine, const Sum& sum) {
  add(classes_[name], machine, sum);
}

void RamDigest::add_owner(FleetOwnerKind kind, const std::string& name,
                          FleetMachines::Number machine, const Sum& sum) {
  Totals& totals = owners_[kind];
  if (totals.size() < kMaxNames || totals.contains(name))
    add(totals[name], machine, sum);
  else
    rest_[kind] += static_cast<long double>(sum.bytes);
}

void RamDigest::add(Total& total, FleetMachines::Number machine, const Sum& sum) const {
  total.machines.insert(machine);
  if (total.snapshots == 0 || sum.max > total.max ||
      (sum.max == total.max && machines_.is_before(machine, total.max_machine))) {
    total.max = sum.max;
    total.max_machine = machine;
  }
  total.min = total.snapshots == 0 ? sum.min : std::min(total.min, sum.min);
  total.snapshots += sum.snapshots;
  total.bytes += static_cast<long double>(sum.bytes);
}

std::vector<RamDigestRow> RamDigest::rows(const Totals& totals) const {
  std::vector<RamDigestRow> rows;
  for (const auto& [name, total] : totals) {
    const bool is_everywhere = total.snapshots == snapshots_;
    rows.push_back({name, total.machines.size(), total.snapshots,
                    RamDigestRow::Range{is_everywhere ? total.min : 0, total.max,
                                        machines_.host(total.max_machine)},
                    static_cast<double>(total.bytes) / static_cast<double>(snapshots_)});
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
  if (beyond != rest_.end())
    other.mean = static_cast<double>(beyond->second) / static_cast<double>(snapshots_);
  for (std::size_t i = kShown; i < shown.size(); ++i) other.mean += shown[i].mean;
  const bool has_rest = shown.size() > kShown || beyond != rest_.end();
  shown.resize(std::min(shown.size(), kShown));
  if (has_rest) shown.push_back(std::move(other));
  return shown;
}

}  // namespace physmem
