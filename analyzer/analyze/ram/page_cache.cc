// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/page_cache.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzer/analyze/mapping_sweep.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

bool is_cache(FrameClass use) {
  return use == PM_RAM_FILE || use == PM_RAM_BLOCK || use == PM_RAM_SHMEM;
}

/// The kind of a run without a known file. Most shared memory belongs to files of a tmpfs.
CacheKind cache_kind(FrameClass use) {
  return use == PM_RAM_FILE    ? CacheKind::kFile
         : use == PM_RAM_BLOCK ? CacheKind::kBlock
                               : CacheKind::kTmpfs;
}

}  // namespace

void CacheCounts::add(const RamRun& run) {
  const auto if_set = [&](std::uint64_t flag) { return (run.flags & flag) != 0 ? run.pages : 0; };
  *this += {run.pages, run.count != 0 ? run.pages : 0, if_set(PM_PAGE_DIRTY),
            if_set(PM_PAGE_WRITEBACK), if_set(PM_PAGE_ACTIVE)};
}

void CacheCounts::add(const FileCounts& counts) {
  pages += counts.pages;
  without_use += counts.pages;
  without_states += counts.dirty ? 0 : counts.pages;
  dirty += counts.dirty.value_or(0);
  writeback += counts.writeback.value_or(0);
}

CacheCounts& CacheCounts::operator+=(const CacheCounts& other) {
  pages += other.pages;
  mapped += other.mapped;
  dirty += other.dirty;
  writeback += other.writeback;
  active += other.active;
  without_use += other.without_use;
  without_states += other.without_states;
  return *this;
}

void PageCache::on_header(const Header& header) {
  *this = PageCache(std::move(only_));
  header_ = header;
}

void PageCache::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    if (counter.name == "files.asked") asked_.files = counter.value;
    if (counter.name == "files.pages") asked_.pages = counter.value;
    if (counter.name == "files.denied") asked_.denied = counter.value;
    if (counter.name == "files.skipped") asked_.skipped = counter.value;
    if (counter.name == "mem.Cached_kB") cached_kb_ = counter.value;
    if (counter.name == "mem.Buffers_kB") buffers_kb_ = counter.value;
  }
}

void PageCache::on_pages(const Process&, const Area&, std::span<const PageRun> runs) {
  if (header_.pfn_hidden || !header_.stable_flags) return;
  for (const PageRun& run : runs) {
    if (!has_counted_mappings(run) || (run.flags & PM_PAGE_ANON) != 0) continue;
    const std::uint64_t first = header_.frame(run.value);
    if (!frames_) frames_ = {first, first};
    frames_->back() = first + run.pages - 1;
  }
}

void PageCache::on_area_end(const Process& process, const Area& area) {
  has_areas_ = true;
  const auto frames = std::exchange(frames_, std::nullopt);
  // The first System V segment has inode 0, on a device with a number.
  const bool has_file = area.vma.inode != 0 || area.vma.device != 0;
  if (!has_file || area.tally.file.pages == 0) return;
  if (processes_.empty() || processes_.back().pid != process.pid())
    processes_.push_back({process.pid(), process.task.comm});
  const auto index = static_cast<std::uint32_t>(processes_.size() - 1);
  if (frames)
    for (const std::size_t end : {0U, 1U}) probes_.push_back({(*frames)[end], uses_.size(), end});
  uses_.push_back(
      {index, {area.vma.device, area.vma.inode}, area.tally.file.pages, {kNoFile, kNoFile}});
}

void PageCache::on_owner(const RamOwner& owner) {
  mounts_.on_owner(owner);
  if (owner.kind == RamOwner::Kind::kFile && fits(mounts_.path_of(owner)))
    add_file(owner, mounts_.has(owner), mounts_.root_of(owner).size(), mounts_.path_of(owner));
  if (owner.kind != RamOwner::Kind::kCountedFile || !fits(owner.name)) return;
  add_file(owner, true, 0, owner.name);
  counts_.back().add(owner.counts);
  kinds_[static_cast<std::size_t>(files_.back().kind)].add(owner.counts);
}

bool PageCache::fits(const std::string& name) const {
  return only_.empty() || std::any_of(only_.begin(), only_.end(), [&](const NamePattern& pattern) {
           return pattern.matches(name);
         });
}

void PageCache::add_file(const RamOwner& owner, bool has_whole_path, std::size_t root_size,
                         std::string name) {
  const CacheKind kind = kind_of(owner);
  ids_.push_back(owner.id);
  counts_.emplace_back();
  files_.push_back({owner.device, owner.inode, owner.bytes, kind,
                    owner.links == 0 && has_folders(kind), has_whole_path,
                    static_cast<std::uint8_t>(root_size), file_system_of(owner.file_system),
                    std::move(name)});
}

std::uint16_t PageCache::file_system_of(const std::string& name) {
  constexpr std::size_t kMost = 256;  // a crafted snapshot may name any number
  const auto known = std::find(file_systems_.begin(), file_systems_.end(), name);
  const auto index = static_cast<std::uint16_t>(known - file_systems_.begin());
  if (known != file_systems_.end()) return index;
  if (file_systems_.size() == kMost) return kMost - 1;
  file_systems_.push_back(index == kMost - 1 ? "others" : name);
  return index;
}

/// Index in files_, or its size. Ids ascend.
std::size_t PageCache::file_of(std::uint64_t owner) const {
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), owner);
  return found != ids_.end() && *found == owner ? static_cast<std::size_t>(found - ids_.begin())
                                                : files_.size();
}

/// R: lines ascend, and come after all processes.
void PageCache::note_file(const RamRun& run, std::size_t file) {
  if (!std::exchange(has_runs_, true)) std::ranges::sort(probes_, {}, &Probe::pfn);
  for (; next_probe_ < probes_.size(); ++next_probe_) {
    const Probe& probe = probes_[next_probe_];
    if (probe.pfn >= run.first_pfn + run.pages) return;
    if (probe.pfn >= run.first_pfn) uses_[probe.use].files[probe.end] = file;
  }
}

/// The rest of the page cache, if files were counted and are not all files.
void PageCache::take_named_from_unnamed() {
  if (header_.files != Header::Files::kOpen || is_selection()) return;
  const std::uint64_t all = header_.ram == Header::Ram::kAll
                                ? unnamed_.pages
                                : header_.page_size.pages((cached_kb_ + buffers_kb_) * 1024);
  const std::uint64_t known = named().pages;
  CacheCounts rest;
  rest.pages = rest.without_use = rest.without_states = all - std::min(known, all);
  unnamed_ = rest;
}

/// Both ends of an area have the same file, unless a frame got another owner in the meantime.
void PageCache::on_end() {
  take_named_from_unnamed();
  std::unordered_map<FileId, std::size_t, FileIdHash> files_by_id;
  for (std::size_t i = 0; i < files_.size(); ++i)
    files_by_id.try_emplace({files_[i].device, files_[i].inode}, i);
  for (const Use& use : uses_) {
    const auto known = files_by_id.find(use.id);
    const std::size_t named = known == files_by_id.end() ? kNoFile : known->second;
    const bool is_joined = use.files[0] == use.files[1] && use.files[0] != kNoFile;
    const std::size_t file = is_joined ? use.files[0] : named;
    if (file != kNoFile) file_uses_.push_back({file, use.process, use.pages});
  }
  std::ranges::stable_sort(file_uses_, {}, &FileUse::file);
}

void PageCache::on_ram(const RamRun& run) {
  if (!is_cache(run.use)) return;
  const std::size_t file = run.owner == 0 ? files_.size() : file_of(run.owner);
  const bool is_named = file != files_.size();
  if (!is_named && is_selection()) return;
  const CacheKind kind = is_named ? files_[file].kind : cache_kind(run.use);
  if (header_.files == Header::Files::kNone) kinds_[static_cast<std::size_t>(kind)].add(run);
  (is_named ? counts_[file] : unnamed_).add(run);
  if (is_named) note_file(run, file);
}

CacheCounts PageCache::total() const {
  CacheCounts sum;
  for (const CacheCounts& counts : kinds_) sum += counts;
  if (header_.files != Header::Files::kNone) sum += unnamed_;
  return sum;
}

CacheCounts PageCache::named() const {
  CacheCounts sum;
  for (const CacheCounts& counts : counts_) sum += counts;
  return sum;
}

CacheCounts PageCache::deleted() const {
  CacheCounts sum;
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (files_[i].is_deleted) sum += counts_[i];
  return sum;
}

std::size_t PageCache::count_files(const std::function<bool(const CachedFile&)>& fits) const {
  std::size_t files = 0;
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (counts_[i].pages != 0 && fits(files_[i])) ++files;
  return files;
}

std::span<const PageCache::FileUse> PageCache::uses_of(std::size_t file) const {
  const auto first = std::ranges::lower_bound(file_uses_, file, {}, &FileUse::file);
  const auto end = std::ranges::upper_bound(first, file_uses_.end(), file, {}, &FileUse::file);
  return {first, end};
}

/// Only the file's own pages: a process's copies of them are anonymous.
std::vector<CacheRow> PageCache::rows() const {
  std::vector<CacheRow> rows;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (counts_[i].pages == 0) continue;
    rows.push_back({&files_[i], &counts_[i], {}});
    if (!has_areas_) continue;
    std::set<std::uint32_t> processes;
    for (const FileUse& use : uses_of(i)) processes.insert(use.process);
    rows.back().processes = processes.size();
  }
  std::stable_sort(rows.begin(), rows.end(), [](const CacheRow& a, const CacheRow& b) {
    return a.counts->pages > b.counts->pages;
  });
  return rows;
}

std::vector<CacheUser> PageCache::users() const {
  std::vector<CacheUser> users;
  for (const Mapper& process : processes_) users.push_back({process.pid, process.name});
  for (std::size_t i = 0; i < files_.size(); ++i) {
    std::map<std::uint32_t, std::uint64_t> pages;
    for (const FileUse& use : uses_of(i)) pages[use.process] += use.pages;
    for (const auto& [process, of_file] : pages) {
      CacheUser& user = users[process];
      ++user.files;
      user.pages += of_file;
      if (of_file <= user.largest_pages) continue;
      user.largest = &files_[i];
      user.largest_pages = of_file;
    }
  }
  std::erase_if(users, [](const CacheUser& user) { return user.files == 0; });
  std::stable_sort(users.begin(), users.end(),
                   [](const CacheUser& a, const CacheUser& b) { return a.pages > b.pages; });
  return users;
}

}  // namespace physmem
