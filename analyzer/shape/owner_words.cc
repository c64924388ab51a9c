// SPDX-License-Identifier: MIT
#include "analyzer/shape/owner_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace physmem {
namespace {

constexpr std::string_view kUnmarked = "unmarked: ";

/// Parts of the unmarked frames that are no class.
constexpr std::pair<std::string_view, const char*> kOtherParts[] = {
    {"free_no_zone", "free, in no zone yet"}, {"boot", "boot-time memory"}};

}  // namespace

std::string owner_identity(const OwnerIdentity& owner) {
  switch (owner.kind) {
    case RamOwner::Kind::kFile:
      return fmt::format("{} {} {}", owner.file_system, device_text(owner.device), owner.number);
    case RamOwner::Kind::kCgroup:
    case RamOwner::Kind::kTask:
      return fmt::format("{}", owner.number);
    default:
      return "";
  }
}

std::string device_text(std::uint64_t device) {
  return fmt::format("{}:{}", device >> 32, device & 0xFFFFFFFF);
}

std::string class_title(const std::string& word) {
  if (word.starts_with(kUnmarked))
    return class_title(word.substr(kUnmarked.size())) + " (by totals)";
  for (const auto& [part, title] : kOtherParts)
    if (word == part) return title;
  const auto* const found =
      std::find(kFrameClassWords.begin(), kFrameClassWords.end(), std::string_view(word));
  if (found == kFrameClassWords.end()) return word;
  return std::string(facts_of(static_cast<FrameClass>(found - kFrameClassWords.begin())).title);
}

Word class_cell(const std::string& word) {
  return {word, class_title(word)};
}

Word class_cell(FrameClass use) {
  return {std::string(word_of(use)), std::string(facts_of(use).title)};
}

std::uint32_t class_colour(const std::string& word) {
  constexpr std::uint32_t kGrey = 0x8A8A8A;
  const bool is_part = word.starts_with(kUnmarked);
  const std::string title = class_title(is_part ? word.substr(kUnmarked.size()) : word);
  const auto* const facts =
      std::find_if(kFrameClassTable.begin(), kFrameClassTable.end(),
                   [&](const FrameClassFacts& row) { return row.title == title; });
  if (facts != kFrameClassTable.end()) return facts->colour;
  return is_part ? facts_of(PM_RAM_UNMARKED).colour : kGrey;
}

}  // namespace physmem
