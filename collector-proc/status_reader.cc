// SPDX-License-Identifier: MIT
#include "collector-proc/status_reader.h"

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

std::optional<TaskStatus> parse_status(std::string_view text) {
  std::optional<std::uint64_t> tgid;
  std::optional<std::uint64_t> uid;
  TextCursor lines(text);
  while (!lines.at_end() && !(tgid && uid)) {
    TextCursor line(lines.line());
    const bool is_tgid = line.skip("Tgid:");
    if (!is_tgid && !line.skip("Uid:")) continue;
    line.skip_blanks();
    (is_tgid ? tgid : uid) = line.number();
  }
  if (!tgid || !uid) return std::nullopt;
  return TaskStatus{*tgid, *uid};
}

}  // namespace physmem::collect
