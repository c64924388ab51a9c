// SPDX-License-Identifier: MIT
// Every message of the reader once: file, line, column, what was found, what was expected.
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// The message for the example with `from` replaced by `to`.
std::string after_change(std::string_view from, std::string_view to) {
  return read(with(kSample, from, to)).error;
}

/// The message for a VMA of four pages with these lines after its V: line.
std::string in_area(const std::string& lines) {
  return read(std::string(kHeaderLine) + std::string(kTaskLine) +
              "V: 00010000, 00013FFF, 00004000, 00002000, 00000000, 00000003, NULL, 00000000, "
              "00:00, 0\n" +
              lines)
      .error;
}

TEST(Message, RejectsAFileThatIsNotASnapshot) {
  EXPECT_EQ(read("").error, "s.txt: is empty, expected a snapshot");
  EXPECT_EQ(
      read("\x89PNG\r\n\x1a\n\0\0\0\rIHDR").error,
      R"(s.txt:1:1: found "\211PNG\015", expected a snapshot, which begins with H: (version 2) or T: (version 1))");
  EXPECT_EQ(
      read(std::string(kSample) + "trailing\n").error,
      R"(s.txt:14:1: found "trailing", expected another snapshot (H:) or the end of the file after E:)");
}

TEST(Message, ReportsATruncatedFile) {
  EXPECT_EQ(read(with(kSample, "E: 2, 2, 3, 1, 0\n", "")).error,
            "s.txt:13:1: the snapshot ends without its E: record: it was cut short");
  EXPECT_EQ(read(with(kSample, ", 0, 12, /\nE: 2, 2, 3, 1, 0\n", "")).error,
            "s.txt:12:68: the file ends within a line: it was cut short");
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 0\nM: 00010000=00001000, 1, 00000000 |"),
            "s.txt:5:36: the file ends within a line: it was cut short");
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 1\nS: 00010000=0:00000001 |"),
            "s.txt:5:25: the file ends within a line: it was cut short");
}

TEST(Message, RejectsALineThatIsNotARecord) {
  EXPECT_EQ(after_change("T: kswapd0", "hello\nT: kswapd0"),
            R"(s.txt:12:1: found "hello", expected a record: a letter and a colon)");
  EXPECT_EQ(after_change("T: kswapd0", "\nT: kswapd0"),
            R"(s.txt:12:1: found "", expected a record: a letter and a colon)");
  EXPECT_EQ(after_change("T: kswapd0", "...\nT: kswapd0"),
            R"(s.txt:12:1: found "...", expected a record: a letter and a colon)");
}

TEST(Message, RejectsAMisplacedRecord) {
  const std::string header(kHeaderLine);
  const std::string task(kTaskLine);
  EXPECT_EQ(read(header + "V: 1\n").error, "s.txt:2:1: V: without a T: before it");
  EXPECT_EQ(read(header + task + "P: 1\n").error, "s.txt:3:1: P: without a V: before it");
  EXPECT_EQ(read(header + task + "M: 1\n").error, "s.txt:3:1: M: without a V: before it");
  EXPECT_EQ(read(header + task + "S: 1\n").error, "s.txt:3:1: S: without a V: and a P: before it");
  EXPECT_EQ(in_area("M:\n"), "s.txt:4:1: M: without a P: before it");
  EXPECT_EQ(in_area("T: x\n"), "s.txt:4:1: area 00010000: expected its P: line before this");
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 0\nP: 2, 0, 0, 2, 0, 0\nP: 2, 0, 0, 2, 0, 0\n"),
            "s.txt:6:1: P: found a second one for the same area");
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 0\nM:\nP: 0, 0, 0, 0, 0, 0\nP: 0, 0, 0, 0, 0, 0\n"),
            "s.txt:7:1: P: found a second one for the same area");
}

TEST(Message, RejectsPagesInASnapshotWithPagesNone) {
  const std::string none = with(kSample, "pages=all", "pages=none");
  EXPECT_EQ(read(none).error, "s.txt:7:1: M: found in a snapshot whose header says pages=none");
  EXPECT_EQ(read(with(none, "P: 2, 0, 2, 0, 2, 0\nM:", "P: 2, 0, 2, 0, 2, 0\nS:")).error,
            "s.txt:7:1: S: found in a snapshot whose header says pages=none");
}

TEST(Message, RejectsVmasInASnapshotWithAreasNone) {
  const std::string none = with(kSample, "pages=all", "areas=none, pages=none");
  EXPECT_EQ(read(none).error, "s.txt:5:1: V: found in a snapshot whose header says areas=none");
  EXPECT_EQ(read(with(kSample, "pages=all", "areas=none, pages=all")).error,
            "s.txt:1:4: H: areas=none: expected pages=none with it (pages belong to areas)");
  EXPECT_EQ(read(with(kSample, "pages=all", "areas=some, pages=all")).error,
            R"(s.txt:1:230: H: areas: found "some", expected all or none)");
}

TEST(Message, RejectsAMalformedHeader) {
  EXPECT_EQ(after_change("H: 2", "H: 3"),
            "s.txt:1:4: H: format version: found 3, expected 2 (is this program older than the "
            "collector?)");
  EXPECT_EQ(
      after_change("page_size=4096", "page_size=5000"),
      R"(s.txt:1:30: H: page_size: found "5000", expected a power of two from 1024 to 16777216)");
  EXPECT_EQ(
      after_change("hz=100", "ram_pages=4503599627370497, hz=100"),
      R"(s.txt:1:131: H: ram_pages: found "4503599627370497", expected at most 4503599627370496)");
  EXPECT_EQ(after_change("hz=100", "hz=0"),
            R"(s.txt:1:124: H: hz: found "0", expected a number above 0)");
  EXPECT_EQ(after_change("hz=100", "hz=1x"),
            R"(s.txt:1:124: H: hz: found "1x", expected a decimal number below 2^64)");
  EXPECT_EQ(after_change("count=mapcount", "count=guess"),
            R"(s.txt:1:214: H: count: found "guess", expected mapcount, average or refs)");
  EXPECT_EQ(after_change("pte=none", "pte=some"),
            R"(s.txt:1:180: H: pte: found "some", expected raw or none)");
  EXPECT_EQ(
      after_change("phys_mask=000F", "phys_mask=000G"),
      R"(s.txt:1:158: H: phys_mask: found "000GFFFFFFFFF000", expected a hexadecimal number below 2^64)");
  EXPECT_EQ(after_change("arch=x86_64", "x86_64"),
            R"(s.txt:1:7: H: found "x86_64", expected key=value)");
  EXPECT_EQ(after_change("hz=100", "hz=100, hz=250"),
            R"(s.txt:1:129: H: found "hz" again, expected each key once)");
}

TEST(Message, RejectsAMalformedNumber) {
  EXPECT_EQ(after_change("00000173", "0000017G"),
            R"(s.txt:4:19: T: mm: found "0000017G", expected a hexadecimal number below 2^64)");
  EXPECT_EQ(after_change(", 371, 0", ", , 0"),
            R"(s.txt:4:14: T: pid: found "", expected a decimal number below 2^64)");
  EXPECT_EQ(
      after_change(", 371, 0", ", 18446744073709551616, 0"),
      R"(s.txt:4:14: T: pid: found "18446744073709551616", expected a decimal number below 2^64)");
  EXPECT_EQ(
      after_change("00000173", "10000000000000000"),
      R"(s.txt:4:19: T: mm: found "10000000000000000", expected a hexadecimal number below 2^64)");
  EXPECT_EQ(after_change("vm.pgfault=1203344", "vm.pgfault=-1"),
            R"(s.txt:2:15: G: vm.pgfault: found "-1", expected a decimal number below 2^64)");
}

TEST(Message, ReportsMissingFields) {
  EXPECT_EQ(after_change("P: 2, 0, 2, 0, 2, 0", "P: 2, 0, 2"),
            "s.txt:6:11: P: single-use pages: the line ends here, expected another field");
  EXPECT_EQ(after_change("E: 2, 2, 3, 1, 0", "E: 2"),
            "s.txt:13:5: E: areas: the line ends here, expected another field");
  EXPECT_EQ(after_change("E: 2, 2, 3, 1, 0", "E: 2, 2, 3, 1"),
            "s.txt:13:14: E: frame runs: the line ends here, expected another field");
  EXPECT_EQ(after_change("E: 2, 2, 3, 1, 0", "E: 2, 2, 3, 1, 0, x"),
            R"(s.txt:13:19: E: excluded pages: found "x", expected a decimal number below 2^64)");
  EXPECT_EQ(after_change("E: 2, 2, 3, 1, 0", "E: 2, 2, 3, 1, 0,"),
            R"(s.txt:13:18: E: excluded pages: found "", expected a decimal number below 2^64)");
}

// Newer formats may have more fields.
TEST(Message, AcceptsAdditionalFieldsAtTheEndOfALine) {
  std::string text = with(kSample, "E: 2, 2, 3, 1, 0", "E: 2, 2, 3, 1, 0, 0");
  text = with(text, "FE:01, 1835", "FE:01, 1835, 0");
  text = with(text, "00:00, 0\n", "00:00, 0, 0\n");
  std::string longer;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    longer += text.substr(at, end - at);
    const bool may_have_more = std::string_view("TVPE").find(text[at]) != std::string_view::npos;
    const char* known = text[at] == 'P' ? ", 0, 9, new\n" : ", 9, new\n";  // unlisted pages
    longer += may_have_more ? known : "\n";
  }
  const Reading reading = read(longer);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.events, read(text).events);
}

TEST(Message, RejectsAMalformedDevice) {
  for (const char* wrong : {"FE01", "FE:", ":01", "XX:01", "100000000:0"})
    EXPECT_EQ(after_change("FE:01", wrong), "s.txt:5:96: V: device: found \"" + std::string(wrong) +
                                                "\", expected major:minor in hexadecimal");
}

TEST(Message, RejectsAMalformedName) {
  EXPECT_EQ(
      after_change("/usr/bin/cat", "/a\\8b"),
      "s.txt:5:74: V: found a backslash, expected three octal digits after it (\\000 to \\377)");
  EXPECT_EQ(after_change("/usr/bin/cat", "/a\tb"),
            R"(s.txt:5:74: V: found the control character \011 in a name)");
}

TEST(Message, RejectsAVmaWithContradictoryFields) {
  EXPECT_EQ(after_change("55D0C1A01FFF, 00002000", "55D0C19FFFFF, 00002000"),
            "s.txt:5:4: V: area 55D0C1A00000 to 55D0C19FFFFF ends before it starts");
  EXPECT_EQ(after_change("55D0C1A01FFF, 00002000", "55D0C1A01FFE, 00002000"),
            "s.txt:5:4: V: area 55D0C1A00000 to 55D0C1A01FFE does not begin and end at a page of "
            "4096 bytes");
  EXPECT_EQ(after_change("00002000, 00002000", "00003000, 00002000"),
            "s.txt:5:4: V: size: found 00003000, expected 00002000 (last - start + 1)");
  EXPECT_EQ(after_change("00002000, 00002000", "00002000, 00003000"),
            "s.txt:5:4: V: resident: found 00003000 bytes, more than the area has (00002000)");
  EXPECT_EQ(read(std::string(kHeaderLine) + std::string(kTaskLine) +
                 "V: 0, FFFFFFFFFFFFFFFF, 0, 0, 0, 0, NULL, 0, 0:0, 0\n")
                .error,
            "s.txt:3:4: V: area 00000000 to FFFFFFFFFFFFFFFF ends before it starts");
}

TEST(Message, RejectsOverlappingVmas) {
  EXPECT_EQ(after_change("V: 7FFD3E000000, 7FFD3E020FFF, 00021000",
                         "V: 55D0C1A01000, 55D0C1A02FFF, 00002000"),
            "s.txt:8:4: V: start address: found 55D0C1A01000, expected one above 55D0C1A01FFF, "
            "where the area "
            "before ends");
}

TEST(Message, RejectsImpossibleCounts) {
  EXPECT_EQ(in_area("P: 5, 0, 0, 0, 0, 0\n"),
            "s.txt:4:4: P: found 5 user, 0 swapped and 0 unlisted pages in an area of 4");
  EXPECT_EQ(in_area("P: 2, 0, 0, 0, 0, 5\n"),
            "s.txt:4:4: P: found 2 user, 5 swapped and 0 unlisted pages in an area of 4");
  EXPECT_EQ(in_area("P: 2, 0, 0, 0, 0, 0, 5\n"),
            "s.txt:4:4: P: found 2 user, 0 swapped and 5 unlisted pages in an area of 4");
  EXPECT_EQ(
      in_area("P: 2, 0, 0, 3, 0, 0\n"),
      "s.txt:4:4: P: found 0 executable, 0 read-only, 3 single-use and 0 shared of only 2 pages");
  EXPECT_EQ(
      in_area("P: 2, 0, 0, 2, 2, 0\n"),
      "s.txt:4:4: P: found 0 executable, 0 read-only, 2 single-use and 2 shared of only 2 pages");
  EXPECT_EQ(
      in_area("P: 2, 9, 0, 2, 0, 0\n"),
      "s.txt:4:4: P: found 9 executable, 0 read-only, 2 single-use and 0 shared of only 2 pages");
  EXPECT_EQ(in_area("P: 1, 0, 0, 1, 0, 0\n"),
            "s.txt:4:4: P: found 1 pages, expected 00002000 bytes as in V:");
}

TEST(Message, RejectsCountsThatDifferFromTheEntries) {
  EXPECT_EQ(
      in_area("P: 2, 0, 0, 2, 0, 1\nM: 00010000=00001000, 1, 00000000 |\nE: 1, 1, 1, 0, 0\n"),
      "s.txt:6:1: area 00010000: P: on line 4: found 2 pages and 1 swapped, expected 1 and 0 as in "
      "M: and S:");
}

TEST(Message, RejectsUseCountsThatDifferFromTheEntries) {
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 0\nM: 00010000=00001000, 1, 00000000 | 00011000=00002000, "
                    "2, 00000000 |\n"
                    "E: 1, 1, 2, 0, 0\n"),
            "s.txt:6:1: area 00010000: P: on line 4: found 2 single-use and 0 shared pages, "
            "expected 1 and 1 as in M:");
}

TEST(Message, RejectsASecondLineOfEntries) {
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 0\nM: 00010000=00001000, 1, 00000000 |\nM: "
                    "00010000=00001000, 1, 00000000 |\n"),
            "s.txt:6:1: M: found a second one for the same area");
}

TEST(Message, RejectsAnEndWithOtherCounts) {
  EXPECT_EQ(after_change("E: 2, 2, 3, 1, 0", "E: 2, 2, 4, 1, 0"),
            "s.txt:13:4: E: says 2 tasks, 2 areas, 4 pages, 1 swapped; the file has 2, 2, 3, 1");
}

TEST(Message, RejectsAMisplacedEntry) {
  const auto pages = [](const std::string& va) {
    return in_area("P: 2, 0, 0, 2, 0, 0\nM: 00011000=0, 1, 0 | " + va + "=0, 1, 0 |\n");
  };
  EXPECT_EQ(
      pages("00012010"),
      "s.txt:5:23: M: virtual address 00012010 is not aligned to a page (00010000 to 00013FFF)");
  EXPECT_EQ(pages("00014000"),
            "s.txt:5:23: M: virtual address 00014000 lies outside its area (00010000 to 00013FFF)");
  EXPECT_EQ(pages("0000F000"),
            "s.txt:5:23: M: virtual address 0000F000 lies outside its area (00010000 to 00013FFF)");
  EXPECT_EQ(pages("00011000"),
            "s.txt:5:23: M: virtual address 00011000 does not come after the entry before it "
            "(00010000 to "
            "00013FFF)");
  EXPECT_EQ(pages("00010000"),
            "s.txt:5:23: M: virtual address 00010000 does not come after the entry before it "
            "(00010000 to "
            "00013FFF)");
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 2\nS: 00014000=0:1 |\n"),
            "s.txt:5:4: S: virtual address 00014000 lies outside its area (00010000 to 00013FFF)");
}

TEST(Message, RejectsAMalformedEntry) {
  const auto entry = [](const std::string& text) {
    return in_area("P: 2, 0, 0, 2, 0, 0\nM: " + text + " |\n");
  };
  EXPECT_EQ(entry("hello"),
            R"(s.txt:5:4: M: page: found "hello", expected VA=VALUE, COUNT, FLAGS |)");
  EXPECT_EQ(
      entry("1000G=0, 1, 0"),
      R"(s.txt:5:4: M: virtual address: found "1000G", expected a hexadecimal number below 2^64)");
  EXPECT_EQ(
      entry("10000=X, 1, 0"),
      R"(s.txt:5:10: M: page-table value: found "X", expected a hexadecimal number below 2^64)");
  EXPECT_EQ(entry("10000=0, A, 0"),
            R"(s.txt:5:13: M: use count: found "A", expected a decimal number below 2^64)");
  EXPECT_EQ(
      entry("10000=0, 1, 11112222333344445"),
      R"(s.txt:5:16: M: page flags: found "11112222333344445", expected a hexadecimal number below 2^64)");
  EXPECT_EQ(entry("10000=0, 1"),
            "s.txt:5:14: M: page flags: the line ends here, expected another field");
  EXPECT_EQ(entry("10000=0, 1, 0, 0"),
            R"(s.txt:5:17: M: found ", 0", expected the end of the line)");
}

TEST(Message, RejectsAnEntryWithoutItsBar) {
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 0\nM: 00010000=0, 1, 0 | 00011000=0, 1, 0\n"),
            R"(s.txt:5:39: M: end of the entry: found "", expected |)");
  EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 1\nS: 00010000=0:1\n"),
            R"(s.txt:5:4: S: found "00010000=0:1", expected VA=DEVICE:SLOT |)");
}

TEST(Message, RejectsAMalformedSwappedEntry) {
  for (const std::string wrong :
       {"10000", "10000=0", "10000=:1", "10000=0:", "=0:1", "10000=A:1", "10000=0:1:1"})
    EXPECT_EQ(in_area("P: 2, 0, 0, 2, 0, 1\nS: " + wrong + " |\n"),
              "s.txt:5:4: S: found \"" + wrong + " \", expected VA=DEVICE:SLOT |");
}

}  // namespace
}  // namespace physmem
