// SPDX-License-Identifier: MIT
// Reads any text as /proc/swaps. Its lines are the same after they are written like the kernel does
// and read again. Then events determine the type of each line. Each line has at most one type, and
// no sector is outside its swap area.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "paging/source/swap_areas.h"
#include "tests/fuzz/check.h"

namespace {

using namespace physmem;

constexpr std::uint32_t kPageSize = 4096;
constexpr std::uint64_t kSectors = kPageSize / 512;

/// A folder whose proc/swaps has the text.
class SwapsRoot {
 public:
  SwapsRoot() : path_(std::filesystem::temp_directory_path() / "physmem-fuzz-swaps-XXXXXX") {
    PHYSMEM_CHECK(::mkdtemp(path_.data()) != nullptr);
    std::filesystem::create_directory(path_ + "/proc");
  }
  ~SwapsRoot() { std::filesystem::remove_all(path_); }
  SwapsRoot(const SwapsRoot&) = delete;
  SwapsRoot& operator=(const SwapsRoot&) = delete;

  const std::string& path() const { return path_; }
  void write(std::string_view text) const { std::ofstream(path_ + "/proc/swaps") << text; }

 private:
  std::string path_;
};

/// The name with the escapes of seq_path(), which writes blank, tab, newline and backslash as \ooo.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    std::array<char, 5> octal{};
    std::snprintf(octal.data(), octal.size(), "\\%03o", static_cast<unsigned char>(c));
    text += std::string_view(" \t\n\\").find(c) == std::string_view::npos ? std::string(1, c)
                                                                          : octal.data();
  }
  return text;
}

void check_written_again(const std::vector<SwapLine>& lines) {
  std::string text = "Filename\tType\tSize\tUsed\tPriority\n";
  for (const SwapLine& line : lines)
    text += escaped(line.name) + (line.is_file ? "\tfile\t" : "\tpartition\t") +
            std::to_string(line.slots * (kPageSize / 1024)) + "\t0\t-2\n";
  PHYSMEM_CHECK(parse_swaps(text, kPageSize) == lines);
}

/// Each byte of `seen` is the swap type of an event.
void check_types(std::string_view text, std::string_view seen, std::size_t lines) {
  static const SwapsRoot kRoot;
  kRoot.write(text);
  SwapAreas areas(kRoot.path(), kPageSize);
  areas.refresh(1000);
  for (const char type : seen)
    areas.saw(static_cast<std::uint8_t>(type) & 31u, static_cast<std::uint8_t>(type) >> 5, 2000);
  PHYSMEM_CHECK(areas.areas().size() <= lines);
  int before = -1;
  for (const SwapArea& area : areas.areas()) {
    PHYSMEM_CHECK(area.type > before);
    before = area.type;
    PHYSMEM_CHECK(areas.kind_of(area.type) == area.kind);
    PHYSMEM_CHECK(!areas.sector_of(area.type, area.slots + 1) || area.slots == UINT64_MAX);
    const auto last = areas.sector_of(area.type, area.slots);
    PHYSMEM_CHECK(!last || *last == area.slots * kSectors);
  }
}

}  // namespace

/// The input has a text, a byte 0, and the types of events.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\0'));
  const std::string_view seen = text.size() == size ? "" : input.substr(text.size() + 1);
  const std::vector<SwapLine> lines = parse_swaps(text, kPageSize);
  const auto newlines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  PHYSMEM_CHECK(lines.size() <= newlines);
  // A name is a word, so only blank lines have no name.
  if (std::none_of(lines.begin(), lines.end(),
                   [](const SwapLine& line) { return line.name.empty(); }))
    check_written_again(lines);
  // The test does not open files that the text names.
  if (std::none_of(lines.begin(), lines.end(), [](const SwapLine& line) { return line.is_file; }))
    check_types(text, seen, lines.size());
  return 0;
}
