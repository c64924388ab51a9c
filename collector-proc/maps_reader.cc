// SPDX-License-Identifier: MIT
#include "collector-proc/maps_reader.h"

#include <algorithm>

#include "collector-proc/text_cursor.h"
#include "formats/emit/flags.h"
#include "program/printable.h"

namespace physmem::collect {
namespace {

constexpr std::string_view kEscapedNewline = "\\012";

std::optional<std::uint32_t> parse_permissions(std::string_view text) {
  if (text.size() != 4) return std::nullopt;
  std::uint32_t flags = 0;
  if (text[0] == 'r') flags |= PM_VMA_READ;
  if (text[1] == 'w') flags |= PM_VMA_WRITE;
  if (text[2] == 'x') flags |= PM_VMA_EXEC;
  if (text[3] == 's') flags |= PM_VMA_SHARED;
  return flags;
}

// The only escape in this file. It cannot be distinguished from a path that contains the characters
// \012.
std::string decode_newlines(std::string_view unit) {
  std::string decoded;
  for (std::size_t at = 0; at < unit.size();) {
    const bool escape = unit.substr(at).starts_with(kEscapedNewline);
    decoded += escape ? '\n' : unit[at];
    at += escape ? kEscapedNewline.size() : 1;
  }
  return decoded;
}

}  // namespace

std::optional<Area> parse_maps_line(std::string_view line) {
  TextCursor cursor(line);
  Area area;
  const auto start = cursor.number(16);
  if (!start || !cursor.skip('-')) return std::nullopt;
  const auto end = cursor.number(16);
  if (!end || *end <= *start || !cursor.skip(' ')) return std::nullopt;
  const auto flags = parse_permissions(cursor.until(' '));
  const auto offset = cursor.number(16);
  if (!flags || !offset || !cursor.skip(' ')) return std::nullopt;
  const auto major = cursor.number(16);
  if (!major || !cursor.skip(':')) return std::nullopt;
  const auto minor = cursor.number(16);
  if (!minor || !cursor.skip(' ')) return std::nullopt;
  const auto inode = cursor.number();
  if (!inode || !(cursor.at_end() || cursor.skip(' '))) return std::nullopt;
  cursor.skip_blanks();
  area.start = *start;
  area.end = *end;
  area.flags = *flags;
  area.offset = *offset;
  area.dev_major = static_cast<std::uint32_t>(*major);
  area.dev_minor = static_cast<std::uint32_t>(*minor);
  area.inode = *inode;
  area.unit = cursor.rest();
  // maps does not show VM_GROWSDOWN. Only this label indicates it.
  if (area.unit == "[stack]") area.flags |= PM_VMA_GROWSDOWN;
  return area;
}

void AreaList::clear() {
  areas_.clear();
  decoded_.clear();
}

bool AreaList::add(Area area) {
  // maps lists this page of the kernel (x86-64, ARM) in every process, but it is not part of any
  // address space.
  if (area.unit == "[vsyscall]" || area.unit == "[vectors]") return false;
  if (!areas_.empty() && area.start < areas_.back().end) {
    if (area.end <= areas_.back().end) return false;
    if (area.inode != 0) area.offset += areas_.back().end - area.start;
    area.start = areas_.back().end;
  }
  if (area.unit.find(kEscapedNewline) != std::string_view::npos)
    area.unit = decoded_.emplace_front(decode_newlines(area.unit));
  areas_.push_back(area);
  return true;
}

Status parse_maps(std::string_view text, AreaList& into) {
  into.clear();
  TextCursor lines(text);
  while (!lines.at_end()) {
    const std::string_view line = lines.line();
    const auto area = parse_maps_line(line);
    if (!area) return bad_input(in_quotes(line, 200) + " is not a line of maps");
    into.add(*area);
  }
  return {};
}

}  // namespace physmem::collect
