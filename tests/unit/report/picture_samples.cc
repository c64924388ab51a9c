// SPDX-License-Identifier: MIT
#include "picture_samples.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

/// Read by LeakSanitizer, if present: fontconfig keeps its caches until the program exits.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig.so\n";
}

namespace physmem {

BarChart chart_of(std::size_t groups, std::size_t series, std::size_t bars) {
  BarChart chart;
  chart.title = "Memory of each process";
  chart.subtitle = "a sample";
  for (std::size_t s = 0; s < series; ++s) chart.series.push_back("kind " + std::to_string(s));
  chart.bar_titles.assign({"physical", "virtual"});
  chart.bar_titles.resize(bars);
  for (std::size_t g = 0; g < groups; ++g) {
    BarChart::Group group{"process " + std::to_string(g), {}};
    for (std::size_t b = 0; b < bars; ++b) {
      group.bars.emplace_back();
      for (std::size_t s = 0; s < series; ++s) group.bars.back().push_back(g + s + b);
    }
    chart.groups.push_back(group);
  }
  return chart;
}

PageMap map_of(std::size_t blocks, std::size_t lines) {
  PageMap map{"Pages of each unit", {}};
  for (std::size_t b = 0; b < blocks; ++b) {
    PageMap::Block block{"unit " + std::to_string(b), {}, {"summary of unit " + std::to_string(b)}};
    for (std::size_t i = 0; i < lines; ++i)
      block.lines.push_back({0x10000000 + i * 64 * 4096, "..123456789###  ", 0});
    map.blocks.push_back(block);
  }
  return map;
}

Series line_of(const std::vector<std::pair<double, double>>& points) {
  return {.title = "Memory", .x_title = "s", .panels = {{"pages", {{"init", points}}}}};
}

std::string picture(PictureFormat format, const std::vector<BarChart>& charts,
                    const std::vector<PageMap>& maps) {
  std::ostringstream out;
  EXPECT_EQ(paint(out, format, {.charts = charts, .maps = maps}), "");
  return out.str();
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size()))
    ++n;
  return n;
}

std::optional<std::string> output_of(const std::string& command, const std::string& picture) {
  std::string name = testing::TempDir() + "picture-XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return std::nullopt;
  ::close(descriptor);
  std::ofstream(name, std::ios::binary) << picture;
  std::string output;
  std::FILE* pipe = ::popen((command + " < " + name + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), size);
  const int status = ::pclose(pipe);
  ::unlink(name.c_str());
  if (status != 0) return std::nullopt;
  return output;
}

bool is_installed(const std::string& program) {
  return output_of("command -v " + program, "").has_value();
}

}  // namespace physmem
