// SPDX-License-Identifier: MIT
// Pages of shared files that are not shared (I17, I22).
#include "analyzer/analyze/process/alerts.h"

#include <gtest/gtest.h>

#include "analyzer/shape/alerts_shape.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// Text of version 1: an area whose pages have these use counts.
std::string area(std::uint64_t start, const char* flags, const char* unit,
                 const std::vector<int>& counts) {
  std::string text =
      fmt::format("V: {:08X}, {:08X}, {:08X}, 00000000, 00000412, {}, {}\nM:", start,
                  start + counts.size() * 4096 - 1, counts.size() * 4096, flags, unit);
  for (std::size_t i = 0; i < counts.size(); ++i)
    text += fmt::format(" {:08X}=00001000, {}, 00000054 |", start + i * 4096, counts[i]);
  return text + "\n";
}

std::vector<std::string> text_of(const Alerts& alerts, int version = 2) {
  View view;
  view.header.version = version;
  return alerts_text(alerts, view);
}

TEST(Alerts, PrintsLinesOfFigure7) {
  Alerts alerts;
  fold("T: link-mon , 7, c018c0a0, 0, 0, 0, 0, 0, 0, 0\n" +
           area(0x0FFB4000, "00000077", "/lib/libc-2.2.5.so", {1, 6, 6, 1, 6, 6, 6, 6}) +
           area(0x0FFD0000, "00000075", "/lib/libm-2.2.5.so", {6, 6}) +
           area(0x10000000, "00001875", "/bin/link-mon", {2, 2}) +
           area(0x10002000, "00001877", "/bin/link-mon", {1, 1}) +
           area(0x10004000, "00000077", "NULL", {1, 1, 1, 1, 1, 1, 2, 2}) +
           area(0x7FFF0000, "00000177", "NULL", {1, 2}),
       {&alerts});
  EXPECT_EQ(
      text_of(alerts, 1),
      (std::vector<std::string>{
          R"(Alert! VMA [ /lib/libc-2] in "link-mon" has 2 single usage and 6 shared usage, flags = 00000077)",
          R"(Alert! VMA [ NULL] in "link-mon" has 6 single usage and 2 shared usage, flags = 20001077)",
          R"(Alert! VMA [ NULL] in "link-mon" has 1 single usage and 1 shared usage, flags = 00000177)"}));
  EXPECT_FALSE(alerts.exact_rule_applies()) << "version 1 does not mark anonymous pages";
}

// A page with use count 0 is neither single nor shared, as in P: records.
TEST(Alerts, DoesNotCountPagesWithUseCountZeroAsShared) {
  Alerts alerts;
  fold(maps_snapshot(R"(
process one 1
10000000-10002000 r-xp 0 20 /lib/a.so : f1 f0
)"),
       {&alerts});
  EXPECT_EQ(alerts.count(Alert::Rule::kSingleAndShared), 0u);
}

TEST(Alerts, ReportsPrivateCodeByExactRule) {
  Alerts alerts;
  fold(maps_snapshot(R"(
process one 1
10000000-10004000 r-xp 0 20 /lib/nonpic.so : a1 a1 a1 .
process two 2
10000000-10004000 r-xp 0 20 /lib/nonpic.so : a1 a1 . .
)"),
       {&alerts});
  EXPECT_TRUE(alerts.exact_rule_applies());
  EXPECT_EQ(
      text_of(alerts),
      (std::vector<std::string>{
          R"(Alert! Private text: /lib/nonpic.so in "one" (pid 1) has 3 pages of private code at 10000000, flags = 00000005)",
          R"(Alert! Private text: /lib/nonpic.so in "two" (pid 2) has 2 pages of private code at 10000000, flags = 00000005)",
          "/lib/nonpic.so: 5 private pages of code in 2 processes; one shared copy would save 2 (8 "
          "KiB); its file cannot be read, so DT_TEXTREL is unknown"}));
}

TEST(Alerts, SaysWhatACopyThatOthersShareWouldSave) {
  Alerts alerts;
  fold(maps_snapshot(R"(
process one 1
10000000-10002000 r-xp 0 20 /lib/nonpic.so : a1 a1
process two 2
10000000-10002000 r-xp 0 20 /lib/nonpic.so : f1 f1
)"),
       {&alerts});
  ASSERT_EQ(alerts.private_text().size(), 1u);
  EXPECT_EQ(alerts.private_text()[0].saving(), 2u);
}

TEST(Alerts, DoesNotReportDataRelroSharedOrWritableCodeAsPrivateText) {
  Alerts alerts;
  fold(maps_snapshot(R"(
process one 1
10000000-10002000 r-xp 0 20 /lib/good.so : f2 f2
10002000-10004000 r--p 2000 20 /lib/good.so : a1 a1
10004000-10006000 rw-p 4000 20 /lib/good.so : a1 a1
10010000-10011000 rwxp 0 21 /lib/patched.so : a1
10020000-10021000 r-xs 0 22 /lib/shared.so : a1
10030000-10031000 r-xp 0 0 - : a1
10040000-10041000 r-xp 0 0 [vdso] : a1
)"),
       {&alerts});
  EXPECT_EQ(alerts.count(Alert::Rule::kPrivateText), 0u);
  EXPECT_TRUE(alerts.private_text().empty());
}

TEST(Alerts, ReportsWhetherFileHasTextRelocations) {
  Alerts alerts;
  fold(maps_snapshot("process one 1\n1000-2000 r-xp 0 20 /lib/a.so : a1\n3000-4000 r-xp 0 21 "
                     "/lib/b.so : a1\n"),
       {&alerts});
  alerts.prove([](const PrivateText& unit) { return unit.unit == "/lib/a.so"; });
  const std::vector<std::string> lines = text_of(alerts);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[2].ends_with(
      "DT_TEXTREL shows that it is not position-independent: compile it with -fPIC"));
  EXPECT_TRUE(
      lines[3].ends_with("no DT_TEXTREL: a debugger, a probe or the process itself wrote to it"));
}

TEST(Alerts, MergesOneFileUnderTwoPathsAndListsBothAlerts) {
  Alerts alerts;
  fold(maps_snapshot(
           "process one 1\n1000-2000 r-xp 0 20 /lib/a.so : a1\nprocess two 2\n1000-2000 r-xp 0 20 "
           "/mnt/lib/a.so : a1\n"),
       {&alerts});
  ASSERT_EQ(alerts.private_text().size(), 1u);
  EXPECT_EQ(alerts.private_text()[0].processes, 2u);
  alerts.prove([](const PrivateText&) { return true; });
  const Table table = alerts_table(alerts, {});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].back(), Cell("yes"));
  EXPECT_EQ(table.rows[1].back(), Cell("yes"));
}

TEST(Alerts, CountsProcessThatMapsCodeTwiceOnce) {
  Alerts alerts;
  fold(maps_snapshot("process one 1\n1000-2000 r-xp 0 20 /lib/a.so : a1\n3000-5000 r-xp 2000 20 "
                     "/lib/a.so : a1 a1\n"),
       {&alerts});
  ASSERT_EQ(alerts.private_text().size(), 1u);
  EXPECT_EQ(alerts.private_text()[0].processes, 1u);
  EXPECT_EQ(alerts.private_text()[0].saving(), 0u) << "no other process could share its pages";
}

}  // namespace
}  // namespace physmem
