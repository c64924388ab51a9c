// SPDX-License-Identifier: MIT
#include "paging/source/swap_areas.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "paging/model/paging_event.h"
#include "paging/source/proc_text.h"

namespace physmem {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

/// Decodes seq_path(): blank, tab, newline and backslash are \ooo.
std::string unescaped(std::string_view word) {
  std::string name;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool is_escape = word[i] == '\\' && i + 3 < word.size() && is_octal(word[i + 1]) &&
                           is_octal(word[i + 2]) && is_octal(word[i + 3]);
    name += is_escape ? static_cast<char>((word[i + 1] - '0') << 6 | (word[i + 2] - '0') << 3 |
                                          (word[i + 3] - '0'))
                      : word[i];
    if (is_escape) i += 3;
  }
  return name;
}

SwapAreaKind kind_of_line(const SwapLine& line) {
  if (line.is_file) return SwapAreaKind::kFile;
  const std::size_t slash = line.name.rfind('/');
  const std::string_view base =
      std::string_view(line.name).substr(slash == std::string::npos ? 0 : slash + 1);
  return base.starts_with("zram") ? SwapAreaKind::kZram : SwapAreaKind::kPartition;
}

}  // namespace

std::vector<SwapLine> parse_swaps(std::string_view text, std::uint32_t page_size) {
  std::vector<SwapLine> lines;
  std::string_view line;
  take_line(text, line);  // the heading
  while (take_line(text, line)) {
    SwapLine area;
    area.name = unescaped(take_word(line));
    area.is_file = take_word(line) == "file";
    const std::string_view kib = take_word(line);
    std::uint64_t size = 0;
    std::from_chars(kib.data(), kib.data() + kib.size(), size);
    area.slots = size * 1024 / page_size;
    lines.push_back(std::move(area));
  }
  return lines;
}

SwapAreas::SwapAreas(std::string root, std::uint32_t page_size)
    : root_(std::move(root)),
      swaps_(::open((root_ + "/proc/swaps").c_str(), O_RDONLY | O_CLOEXEC)),
      page_size_(page_size) {}

SwapAreas::~SwapAreas() {
  if (swaps_ >= 0) ::close(swaps_);
}

/// swaps_poll() in mm/swapfile.c.
bool SwapAreas::has_changed() const {
  pollfd swaps{swaps_, POLLPRI, 0};
  return ::poll(&swaps, 1, 0) > 0 && (swaps.revents & POLLPRI) != 0;
}

void SwapAreas::refresh(std::uint64_t time_ns, Reading how) {
  std::vector<SwapLine> lines =
      parse_swaps(read_text(root_ + "/proc/swaps").value_or(""), page_size_);
  const bool is_contradicted = std::exchange(is_outdated_, false);
  if (how == Reading::kIfChanged && lines == lines_ && !is_contradicted && read_ns_ != 0) return;
  const bool is_new = how == Reading::kForced || lines != lines_;
  lines_ = std::move(lines);
  if (is_new) map_files();
  read_ns_ = time_ns;
  seen_.clear();
  assign_types();
}

/// An active swap file cannot be written to, and swap I/O does not change its times.
bool SwapAreas::Mapped::is_same(const Mapped& other) const {
  return name == other.name && device == other.device && inode == other.inode &&
         size == other.size && changed.tv_sec == other.changed.tv_sec &&
         changed.tv_nsec == other.changed.tv_nsec;
}

SwapAreas::Mapped SwapAreas::map_file(const std::string& name) const {
  Mapped file;
  file.name = name;
  struct stat status = {};
  if (::stat((root_ + name).c_str(), &status) != 0) return file;
  file.device = status.st_dev;
  file.inode = status.st_ino;
  file.size = static_cast<std::uint64_t>(status.st_size);
  file.changed = status.st_ctim;
  if (std::optional<SwapExtents> extents = extents_of(root_ + name, page_size_)) {
    file.extents = std::make_shared<const SwapExtents>(std::move(*extents));
    return file;
  }
  const auto before = std::find_if(files_.begin(), files_.end(),
                                   [&](const Mapped& old) { return old.is_same(file); });
  if (before != files_.end()) file.extents = before->extents;
  return file;
}

void SwapAreas::map_files() {
  std::vector<Mapped> files;
  for (const SwapLine& line : lines_)
    if (line.is_file) files.push_back(map_file(line.name));
  files_ = std::move(files);
}

std::shared_ptr<const SwapExtents> SwapAreas::extents_of_file(const std::string& name) const {
  for (const Mapped& file : files_)
    if (file.name == name) return file.extents;
  return nullptr;
}

void SwapAreas::saw(std::uint8_t type, std::uint64_t slot, std::uint64_t time_ns) {
  if (time_ns < read_ns_) return;
  auto at =
      std::find_if(seen_.begin(), seen_.end(), [=](const Seen& seen) { return seen.type >= type; });
  const bool is_new = at == seen_.end() || at->type != type;
  if (!is_new && slot <= at->highest_slot) return;
  if (is_new) at = seen_.insert(at, {type, 0});
  // Sizes matter only while a type has more than one candidate line.
  const bool was_known = kind_of(type).has_value();
  at->highest_slot = slot;
  if (is_new || !was_known || line_of(static_cast<std::size_t>(at - seen_.begin())) == std::nullopt)
    assign_types();
}

/// The only possible line of the type.
std::optional<std::size_t> SwapAreas::line_of(std::size_t seen) const {
  const std::size_t above = seen_.size() - 1 - seen;
  if (lines_.size() <= above) return {};
  const std::size_t last = std::min<std::size_t>(seen_[seen].type, lines_.size() - 1 - above);
  std::optional<std::size_t> only;
  for (std::size_t line = seen; line <= last; ++line) {
    if (seen_[seen].highest_slot > lines_[line].slots) continue;
    if (only) return {};
    only = line;
  }
  return only;
}

void SwapAreas::assign_types() {
  std::vector<Known> known;
  is_outdated_ = seen_.size() > lines_.size();
  for (std::size_t i = 0; i < seen_.size() && !is_outdated_; ++i) {
    const std::optional<std::size_t> line = line_of(i);
    if (!line) continue;
    const SwapLine& found = lines_[*line];
    known.push_back({{seen_[i].type, kind_of_line(found), found.slots, found.name},
                     found.is_file ? extents_of_file(found.name) : nullptr});
  }
  known_ = std::move(known);
  std::vector<SwapArea> areas;
  for (const Known& area : known_) areas.push_back(area.area);
  if (areas == areas_) return;
  areas_ = std::move(areas);
  ++changes_;
}

std::optional<SwapAreaKind> SwapAreas::kind_of(std::uint8_t type) const {
  for (const SwapArea& area : areas_)
    if (area.type == type) return area.kind;
  return {};
}

std::optional<std::uint64_t> SwapAreas::sector_of(std::uint8_t type, std::uint64_t slot) const {
  for (const Known& known : known_) {
    if (known.area.type != type) continue;
    if (slot > known.area.slots) return {};
    if (known.area.kind == SwapAreaKind::kFile)
      return known.extents ? known.extents->sector_of(slot) : std::nullopt;
    return slot * (page_size_ / kSectorBytes);
  }
  return {};
}

}  // namespace physmem
