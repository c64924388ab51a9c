// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// A snapshot reader for this test only, written from formats/physmem-records.md. It shares no code
// with the analyzer, because the test could not detect an error in shared code.
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
  // The line P:, or the last one if the VMA changed while its pages were listed.
  std::string counts;
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

  /// The number of pages in swap that S: does not list.
  std::uint64_t unlisted() const { return count_fields.size() > 6 ? count_fields[6] : 0; }
  /// Whether V: names a file on no block device, as shared memory is.
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
  std::vector<std::uint64_t> end;  // the fields of E:; empty if the snapshot is truncated
};

/// Throws std::runtime_error with the line that it cannot read.
Snapshot read_snapshot(const std::string& text);

}  // namespace physmem::conformance
