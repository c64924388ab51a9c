// SPDX-License-Identifier: MIT
// A string that many records share.
#pragma once

#include <compare>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace physmem {

/// The name of a unit. A snapshot repeats a few thousand names a hundred times each, and every
/// stage stores some. A copy costs a reference count, not memory.
class Name {
 public:
  Name() = default;
  Name(std::string text) {  // NOLINT(google-explicit-constructor): it is one, and nothing more
    if (!text.empty()) text_ = std::make_shared<const std::string>(std::move(text));
  }

  const std::string& text() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }
  operator const std::string&() const { return text(); }  // NOLINT(google-explicit-constructor)

  bool empty() const { return !text_; }
  bool starts_with(std::string_view front) const { return text().starts_with(front); }
  bool starts_with(char front) const { return text_ && text_->front() == front; }
  bool contains(std::string_view part) const { return text().find(part) != std::string::npos; }
  friend bool operator==(const Name& name, std::string_view text) { return name.text() == text; }
  friend bool operator==(const Name& a, const std::same_as<Name> auto& b) {
    return a.text_ == b.text_ || a.text() == b.text();
  }
  friend std::strong_ordering operator<=>(const Name& a, const Name& b) {
    return a.text_ == b.text_ ? std::strong_ordering::equal : a.text() <=> b.text();
  }

 private:
  std::shared_ptr<const std::string> text_;  ///< never empty
};

}  // namespace physmem
