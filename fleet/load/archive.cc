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

#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/keyed_source.h"
#include "analyzer/shape/view.h"
#include "fleet/rows/name_text.h"
#include "output/open_output.h"
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

/// Its second, since 1970; 0 if it has gone.
std::uint64_t arrived(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, status.st_mtim.tv_sec));
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

/// A day may be wrong, as the clock of its host was, so files that arrived earlier go too.
Result<std::uint64_t> Archive::expire(std::uint64_t before) {
  static const std::regex form("[0-9-]+/[^/]+/[0-9]{8}T[0-9]{6}Z-[0-9a-f]+\\.(pmc|txt)(\\.zst)?");
  static const std::regex day_form("[0-9-]+");
  const std::string first = utc_text(before * kSecondNs).substr(0, 10);  // day that stays
  std::vector<fs::path> files, folders;
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder_, code), end; !code && at != end;
       at.increment(code)) {
    const std::string place = at->path().lexically_relative(folder_);
    if (at.depth() == 0 && !std::regex_match(place, day_form))
      at.disable_recursion_pending();
    else if (at->is_directory(code) && !at->is_symlink(code))
      folders.push_back(at->path());
    else if (std::regex_match(place, form) &&
             (place.substr(0, first.size()) < first || arrived(at->path()) < before))
      files.push_back(at->path());
  }
  if (code) return failed(folder_, "cannot read the archive", code);
  for (const fs::path& file : files)
    if (!fs::remove(file, code) && code) return failed(file, "cannot remove it", code);
  // Innermost first. Folders with other files stay.
  std::for_each(folders.rbegin(), folders.rend(), [](const fs::path& folder) {
    std::error_code in_use;
    fs::remove(folder, in_use);
  });
  return files.size();
}

}  // namespace physmem::fleet
