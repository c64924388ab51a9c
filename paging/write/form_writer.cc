// SPDX-License-Identifier: MIT
#include "paging/write/form_writer.h"

#include "paging/write/exports.h"

namespace physmem {
namespace {

struct Name {
  std::string_view name;
  Form form;
};

constexpr Name kNames[] = {
    {"text", Form::kText},
    {"binary", Form::kBinary},
    {"pftrace", Form::kPftrace},
    {"csv", Form::kCsv},
    {"json", Form::kJson},
    {"perfetto", Form::kPerfetto},
    {"openmetrics", Form::kOpenMetrics},
    {"prometheus", Form::kPrometheus},
    {"summary", Form::kSummary},
};

bool is_here(Form form) {
  return form <= Form::kPftrace || has_exports();
}

}  // namespace

std::optional<Form> form_of(std::string_view name) {
  for (const Name& known : kNames)
    if (name == known.name && is_here(known.form)) return known.form;
  return {};
}

std::string form_names() {
  std::string names;
  for (const Name& known : kNames)
    if (is_here(known.form)) names += (names.empty() ? "" : ", ") + std::string(known.name);
  return names;
}

std::unique_ptr<TraceWriter> make_writer(Form form, bool all_lines, std::ostream& out,
                                         const CsvStyle& csv) {
  switch (form) {
    case Form::kText:
      return text_trace_writer(out);
    case Form::kBinary:
      return binary_trace_writer(out);
    case Form::kPftrace:
      return paper_trace_writer(out, all_lines ? PaperLines::kAll : PaperLines::kActual);
    default:
      return make_export(form, out, csv);
  }
}

}  // namespace physmem
