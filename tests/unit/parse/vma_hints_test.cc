// SPDX-License-Identifier: MIT
// A V: line is parsed faster if it is similar to the previous one. The result and the messages stay
// the same.
#include <gtest/gtest.h>

#include <string>

#include "analyzer/parse/record_parser.h"

namespace physmem {
namespace {

constexpr std::string_view kLine =
    "V: 7F1200648000, 7F120067DFFF, 00036000, 0002F000, 00000000, 00000001, "
    "/usr/lib/lib\\0403.so.1, "
    "0001F000, 08:00, "
    "1003";

struct Parsed {
  std::string text;
  bool operator==(const Parsed&) const = default;
};

Parsed parsed(std::string_view line, int version, VmaHints* hints) {
  Header header;
  header.version = version;
  LineCursor cursor(line, version >= 2);
  const Vma vma = parse_vma(cursor, header, hints);
  if (!cursor.ok()) return {std::to_string(cursor.flaw().column) + ": " + cursor.flaw().text};
  std::string text = "\"" + vma.unit.text() + "\"";
  for (const std::uint64_t number :
       {vma.start, vma.last, vma.resident, vma.prot, vma.flags, vma.offset, vma.device, vma.inode,
        vma.raw_flags.value_or(UINT64_MAX)})
    text += " " + std::to_string(number);
  return {text};
}

void expect_the_same(const std::string& line, int version, VmaHints& hints) {
  const Parsed alone = parsed(line, version, nullptr);
  EXPECT_EQ(parsed(line, version, &hints).text, alone.text) << line;
  EXPECT_EQ(parsed(line, version, &hints).text, alone.text) << "the second time: " << line;
}

TEST(VmaHints, DoNotChangeTheResultOfALine) {
  VmaHints hints;
  for (const int version : {2, 1})
    for (const std::string& line :
         {std::string(kLine), std::string(kLine) + ", 00000075",
          std::string("V: 00010000, 00010FFF, 00001000, 00000000, 0, 3, NULL, 00000000, 00:00, 0"),
          std::string("V: FFFFFFFFFF600000, FFFFFFFFFF600FFF, 00001000, 00000000, 00000000, "
                      "00000001, [vsyscall], "
                      "00000000, 00:00, 0"),
          std::string(
              "V: 7F1200648000,7F120067DFFF,  00036000, 0002F000, 00000000, 00000001, , 0, 0:0, 0"),
          std::string("V:"), std::string("V: 7F1200648000")})
      expect_the_same(line, version, hints);
}

TEST(VmaTails, AreReplacedWithinABoundedTable) {
  VmaTails tails;
  Vma vma;
  for (std::uint64_t i = 0; i < 10 * VmaTails::kSlots; ++i) {
    vma.inode = i;
    tails.put("tail" + std::to_string(i), vma);
  }
  std::size_t known = 0;
  for (std::uint64_t i = 0; i < 10 * VmaTails::kSlots; ++i) {
    const Vma* const found = tails.find("tail" + std::to_string(i));
    if (found == nullptr) continue;
    ++known;
    EXPECT_EQ(found->inode, i);
  }
  EXPECT_GT(known, VmaTails::kSlots / 2);
  EXPECT_LE(known, VmaTails::kSlots);
  EXPECT_EQ(tails.find(""), nullptr);
}

}  // namespace
}  // namespace physmem
