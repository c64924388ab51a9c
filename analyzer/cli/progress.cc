// SPDX-License-Identifier: MIT
#include "analyzer/cli/progress.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "analyzer/shape/view.h"
#include "program/printable.h"

namespace physmem {

using namespace std::chrono_literals;

ProgressLine::ProgressLine(std::ostream& messages)
    : messages_(messages),
      is_wanted_(isatty(STDERR_FILENO) == 1),
      begin_(Clock::now()),
      next_(begin_ + 1s) {}

bool ProgressLine::is_due() {
  return is_wanted_ && Clock::now() >= next_;
}

void ProgressLine::show(const std::string& text) {
  fmt::print(messages_, "\r{} \033[K", for_terminal(text));
  messages_.flush();
  next_ = Clock::now() + 200ms;
  was_shown_ = true;
}

void ProgressLine::clear() {
  if (std::exchange(was_shown_, false)) messages_ << "\r\033[K";
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

Progress::Progress(ByteSource& inner, const std::string& name, std::ostream& messages,
                   std::uint64_t all)
    : inner_(inner), name_(name), line_(messages), all_(all) {}

Result<std::size_t> Progress::read(char* to, std::size_t size) {
  auto n = inner_.read(to, size);
  if (n) count(bytes_ + *n);
  return n;
}

void Progress::release(std::uint64_t offset) {
  count(offset);
  inner_.release(offset);
}

void Progress::count(std::uint64_t bytes) {
  bytes_ = bytes;
  if (!line_.is_due()) return;
  const double mib = static_cast<double>(bytes_) / (1 << 20);
  std::string text =
      fmt::format("{}: {:.0f} MiB read, {:.0f} MiB/s", name_, mib, mib / line_.seconds());
  if (all_ > bytes_ && bytes_ != 0)
    text += fmt::format(", {:.0f} s left", static_cast<double>(all_ - bytes_) /
                                               static_cast<double>(bytes_) * line_.seconds());
  line_.show(text);
}

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
