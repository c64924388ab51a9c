// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// A reader of snapshots for this test alone, written from formats/physmem-records.md and sharing
// nothing with the analyzer: a mistake they made together would go unseen.
namespace physmem::conformance {

struct Page {
  std::uint64_t va = 0;
  std::uint64_t value = 0;
  std::uint64_t count = 0;
  std::uint64_t flags = 0;
};

struct SwappedPage {
  std::uint64_t va = 0;
  std::uint64_t type = 0;
  std::uint64_t slot = 0;
};

struct AreaRecord {
  std::string vma;  // the line V:
  std::string
      counts;  // the line P:; the last one, when the area changed while its pages were listed
  bool was_recounted = false;
  std::uint64_t start = 0;
  std::uint64_t last = 0;
  std::uint64_t resident = 0;
  std::uint64_t flags = 0;
  std::string unit;
  std::vector<std::string> fields;          // of V:, without padding
  std::vector<std::uint64_t> count_fields;  // of P:
  std::vector<Page> pages;
  std::vector<SwappedPage> swapped;

  /// Pages in swap that S: does not list.
  std::uint64_t unlisted() const { return count_fields.size() > 6 ? count_fields[6] : 0; }
  /// Of V:, a file without a device of its own: shared memory is one.
  bool may_be_shared_memory() const {
    return fields.at(8).starts_with("00:") && fields.at(8) != "00:00";
  }
};

struct TaskRecord {
  std::uint64_t pid = 0;
  std::uint64_t mm = 0;
  std::uint64_t tgid = 0;
  std::vector<std::string> fields;  // of T:, without padding
  std::vector<AreaRecord> areas;
};

struct Snapshot {
  std::map<std::string, std::string> header;
  std::map<std::string, std::uint64_t> counters;
  std::vector<TaskRecord> tasks;
  std::vector<std::uint64_t> end;  // the fields of E:; empty: cut short
};

/// Throws std::runtime_error that names the line it cannot read.
Snapshot read_snapshot(const std::string& text);

}  // namespace physmem::conformance
