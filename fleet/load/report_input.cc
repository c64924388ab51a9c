// SPDX-License-Identifier: MIT
#include "fleet/load/report_input.h"

#include <utility>

#include "analyzer/parse/open_source.h"
#include "fleet/load/upload_limits.h"

namespace physmem::fleet {

Result<std::unique_ptr<ReportInput>> ReportInput::open(const SnapshotFile& file,
                                                       const ReportSettings& settings,
                                                       OpenAlerts& alerts) {
  const std::string name = file.path == "-" ? "standard input" : file.path;
  auto source = open_source(file.path);
  if (!source) return source.error();
  std::unique_ptr<ReportInput> input(new ReportInput);
  input->source_ = std::move(*source);
  // A mapped file has no more bytes than were uploaded.
  const std::uint64_t max = max_decoded(file.bytes);
  if (settings.is_by_folder && input->source_->text().data() == nullptr) {
    auto limited = std::make_unique<LimitedSource>(std::move(input->source_), name, max);
    input->limited_ = limited.get();
    input->source_ = std::move(limited);
  }
  // A mapped file is not read before; of the others, the head is read and given back.
  std::string head(input->source_->text().substr(0, kRowsMagic.size()));
  if (input->source_->text().data() == nullptr) {
    auto opened = with_head(std::move(input->source_), kRowsMagic.size());
    if (!opened) return opened.error();
    head = std::move(opened->head);
    input->source_ = std::move(opened->source);
  }
  constexpr std::string_view kAnyVersion = "physmem-fleet-rows";
  if (head.starts_with(kAnyVersion))
    input->rows_.emplace(*input->source_, name);
  else
    input->snapshots_.emplace(*input->source_, name, host_by_path(file), settings, alerts);
  return input;
}

}  // namespace physmem::fleet
