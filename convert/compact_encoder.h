// SPDX-License-Identifier: MIT
// The text of snapshots to the compact form (formats/compact-records.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/result.h"
#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/compact_state.h"
#include "analyzer/parse/mapping_scanner.h"
#include "analyzer/parse/window.h"

namespace physmem {

/// Whatever the text is, it comes back byte for byte: what a collector would not have written is kept as it is.
class CompactEncoder {
 public:
  /// Takes the bytes of the compact form; an error ends the work.
  using Sink = std::function<Status(std::string_view)>;

  CompactEncoder(ByteSource& source, std::string name, Sink sink);

  /// All of the input.
  Status run();

 private:
  static constexpr std::size_t kBlock = 64 << 10;

  Status entries();
  Status scan_entries(bool& is_over);
  Status line();
  std::vector<compact::Field> fields_of(std::string_view text);
  std::uint64_t name_of(std::string name);
  void code_line(char letter, const std::vector<compact::Field>& fields);
  void code_field(const compact::Field& field, const compact::Field& predicted);
  void code_run(const PageRun& run);
  void code_use();
  void raw(std::string_view text);
  bool is_codable(std::span<const PageRun> runs, std::string_view text);
  Status end_block();
  Status give(std::string_view payload);

  Window window_;
  Sink sink_;
  MappingScanner scanner_;
  PageBatch batch_;
  compact::State state_;
  compact::Use use_;
  bool has_use_ = false;
  std::uint64_t given_ = 1;  ///< names that the reader knows
  std::string block_;
  std::string scratch_;
};

}  // namespace physmem
