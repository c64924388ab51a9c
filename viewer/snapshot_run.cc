// SPDX-License-Identifier: MIT
#include "viewer/snapshot_run.h"

#include <ostream>
#include <utility>

#include "program/messages.h"
#include "program/missing_option.h"
#include "program/output_file.h"
#include "viewer/snapshot_view.h"

namespace physmem::view {
namespace {

/// Room for the snapshots of a series, before compression.
constexpr std::size_t kServedBytes = std::size_t{1} << 30;
constexpr std::size_t kEmbeddedBytes = std::size_t{256} << 20;

Exit write_html(const Serving& serving, const Moments& moments) {
  const auto page = page_with(serving.page, moments.snapshots, moments.series);
  if (!page) return report_error(serving.messages, kProgramName, page.error());
  OutputFile file(serving.options.html, OutputKind::kSnapshot);
  file.stream() << *page;
  const std::string problem = file.commit();
  if (file.closed_pipe()) return Exit::kIo;
  if (!problem.empty())
    return report_error(serving.messages, kProgramName, {Error::Kind::kIo, problem});
  return moments.data_is_missing ? exit_with_missing_data() : Exit::kDone;
}

}  // namespace

Exit show_snapshots(const Serving& serving, OpenPort port, std::vector<NamedInput> inputs) {
  const bool is_embedded = !serving.options.html.empty();
  const auto moments = read_moments(
      std::move(inputs), {is_embedded ? kEmbeddedBytes : kServedBytes, serving.options.keep_going},
      [&serving](const std::string& note) { report(serving.messages, kProgramName, note); });
  if (!moments) return report_error(serving.messages, kProgramName, moments.error());
  if (is_embedded) return write_html(serving, *moments);
  boost::asio::io_context io;
  return serve(
      io, serving, std::move(port), [&moments] { return std::make_unique<SnapshotView>(*moments); },
      [] {}, [] {});
}

}  // namespace physmem::view
