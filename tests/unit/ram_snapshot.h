// SPDX-License-Identifier: MIT
// Snapshots of the whole of RAM from a shorthand, for tests of series.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace physmem {

/// A snapshot at this second of a boot, with these O: and R: lines, and G: lines if given. Frames
/// are of 4 KiB. No process has pages.
inline std::string ram_snapshot(int second, std::string_view records,
                                std::string_view more = "ram_by=kcore") {
  return fmt::format(
      "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, time_ns={}000000000, "
      "uptime_ns={}000000000, hz=100, ram_pages=100000, phys_mask=000FFFFFFFFFF000, pte=none, "
      "prot=none, flags=kpf, count=mapcount, pages=all, pfn=shown, ram=all, {}\n"
      "Z: 0, Normal, 00000000, 100000, 100000, 100000, 0, 0, 1, 2, 3\n"
      "{}E: 0, 0, 0, 0, 0\n",
      1763683200 + second, second, more, records);
}

/// Writes runs that follow each other, from frame 1000 (hex) on.
class RamLines {
 public:
  /// Pages of a class with an owner, of which a process maps each `count` times.
  RamLines& add(std::uint64_t pages, std::string_view use, std::uint64_t owner = 0,
               std::uint64_t count = 0, std::uint64_t place = 0) {
    if (pages != 0)
      text_ += fmt::format("R: {:08X}, {}, {}, {}, 0, 00000000, {}, {:08X}\n", next_, pages, use,
                           owner, count, place);
    next_ += pages;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::uint64_t next_ = 0x1000;
  std::string text_;
};

}  // namespace physmem
