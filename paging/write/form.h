// SPDX-License-Identifier: MIT
// The output formats for events.
#pragma once

namespace physmem {

enum class Form {
  kText,
  kBinary,
  kPftrace,
  kCsv,
  kJson,
  kPerfetto,
  kOpenMetrics,
  kPrometheus,
  kSummary
};

/// Whether the form is a trace, which can be read again. All others are reports.
constexpr bool is_trace(Form form) {
  return form <= Form::kPftrace;
}

/// Whether the form is binary data, unsuitable for a terminal.
constexpr bool is_binary(Form form) {
  return form == Form::kBinary || form == Form::kPerfetto;
}

/// Whether the file can be read while it grows. The other forms are written at the end.
constexpr bool can_grow(Form form) {
  return form <= Form::kJson;
}

}  // namespace physmem
