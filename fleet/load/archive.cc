// SPDX-License-Identifier: MIT
#include "fleet/load/archive.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <system_error>
#include <utility>
#include <vector>

#include "analyzer/parse/keyed_source.h"
#include "analyzer/parse/open_source.h"
#include "analyzer/shape/view.h"
#include "fleet/rows/name_text.h"
#include "formats/output/open_output.h"
#include "program/duration.h"
#include "program/errors.h"

namespace physmem::fleet {
namespace {

namespace fs = std::filesystem;

/// A host as the name of a folder that is not hidden.
std::string folder_name(const std::string& host) {
  std::string name;
  for (const char c : host) name += c == '/' ? std::string("\\057") : std::string(1, c);
  if (name.empty() || name[0] == '.') name.insert(0, "_");
  constexpr std::size_t kMaxName = 200;  // bytes; file systems take 255
  return name.substr(0, kMaxName);
}

Error failed(const fs::path& path, const std::string& what, const std::error_code& code) {
  return {Error::Kind::kIo, path.string() + ": " + what + ": " + code.message()};
}

/// Without the advice of output_error() to write the compact form, because this is it.
Error not_written(const std::string& path, int error) {
  return failed(path, "cannot write", {error, std::generic_category()});
}

bool is_folder(const fs::directory_entry& entry) {
  std::error_code code;
  return entry.is_directory(code) && !entry.is_symlink(code);
}

/// Its second, since 1970; 0 if it has gone. The time of the last change of a file (mtime) is what
/// the client has sent as the date of its upload; the kernel sets ctime.
std::uint64_t arrived(const fs::path& file) {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, status.st_ctim.tv_sec));
}

/// Removes old files of days of an archive, whatever their names are: hosts choose them.
class Expiry {
 public:
  explicit Expiry(std::uint64_t before) : before_(before) {}

  std::uint64_t removed() const { return removed_; }
  /// Files that arrived before the time, or all of them, and the folder if it is then empty.
  Status remove_below(const fs::path& folder, bool all, unsigned depth = 0);

 private:
  static constexpr unsigned kMaxDepth = 8;  ///< folders below a day; nginx makes one

  std::uint64_t before_;
  std::uint64_t removed_ = 0;
};

Status Expiry::remove_below(const fs::path& folder, bool all, unsigned depth) {
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    std::error_code gone;
    if (is_folder(*at)) {
      if (depth == kMaxDepth) continue;
      if (Status status = remove_below(at->path(), all, depth + 1); !status) return status;
    } else if (at->is_regular_file(gone) && (all || arrived(at->path()) < before_)) {
      if (!fs::remove(at->path(), gone) && gone)
        return failed(at->path(), "cannot remove it", gone);
      ++removed_;
    }
  }
  if (code) return failed(folder, "cannot read the archive", code);
  fs::remove(folder, code);  // unless files are left in it
  return {};
}

constexpr std::size_t kHash = 16;  // digits

std::string archive_place(const SnapshotLine& line) {
  std::string time = utc_text(line.second() * kSecondNs);  // 2026-11-26T14:00:00Z
  const std::string day = time.substr(0, time.find('T'));
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return fmt::format("{}/{}/{}-{}.pmc.zst", day, folder_name(line.host), time,
                     line.key.substr(0, kHash));
}

}  // namespace

/// The snapshots of a file, one after the other.
class Archive::Copies {
 public:
  static Result<std::unique_ptr<Copies>> open(const std::string& path) {
    auto source = open_source(path);
    if (!source) return source.error();
    return std::unique_ptr<Copies>(new Copies(path, std::move(*source)));
  }

  const std::string& path() const { return path_; }
  std::uint64_t number() const { return number_; }

  /// The text of the next snapshot, piece by piece. Its key.
  template <class Take>
  Result<std::string> next(const Take& take) {
    for (bool ends = false; !ends;) {
      if (left_.empty()) {
        const auto n = keyed_.read(piece_.data(), piece_.size());
        if (!n) return n.error();
        left_ = {piece_.data(), *n};
        if (*n == 0 && !ends_.finish()) return bad_input(path_ + ": has changed while it was read");
        if (*n == 0) break;
      }
      if (Status status = take(ends_.next(left_, ends)); !status) return status.error();
    }
    ++number_;
    return keyed_.take_key();
  }

 private:
  Copies(std::string path, std::unique_ptr<ByteSource> source)
      : path_(std::move(path)), source_(std::move(source)), keyed_(*source_) {}

  static constexpr std::size_t kPiece = 256 << 10;

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  KeyedSource keyed_;
  SnapshotEnds ends_;
  std::vector<char> piece_ = std::vector<char>(kPiece);
  std::string_view left_;  ///< of piece_
  std::uint64_t number_ = 0;
};

Archive::Archive(std::string folder) : folder_(std::move(folder)) {}
Archive::~Archive() = default;

Result<std::string> Archive::keep(const SnapshotFile& file, std::uint64_t number,
                                  const SnapshotLine& line) {
  std::error_code code;
  const std::string uploaded = fs::relative(file.path, folder_, code);
  if (!code && !uploaded.starts_with("..") &&
      uploaded.find("Z-" + line.key.substr(0, kHash) + ".") != uploaded.npos) {
    ++kept_.known;
    return uploaded;
  }
  const std::string place = archive_place(line);
  const fs::path path = fs::path(folder_) / place;
  if (fs::exists(path, code)) {
    ++kept_.known;
    return place;
  }
  fs::create_directories(path.parent_path(), code);
  if (code) return failed(path.parent_path(), "cannot create the folder", code);
  if (Status status = copy(file, number, line.key, path.string()); !status) return status.error();
  ++kept_.files;
  if (const std::uint64_t bytes = fs::file_size(path, code); !code) kept_.bytes += bytes;
  return place;
}

Status Archive::copy(const SnapshotFile& file, std::uint64_t number, const std::string& key,
                     const std::string& to) {
  if (!copies_ || copies_->path() != file.path || copies_->number() > number) {
    auto copies = Copies::open(file.path);
    if (!copies) return copies.error();
    copies_ = std::move(*copies);
  }
  while (copies_->number() < number) {
    const auto skipped = copies_->next([](std::string_view) { return Status(); });
    if (!skipped) return skipped.error();
  }
  const auto output = open_output(to, SnapshotForm::kCompact);
  if (!output) return output.error();
  const auto copied = copies_->next([&](std::string_view piece) {
    const int error = (*output)->write(piece);
    return error == 0 ? Status() : Status(not_written(to, error));
  });
  if (!copied) return copied.error();
  if (*copied != key) return bad_input(file.path + ": has changed while it was read");
  int error = (*output)->mark_whole();
  if (error == 0) error = (*output)->finish();
  return error == 0 ? Status() : Status(not_written(to, error));
}

Result<std::uint64_t> Archive::expire(std::uint64_t before) {
  static const std::regex day_form("[0-9-]+");
  const std::string first = utc_text(before * kSecondNs).substr(0, 10);  // day that stays
  Expiry expiry{before};
  std::error_code code;
  for (fs::directory_iterator at(folder_, code), end; !code && at != end; at.increment(code)) {
    const std::string day = at->path().filename();
    if (!std::regex_match(day, day_form) || !is_folder(*at)) continue;
    if (Status status = expiry.remove_below(at->path(), day < first); !status)
      return status.error();
  }
  if (code) return failed(folder_, "cannot read the archive", code);
  return expiry.removed();
}

}  // namespace physmem::fleet
