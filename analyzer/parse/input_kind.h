// SPDX-License-Identifier: MIT
// Recognizes the kind of a file by its first bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace physmem {

/// Bytes of a file that are examined.
inline constexpr std::size_t kDecidingBytes = 32;

/// Whether an H: line belongs to a paging trace rather than a snapshot.
bool is_trace_header(std::string_view line);
/// True for a paging trace in any of its forms, and for a log with the paper's lines.
bool begins_trace(std::string_view head);
/// True for a snapshot, by its header or first task.
bool begins_snapshot(std::string_view head);
/// Whether a text with this last line has its last record. A text without a header, which is of
/// version 1, has none to check.
bool is_whole_snapshot(std::string_view head, std::string_view last_line);

}  // namespace physmem
