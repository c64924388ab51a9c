// SPDX-License-Identifier: MIT
// What a file is, by how it begins.
#pragma once

#include <cstddef>
#include <string_view>

namespace physmem {

/// So many bytes of a file decide, or all that it has.
inline constexpr std::size_t kDecidingBytes = 32;

/// Whether an H: line is that of a paging trace, and not of a snapshot.
bool is_trace_header(std::string_view line);
/// A paging trace in one of its forms, or a log with the paper's lines; else it may be a snapshot.
bool begins_trace(std::string_view head);
/// A snapshot, by its header or first task.
bool begins_snapshot(std::string_view head);

}  // namespace physmem
