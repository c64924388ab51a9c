// SPDX-License-Identifier: MIT
#include "analyzer/input/fleet_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/shape/view.h"

namespace physmem {

void FleetProgress::add_file(std::uint64_t bytes) {
  ++files_done_;
  bytes_done_ += bytes;
}

void FleetProgress::show_if_due() {
  if (line_.is_due())
    line_.show(fleet_progress_text(files_done_, files_, bytes_done_, bytes_, snapshots_done_,
                                   line_.seconds()));
}

std::string fleet_progress_text(std::size_t files_done, std::size_t files, std::uint64_t bytes_done,
                                std::uint64_t bytes, std::uint64_t snapshots, double seconds) {
  const double done = static_cast<double>(bytes_done);
  std::string text = fmt::format("{} of {}, {}", files_done, counted(files, "file"),
                                 counted(snapshots, "snapshot"));
  if (bytes_done == 0) return text;
  text += fmt::format(", {:.0f} MiB/s, {:.1f} snapshots/s", done / (1 << 20) / seconds,
                      static_cast<double>(snapshots) / seconds);
  // A file may have grown since its size was read.
  const double left = seconds * static_cast<double>(bytes - std::min(bytes, bytes_done)) / done;
  const auto whole = static_cast<std::uint64_t>(std::llround(left));
  return text + fmt::format(", {}:{:02} left", whole / 60, whole % 60);
}

}  // namespace physmem
