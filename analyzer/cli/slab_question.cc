// SPDX-License-Identifier: MIT
#include "analyzer/cli/slab_question.h"

#include <limits>

#include "analyzer/shape/slab_shape.h"
#include "analyzer/shape/split_table.h"

namespace physmem {
namespace {

/// Of text without --full.
constexpr std::size_t kFewRows = 20;

}  // namespace

void SlabQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) {
    for (std::size_t group = 0; group < split_.folds().size(); ++group) {
      const SlabUse& slab = split_.folds()[group];
      if (slab.order().snapshots() > 1)
        printer.add(titled(slab_growth_series(slab, view), split_, group));
      else
        printer.add(titled(slab_chart(slab, view), split_, group));
    }
    return;
  }
  const SlabUse& first = split_.front();
  const bool has_none = first.source() == SlabUse::Source::kNone && !split_.is_partial();
  if (format == Format::kText && (has_none || view.header.ram == Header::Ram::kNone))
    return printer.lines(
        {"Slab caches: unknown, the snapshot does not have them; physmem-collect --ram records "
         "them"});
  const std::size_t max_rows =
      format == Format::kText && !view.is_full ? kFewRows : std::numeric_limits<std::size_t>::max();
  printer.table().write(split_table(split_, [&](const SlabUse& slab) {
    return first.order().snapshots() > 1 ? slab_growth_table(slab, view, max_rows)
                                         : slab_table(slab, view, max_rows);
  }));
}

std::vector<std::string> SlabQuestion::missing() const {
  return slab_missing(split_.front());
}

}  // namespace physmem
