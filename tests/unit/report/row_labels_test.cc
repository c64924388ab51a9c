// SPDX-License-Identifier: MIT
#include "analyzer/report/row_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "analyzer/report/cairo_canvas.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::StartsWith;

constexpr Font kFont{.size = 9};
constexpr const char* kPython = "/usr/lib/x86_64-linux-gnu/a/long/way/down/libpython3.11.so.1.0";

std::vector<std::string> labels(const std::vector<std::string>& given, double room) {
  CairoCanvas ruler = CairoCanvas::ruler();
  const std::vector<std::string> fitted = row_labels(given, kFont, room, ruler);
  for (const std::string& label : fitted) EXPECT_LE(ruler.width(label, kFont), room) << label;
  return fitted;
}

TEST(RowLabels, KeepLabelsThatFit) {
  EXPECT_THAT(labels({"/bin/a", "init (1)"}, 190), ElementsAre("/bin/a", "init (1)"));
}

TEST(RowLabels, KeepTheFileNameAndTheFoldersThatFit) {
  EXPECT_THAT(labels({kPython}, 170), ElementsAre("…/way/down/libpython3.11.so.1.0"));
  EXPECT_THAT(labels({kPython}, 115), ElementsAre("…/libpython3.11.so.1.0"));
}

TEST(RowLabels, ShortenALongNameInTheMiddle) {
  const std::string label = labels({kPython}, 60).front();
  EXPECT_THAT(label, AllOf(StartsWith("…/lib"), EndsWith(".1.0")));
}

TEST(RowLabels, KeepThePidOfAProcess) {
  EXPECT_THAT(labels({std::string(100, 'x') + " (4711)"}, 100).front(), EndsWith("x (4711)"));
}

TEST(RowLabels, ShowTheBeginningsOfPathsWithTheSameEnd) {
  EXPECT_THAT(labels({"/opt/first/release/of/the/program/lib/libcommon.so.1",
                      "/srv/second/release/of/the/program/lib/libcommon.so.1"},
                     110),
              ElementsAre(StartsWith("/opt"), StartsWith("/srv")));
}

TEST(RowLabels, NumberIdenticalLabels) {
  std::vector<std::string> given;
  for (int i = 0; i < 12; ++i)
    given.push_back("/a/long/way/" + std::string(40, 'y') + std::to_string(i) +
                    std::string(40, 'y') + "/libcommon.so.1");
  const std::vector<std::string> fitted = labels(given, 90);
  EXPECT_EQ(std::set<std::string>(fitted.begin(), fitted.end()).size(), given.size());
  EXPECT_THAT(fitted.back(), EndsWith(" (12)"));
}

}  // namespace
}  // namespace physmem
