// SPDX-License-Identifier: MIT
#include "collector-proc/rollup_reader.h"

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

std::optional<Rollup> parse_rollup(std::string_view text) {
  const auto rss = number_of_line(text, "Rss:");
  const auto pss = number_of_line(text, "Pss:");
  if (!rss || !pss) return std::nullopt;
  return Rollup{*rss, *pss};
}

std::optional<TaskCounts> parse_task_counts(std::string_view text) {
  TextCursor fields(text);
  for (int load = 0; load < 3; ++load) fields.until(' ');
  fields.until('/');
  const auto tasks = fields.number();
  fields.skip_blanks();
  const auto newest = fields.number();
  if (!tasks || !newest) return std::nullopt;
  return TaskCounts{*tasks, *newest, std::nullopt};
}

}  // namespace physmem::collect
