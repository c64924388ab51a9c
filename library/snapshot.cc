// SPDX-License-Identifier: MIT
#include "physmem/snapshot.h"

#include <memory>
#include <utility>

#include "formats/emit/flags.h"
#include "library/opened_file.h"
#include "library/snapshot_data.h"
#include "library/snapshot_fold.h"
#include "physmem/error.h"
#include "physmem/flags.h"
#include "physmem/version.h"

namespace physmem {

static_assert(area_flag::kWrite == PM_VMA_WRITE && area_flag::kShared == PM_VMA_SHARED &&
              area_flag::kGrowsDown == PM_VMA_GROWSDOWN &&
              area_flag::kProgram == PM_VMA_EXECUTABLE && area_flag::kBss == PM_VMA_BSS);
static_assert(page_flag::kDirty == PM_PAGE_DIRTY && page_flag::kAnonymous == PM_PAGE_ANON &&
              page_flag::kHugetlb == PM_PAGE_HUGE && page_flag::kKsm == PM_PAGE_KSM &&
              page_flag::kZeroPage == PM_PAGE_ZERO_PAGE &&
              page_flag::kPageTable == PM_PAGE_PGTABLE);

const char* library_version() noexcept {
  return PHYSMEM_VERSION_STRING;
}

SnapshotError::SnapshotError(Kind kind, const std::string& what, std::string file,
                             std::uint64_t line, std::uint64_t column, std::error_code code)
    : std::runtime_error(what),
      kind_(kind),
      file_(std::move(file)),
      line_(line),
      column_(column),
      code_(code) {}
SnapshotError::~SnapshotError() = default;

std::string AreaRow::permissions() const {
  const auto letter = [this](std::uint64_t flag, char set, char unset) {
    return (flags & flag) != 0 ? set : unset;
  };
  return {letter(area_flag::kRead, 'r', '-'), letter(area_flag::kWrite, 'w', '-'),
          letter(area_flag::kExecute, 'x', '-'), letter(area_flag::kShared, 's', 'p')};
}

Snapshot Snapshot::open(const std::filesystem::path& path, const OpenOptions& options) {
  OpenedFile file(path, options.jobs);
  std::unique_ptr<SnapshotData> data = read_snapshot(file, options);  // none is an error
  data->info.has_more = file.has_more();
  return Snapshot(std::move(data));
}

const std::filesystem::path& Snapshot::path() const {
  return data_->path;
}
const SnapshotInfo& Snapshot::info() const {
  return data_->info;
}
const std::vector<ProcessRow>& Snapshot::processes() const {
  return data_->processes;
}
const std::vector<AreaRow>& Snapshot::areas() const {
  return data_->areas;
}
const std::vector<UnitRow>& Snapshot::units() const {
  return data_->units;
}
const std::vector<MappingRow>& Snapshot::mappings() const {
  return data_->mappings;
}
const std::vector<UserRow>& Snapshot::users() const {
  return data_->users;
}
const std::vector<CgroupRow>& Snapshot::cgroups() const {
  return data_->cgroups;
}
const std::vector<RegionRow>& Snapshot::regions() const {
  return data_->regions;
}
const std::vector<LedgerRow>& Snapshot::ledger() const {
  return data_->ledger;
}
const std::vector<FrameOwnerRow>& Snapshot::owners() const {
  return data_->owners;
}
const std::vector<CounterRow>& Snapshot::counters() const {
  return data_->counters;
}
const std::vector<CounterRow>& Snapshot::notes() const {
  return data_->notes;
}

}  // namespace physmem
