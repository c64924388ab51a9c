// SPDX-License-Identifier: MIT
#include "analyzer/cli/cgroup_question.h"

#include "analyzer/cli/missing_notes.h"
#include "analyzer/shape/first_rows.h"

namespace physmem {
namespace {

/// Rows of files in text, without --full.
constexpr std::size_t kFewFiles = 10;

}  // namespace

std::string CgroupQuestion::failure() const {
  if (!CgroupSelection(uses_, patterns_, names_).rows().empty()) return {};
  return words_.empty() ? "no cgroup matches --cgroup"
                        : "no cgroup has " + quoted(words_) +
                              " in its name, and no snapshot is "
                              "named so";
}

void CgroupQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  const CgroupSelection selection(uses_, patterns_, names_);
  if (is_picture(format)) return printer.add(cgroup_treemap(uses_, selection));
  const bool is_text = format == Format::kText;
  if (is_text && uses_.is_known()) {
    printer.lines(cgroup_lines(uses_, selection));
    printer.lines({""});
  }
  printer.table().write(cgroups_table(uses_, selection, view.is_full, is_text));
  if ((format == Format::kCsv && !view.is_full) || !uses_.is_known() || !uses_.knows_users())
    return;
  const std::vector<CgroupFile> files = uses_.files();
  Table shared = cgroup_files_table(files, selection, is_text);
  if (is_text) keep_first(shared, top_.value_or(view.is_full ? shared.rows.size() : kFewFiles));
  if (!shared.rows.empty()) printer.write_next(shared);
  if (view.is_full) printer.write_next(cgroup_matrix_table(files, selection));
}

}  // namespace physmem
