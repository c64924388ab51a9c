// SPDX-License-Identifier: MIT
// A few sentences on what is missing from an answer over many snapshots.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/parse/snapshot_reader.h"

namespace physmem {

/// Memory does not grow with the number of snapshots: numbers are added, and equal sentences are
/// counted.
class FleetNotes {
 public:
  void add(const ReadNotes& notes, const Header& header, std::uint64_t repeated_areas);
  void add_lost_file() { ++lost_files_; }
  /// What the snapshot that was added last lacks.
  void add_lack(const std::string& sentence) { ++of_headers_[sentence]; }

  std::uint64_t snapshots() const { return snapshots_; }
  std::uint64_t lost_files() const { return lost_files_; }
  /// `tables_have_page_size`: the tables show which page sizes differ.
  std::vector<std::string> sentences(bool tables_have_page_size) const;

 private:
  std::uint64_t snapshots_ = 0;
  std::uint64_t lost_files_ = 0;
  /// Number of snapshots for each sentence.
  std::map<std::string, std::uint64_t> of_headers_;
  ReadNotes sum_;
  std::uint64_t repeated_areas_ = 0;
  std::set<std::uint64_t> page_sizes_;  ///< bytes
};

}  // namespace physmem
