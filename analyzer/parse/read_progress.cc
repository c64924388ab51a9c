// SPDX-License-Identifier: MIT
#include "analyzer/parse/read_progress.h"

#include <fmt/format.h>

#include <utility>

namespace physmem {

ReadProgress::ReadProgress(ByteSource& inner, std::string name, std::uint64_t all)
    : inner_(inner), name_(std::move(name)), all_(all) {}

Result<std::size_t> ReadProgress::read(char* to, std::size_t size) {
  auto n = inner_.read(to, size);
  if (n) count(bytes_ + *n);
  return n;
}

void ReadProgress::release(std::uint64_t offset) {
  count(offset);
  inner_.release(offset);
}

void ReadProgress::count(std::uint64_t bytes) {
  bytes_ = bytes;
  if (!line_.is_due()) return;
  if (snapshots_ != 0)
    return line_.show(fmt::format("{}: snapshot {} of {}", name_, snapshot_, snapshots_));
  const double mib = static_cast<double>(bytes_) / (1 << 20);
  std::string text =
      fmt::format("{}: {:.0f} MiB read, {:.0f} MiB/s", name_, mib, mib / line_.seconds());
  if (all_ > bytes_ && bytes_ != 0)
    text += fmt::format(", {:.0f} s left", static_cast<double>(all_ - bytes_) /
                                               static_cast<double>(bytes_) * line_.seconds());
  line_.show(text);
}

}  // namespace physmem
