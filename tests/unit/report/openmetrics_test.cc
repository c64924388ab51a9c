// SPDX-License-Identifier: MIT
#include "analyzer/report/openmetrics.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "program/printable.h"

namespace physmem {
namespace {

std::string written(const MetricFamily& family) {
  std::ostringstream out;
  write_openmetrics({family}, out);
  return out.str();
}

std::string label_line(const std::string& name) {
  const std::string text =
      written({"m", "", "Help.", {{{{"name", name}}, std::uint64_t{1}}}, false});
  return text.substr(text.find("\nm{") + 1, text.rfind("# EOF") - text.find("\nm{") - 2);
}

TEST(OpenMetricsText, WritesGaugeLikePrometheus) {
  EXPECT_EQ(written({"m_bytes", "bytes", "Help.", {{{}, 1.5}}, false}),
            "# TYPE m_bytes gauge\n# UNIT m_bytes bytes\n# HELP m_bytes Help.\nm_bytes 1.5\n"
            "# EOF\n");
}

TEST(OpenMetricsText, EscapesQuoteBackslashControlCharactersAndStrayBytes) {
  EXPECT_EQ(label_line("a\"b"), R"(m{name="a\"b"} 1)");
  EXPECT_EQ(label_line("dev\\x2dsda"), R"(m{name="dev\\x2dsda"} 1)");
  EXPECT_EQ(label_line("a\nb"), R"(m{name="a\\012b"} 1)");
  EXPECT_EQ(label_line("a\xff"
                       "b"),
            R"(m{name="a\\377b"} 1)");
  EXPECT_EQ(label_line("größe"), "m{name=\"größe\"} 1");
}

TEST(OpenMetricsText, KeepsDifferentNamesDifferent) {
  const std::set<std::string> names{
      "a\n",   "a\\012", "a\\\\012", "a\\134012",     "a\\",        "a\\134",
      "a\xff", "a\xfe",  "a\\377",   "a\xef\xbf\xbd", "a\\\xff",    "a\\\\377",
      "a\\12", "a\"",    "a\\\"",    "a\xed\xa0",     "a\\355\xa0", ""};
  std::set<std::string> lines;
  for (const std::string& name : names) {
    const std::string line = label_line(name);
    EXPECT_TRUE(lines.insert(line).second) << line;
    EXPECT_EQ(for_terminal(line), line) << "valid UTF-8 without control characters";
  }
}

}  // namespace
}  // namespace physmem
