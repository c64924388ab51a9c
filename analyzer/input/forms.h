// SPDX-License-Identifier: MIT
// The forms of answers and exports: their options, and the endings of names that select them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace physmem {

enum class Format : std::uint8_t { kText, kCsv, kJson, kPs, kPdf, kSvg, kPng, kSqlite, kPerfetto };

constexpr bool is_picture(Format format) {
  return format >= Format::kPs && format <= Format::kPng;
}

/// A form of all that a snapshot has, instead of answers.
constexpr bool is_export(Format format) {
  return format >= Format::kSqlite;
}

struct FormText {
  const char* name;        ///< of the option
  const char* endings[2];  ///< of names; the second may be nullptr
  const char* help;
};

/// In the order of `Format`.
std::span<const FormText> forms();

std::string_view name(Format format);

/// Nothing if the ending, such as ".csv", is none of a form.
std::optional<Format> form_of_ending(std::string_view ending);

}  // namespace physmem
