// SPDX-License-Identifier: MIT
#include "analyzer/cli/slab_question.h"

#include <limits>

#include "analyzer/shape/slab_shape.h"

namespace physmem {
namespace {

/// Rows in text without --full.
constexpr std::size_t kFewCaches = 20;

}  // namespace

void SlabQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  const SlabUse& first = split().front();
  const bool is_series = first.order().snapshots() > 1;
  if (is_picture(format) && is_series)
    return draw(printer, [&](const SlabUse& slab) { return slab_growth_series(slab, view); });
  if (is_picture(format))
    return draw(printer, [&](const SlabUse& slab) { return slab_chart(slab, view); });
  const bool has_none = first.source() == SlabUse::Source::kNone && !split().is_partial();
  if (format == Format::kText && (has_none || view.header.ram == Header::Ram::kNone))
    return printer.lines(
        {"Slab caches: unknown, the snapshot does not have them; physmem-collect --ram records "
         "them"});
  const std::size_t max_rows = top().value_or(format == Format::kText && !view.is_full
                                                  ? kFewCaches
                                                  : std::numeric_limits<std::size_t>::max());
  printer.table().write(split_table(split(), [&](const SlabUse& slab) {
    return is_series ? slab_growth_table(slab, view, max_rows) : slab_table(slab, view, max_rows);
  }));
}

std::vector<std::string> SlabQuestion::missing() const {
  return slab_missing(split().front());
}

}  // namespace physmem
