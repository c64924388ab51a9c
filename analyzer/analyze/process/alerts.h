// SPDX-License-Identifier: MIT
// Pages of shareable files that are not shared (I17, I22; figure 7 of the paper).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"

namespace physmem {

struct Alert {
  enum class Rule {
    kSingleAndShared,  ///< the paper's rule: an area has both single-use and shared pages
    /// The exact rule: anonymous pages in an executable, non-writable area of a file.
    kPrivateText,
  };
  Rule rule = Rule::kSingleAndShared;
  std::string process;
  std::uint64_t pid = 0;
  std::string unit;         ///< empty for anonymous areas
  UnitKey key;              ///< of the unit: one file may have several paths
  std::uint64_t start = 0;  ///< of the area
  std::uint64_t flags = 0;  ///< of the area, with B and X
  std::uint64_t single = 0;
  std::uint64_t shared = 0;
  std::uint64_t private_pages = 0;  ///< for kPrivateText: copies that only this process has
};

/// The cost of private text of one unit over all processes.
struct PrivateText {
  std::string unit;
  UnitKey key;
  std::uint64_t processes = 0;
  std::uint64_t others = 0;   ///< processes that map its text without private copies
  std::uint64_t copies = 0;   ///< pages, in all processes
  std::uint64_t largest = 0;  ///< in one process
  /// Whether the file has DT_TEXTREL, which proves that relocations wrote to the text. Nothing if
  /// the file could not be read.
  std::optional<bool> has_text_relocations;

  /// Pages that one shared copy would save. Other processes that map the text have it already.
  std::uint64_t saving() const { return others != 0 ? copies : copies - largest; }
};

class Alerts : public Analysis {
 public:
  void on_header(const Header& header) override {
    has_stable_flags_ = header.stable_flags && header.has_pages;
  }
  void on_process(const Process& process) override;

  const std::vector<Alert>& rows() const { return rows_; }
  const std::vector<PrivateText>& private_text() const { return private_text_; }
  std::uint64_t count(Alert::Rule rule) const;
  /// Whether the exact rule found something, or the paper's rule if the exact one does not apply.
  bool found_some() const { return exact_rule_applies() ? !private_text_.empty() : !rows_.empty(); }
  /// The exact rule requires page flags that identify anonymous pages. Version 1 does not have
  /// them, nor do snapshots without M: lines.
  bool exact_rule_applies() const { return has_stable_flags_; }

  /// Sets has_text_relocations of every unit with private text.
  void prove(const std::function<std::optional<bool>(const PrivateText&)>& has_text_relocations);

 private:
  void count_mappers(const Process& process);
  PrivateText& unit_of(const Vma& vma);

  bool has_stable_flags_ = false;
  std::vector<Alert> rows_;
  std::vector<PrivateText> private_text_;
  std::unordered_map<UnitKey, std::uint64_t, UnitKeyHash> mappers_;  ///< processes, by their text
};

}  // namespace physmem
