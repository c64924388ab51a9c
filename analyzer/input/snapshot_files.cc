// SPDX-License-Identifier: MIT
#include "analyzer/input/snapshot_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "program/output_place.h"

namespace physmem {
namespace {

namespace fs = std::filesystem;

std::string problem(const std::string& path, const std::string& what, int error) {
  return path + ": " + what + ": " + std::strerror(error);
}

/// Compares paths with '/' below all other bytes, so that the files of a directory are adjacent.
bool is_before(const SnapshotFile& a, const SnapshotFile& b) {
  const auto rank = [](char c) { return c == '/' ? 0u : static_cast<unsigned char>(c) + 1u; };
  return std::lexicographical_compare(a.path.begin(), a.path.end(), b.path.begin(), b.path.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

/// Whether the path is on a file system without real files. An unknown file system counts as one
/// with files.
bool is_of_kernel(const std::string& path) {
  constexpr std::array<unsigned long, 11> kOfKernel{
      PROC_SUPER_MAGIC, SYSFS_MAGIC,        DEBUGFS_MAGIC,       TRACEFS_MAGIC,
      SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,
      PSTOREFS_MAGIC,   DEVPTS_SUPER_MAGIC, EFIVARFS_MAGIC};
  struct statfs system {};
  return ::statfs(path.c_str(), &system) == 0 &&
         std::find(kOfKernel.begin(), kOfKernel.end(), static_cast<unsigned long>(system.f_type)) !=
             kOfKernel.end();
}

/// Processes links last, after all files and directories with their own names were found.
class Search {
 public:
  explicit Search(const std::string& output) {
    struct stat status {};
    if (::stat(output.c_str(), &status) == 0) output_ = {status.st_dev, status.st_ino};
  }

  Status take(const std::vector<std::string>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      struct stat status {};
      if (inputs[i] == "-") {
        found_.push_back({i, {inputs[i], 0, 0}});
        continue;
      }
      if (::stat(inputs[i].c_str(), &status) != 0)
        return Error{Error::Kind::kIo, problem(inputs[i], "cannot open", errno)};
      if (S_ISDIR(status.st_mode)) add_ancestors(inputs[i], status);
      place(inputs[i], S_ISDIR(status.st_mode) ? below(inputs[i]) : 0, i, status);
      empty_stack();
    }
    while (!links_.empty()) {
      const auto links = std::exchange(links_, {});
      for (const Place& link : links) {
        follow(link);
        empty_stack();
      }
    }
    return {};
  }

  SnapshotFiles result() && {
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return a.input != b.input ? a.input < b.input : is_before(a.file, b.file);
    });
    SnapshotFiles all{{}, std::move(problems_)};
    all.files.reserve(found_.size());
    for (Found& found : found_) all.files.push_back(std::move(found.file));
    return all;
  }

 private:
  struct Place {
    std::string path;
    std::size_t below;
    std::size_t input;
  };
  struct Found {
    std::size_t input;
    SnapshotFile file;
  };
  using FileId = std::pair<dev_t, ino_t>;

  static std::size_t below(const std::string& directory) {
    return directory.size() + (directory.ends_with('/') ? 0 : 1);
  }

  void place(const std::string& path, std::size_t below, std::size_t input,
             const struct stat& status) {
    const FileId id{status.st_dev, status.st_ino};
    if ((below != 0 && id == output_) || !seen_.insert(id).second) return;
    if (below != 0 && is_on_kernel(path, status.st_dev)) {
      problems_.push_back(path +
                          ": belongs to the kernel (as /proc and /sys do), expected a snapshot");
    } else if (S_ISDIR(status.st_mode)) {
      directories_.push_back({path, below, input});
    } else if (S_ISREG(status.st_mode) || below == 0) {
      found_.push_back({input, {path, below, static_cast<std::uint64_t>(status.st_size)}});
    } else {
      problems_.push_back(path + ": is not a regular file, expected a snapshot");
    }
  }

  /// Cached per device.
  bool is_on_kernel(const std::string& path, dev_t device) {
    const auto [known, is_new] = devices_.try_emplace(device, false);
    if (is_new) known->second = is_of_kernel(path);
    return known->second;
  }

  void empty_stack() {
    while (!directories_.empty()) {
      const Place directory = std::move(directories_.back());
      directories_.pop_back();
      read(directory);
    }
  }

  void read(const Place& directory) {
    std::error_code error;
    fs::directory_iterator entry(directory.path, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (is_left_out(name)) continue;
      const Place place{directory.path + (directory.path.ends_with('/') ? "" : "/") + name,
                        directory.below, directory.input};
      struct stat status {};
      if (::lstat(place.path.c_str(), &status) != 0)
        problems_.push_back(problem(place.path, "cannot open", errno));
      else if (!S_ISLNK(status.st_mode))
        this->place(place.path, place.below, place.input, status);
      else if (is_trusted_owner(status.st_uid))
        links_.push_back(place);
      else
        problems_.push_back(place.path + ": is a link of user " + std::to_string(status.st_uid) +
                            ", who may not be allowed to read its file; name the file itself");
    }
    if (error)
      problems_.push_back(problem(directory.path, "cannot read the directory", error.value()));
  }

  /// The directory and those above it, up to the root.
  void add_ancestors(std::string directory, struct stat status) {
    while (ancestors_.insert({status.st_dev, status.st_ino}).second) {
      directory += "/..";
      if (::stat(directory.c_str(), &status) != 0) return;
    }
  }

  /// A link to a directory above a named one would lead to files that the user has not named; one
  /// to the root, to all of them.
  void follow(const Place& link) {
    struct stat status {};
    if (::stat(link.path.c_str(), &status) != 0)
      problems_.push_back(problem(link.path, "cannot follow the link", errno));
    else if (ancestors_.contains({status.st_dev, status.st_ino}) &&
             !seen_.contains({status.st_dev, status.st_ino}))
      problems_.push_back(link.path +
                          ": is a link to a directory that contains this one; name that directory "
                          "to read all of it");
    else
      place(link.path, link.below, link.input, status);
  }

  std::optional<FileId> output_;
  std::set<FileId> seen_;
  std::set<FileId> ancestors_;      ///< of named directories, and these
  std::map<dev_t, bool> devices_;   ///< whether it has no real files
  std::vector<Place> directories_;  ///< directories to read
  std::vector<Place> links_;        ///< links to follow
  std::vector<Found> found_;
  std::vector<std::string> problems_;
};

std::string_view without_endings(std::string_view name) {
  for (const std::string_view ending : {".gz", ".zst", ".xz", ".lz4"})
    if (name.ends_with(ending) && name.size() > ending.size()) name.remove_suffix(ending.size());
  for (const std::string_view ending : {".txt", ".pmc"})
    if (name.ends_with(ending) && name.size() > ending.size())
      return name.substr(0, name.size() - ending.size());
  return name;
}

}  // namespace

std::string host_by_path(const SnapshotFile& file) {
  const std::string_view path = file.path;
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return std::string(without_endings(path));
  if (file.below == 0 || slash < file.below)
    return std::string(without_endings(path.substr(slash + 1)));
  const std::string_view directory = path.substr(file.below, slash - file.below);
  return std::string(directory.substr(directory.rfind('/') + 1));  // npos + 1 is 0: all of it
}

bool is_left_out(std::string_view name) {
  constexpr std::array<std::string_view, 3> kTemporary{"~", ".tmp", ".part"};
  return name.starts_with('.') || std::any_of(kTemporary.begin(), kTemporary.end(),
                                              [&](auto end) { return name.ends_with(end); });
}

bool is_directory(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Result<SnapshotFiles> find_snapshot_files(const std::vector<std::string>& inputs,
                                          const std::string& output) {
  Search search(output);
  if (Status status = search.take(inputs); !status) return status.error();
  return std::move(search).result();
}

Error no_snapshots(const std::vector<std::string>& inputs) {
  return {
      Error::Kind::kBadInput,
      fmt::format("{}: found no file, expected snapshots (hidden and temporary files do not count)",
                  fmt::join(inputs, ", "))};
}

}  // namespace physmem
