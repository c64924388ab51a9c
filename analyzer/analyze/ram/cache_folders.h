// SPDX-License-Identifier: MIT
// The folders of cached files in one snapshot, each with the pages of the folders below it.
//
// Memory: some 120 bytes per folder, of at most kMax; names point into the names of files. Files in
// further folders, and files more than kMaxLevels below the root of their file system, count for
// the nearest folder above them. The paths of the folders that are followed have at most
// kMaxPathBytes.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/analyze/owner_identity.h"
#include "analyzer/analyze/ram/ram_series.h"

namespace physmem {

class CacheFolders {
 public:
  static constexpr std::size_t kMax = std::size_t{1} << 17;
  static constexpr std::size_t kMaxLevels = 64;
  static constexpr std::size_t kMaxPathBytes = std::size_t{16} << 20;

  /// `cache`: the entry of the whole page cache.
  CacheFolders(RamSeries& series, RamSeriesEntry* cache) : series_(series), cache_(cache) {}
  /// The file must exist as long as the folders.
  void add(const OwnerIdentity& file, SubjectPages pages);
  /// Adds the folders to the series, after all files.
  void follow();
  /// The entry of the folder that the file is in, or of the whole cache.
  RamSeriesEntry* parent_of(const OwnerIdentity& file) const;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Folder {
    std::size_t parent = kNone;  ///< index in folders_
    std::string_view name;       ///< without those above; of a root, the type of its file system
    std::uint64_t device = 0;    ///< of a root
    SubjectPages pages = {};
    RamSeriesEntry* entry = nullptr;
  };
  /// What distinguishes a folder.
  struct Place {
    std::size_t parent = kNone;
    std::string_view name;
    std::uint64_t device = 0;

    auto operator<=>(const Place&) const = default;
  };

  /// Calls visit(place) with each folder of the file from its root on. It returns the folder's
  /// index, or kNone to end. Returns the last index.
  template <class Visit>
  static std::size_t descend(const OwnerIdentity& file, Visit visit);
  std::string path_of(std::size_t folder) const;

  RamSeries& series_;
  RamSeriesEntry* cache_;
  std::vector<Folder> folders_;  ///< parents before their children
  std::map<Place, std::size_t> places_;
};

}  // namespace physmem
