// SPDX-License-Identifier: MIT
#include "collector-proc/stat_reader.h"

#include <array>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

// proc(5) numbers fields from 1. The first field after the name is 3, the state.
constexpr std::size_t kFirstField = 3;
constexpr std::size_t kLastField = 39;

// In this file only, the kernel escapes in a name (proc_task_name()): a newline as \n, and a
// backslash as \\.
std::string unescape_comm(std::string_view raw) {
  std::string comm;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const bool escape =
        raw[i] == '\\' && i + 1 < raw.size() && (raw[i + 1] == 'n' || raw[i + 1] == '\\');
    if (escape) ++i;
    comm += escape && raw[i] == 'n' ? '\n' : raw[i];
  }
  return comm;
}

class Fields {
 public:
  /// Reads fields 3 to 39. A negative number or a letter (the state) is stored as 0; no field that
  /// is used can be either.
  bool parse(std::string_view text) {
    TextCursor cursor(text);
    for (std::uint64_t& value : values_) {
      cursor.skip_blanks();
      if (cursor.at_end() || cursor.rest().front() == '\n') return false;
      TextCursor field(cursor.until(' '));
      value = field.number().value_or(0);
    }
    return true;
  }
  std::uint64_t operator[](std::size_t field) const { return values_.at(field - kFirstField); }

 private:
  std::array<std::uint64_t, kLastField - kFirstField + 1> values_{};
};

}  // namespace

std::optional<TaskStat> parse_stat(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::nullopt;
  Fields fields;
  if (!fields.parse(text.substr(close + 1))) return std::nullopt;
  TaskStat stat;
  stat.comm = unescape_comm(text.substr(open + 1, close - open - 1));
  stat.ppid = fields[4];
  stat.flags = fields[9];
  stat.min_flt = fields[10];
  stat.cmin_flt = fields[11];
  stat.maj_flt = fields[12];
  stat.cmaj_flt = fields[13];
  stat.utime = fields[14];
  stat.stime = fields[15];
  stat.threads = fields[20];
  stat.start_time = fields[22];
  stat.vsize = fields[23];
  stat.rss = fields[24];
  stat.start_code = fields[26];
  stat.start_stack = fields[28];
  stat.cpu = fields[39];
  return stat;
}

}  // namespace physmem::collect
