// SPDX-License-Identifier: MIT
#include "analyzer/cli/frame_question.h"

#include "analyzer/shape/frame_shape.h"

namespace physmem {

FrameQuestion::FrameQuestion(const QuestionContext& context)
    : lookup_(context.options.frames, context.options.frames_are_addresses) {}

void FrameQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  const PageSize page_size = view.header.page_size;
  if (format == Format::kText)
    printer.lines(frame_lines(lookup_, page_size));
  else
    printer.table().write(frames_table(lookup_, page_size));
  const Table mappings = frame_mappings_table(lookup_, view);
  if (mappings.rows.empty() || (format == Format::kCsv && !view.is_full)) return;
  if (format == Format::kText) printer.lines({""});
  printer.write_next(mappings);
}

}  // namespace physmem
