// SPDX-License-Identifier: MIT
#include "analyzer/cli/slab_question.h"

#include <limits>

#include "analyzer/shape/slab_shape.h"

namespace physmem {
namespace {

/// Of text without --full.
constexpr std::size_t kFewRows = 20;

}  // namespace

void SlabQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(slab_chart(slab_, view));
  if (format == Format::kText && slab_.source() == SlabUse::Source::kNone)
    return printer.lines(
        {"Slab caches: unknown, the snapshot does not have them; physmem-collect --ram records "
         "them"});
  const std::size_t max_rows =
      format == Format::kText && !view.is_full ? kFewRows : std::numeric_limits<std::size_t>::max();
  printer.table().write(slab_.order().snapshots() > 1 ? slab_growth_table(slab_, view, max_rows)
                                                      : slab_table(slab_, view, max_rows));
}

std::vector<std::string> SlabQuestion::missing() const {
  return slab_missing(slab_);
}

}  // namespace physmem
