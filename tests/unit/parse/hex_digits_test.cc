// SPDX-License-Identifier: MIT
// Compares decode_hex(), which decodes all digits at once, with parse_hex().
#include "analyzer/parse/hex_digits.h"

#include <gtest/gtest.h>

#include <string>

#include "analyzer/parse/line_cursor.h"

namespace physmem {
namespace {

/// Both agree on the last `width` bytes of `text`. At least 16 bytes stand before them.
void expect_agreement(const std::string& text, std::size_t width) {
  const char* const end = text.data() + text.size();
  bool valid = true;
  const std::uint64_t value = decode_hex(end, width, valid);
  std::uint64_t expected = 0;
  EXPECT_EQ(valid, parse_hex({end - width, width}, expected)) << text.substr(16);
  EXPECT_EQ(value, valid ? expected : value) << text.substr(16);
}

TEST(HexDigits, ReadsNumbersOfEveryWidth) {
  const std::string text = std::string(16, '#') + "0123456789aBcDeF";
  bool valid = true;
  EXPECT_EQ(decode_hex(text.data() + text.size(), 16, valid), 0x0123456789ABCDEFu);
  EXPECT_EQ(decode_hex(text.data() + text.size(), 1, valid), 0xFu);
  EXPECT_EQ(decode_hex(text.data() + 17, 1, valid), 0u);
  EXPECT_EQ(decode_hex(text.data() + 24, 8, valid), 0x01234567u);
  EXPECT_TRUE(valid) << "the bytes before the number do not matter";
}

TEST(HexDigits, NeverSetsValidToTrue) {
  const std::string text = std::string(16, '0') + "12";
  bool valid = false;
  decode_hex(text.data() + text.size(), 2, valid);
  EXPECT_FALSE(valid);
}

TEST(HexDigits, AgreesWithParseHexOnEveryByteAtEveryPosition) {
  for (std::size_t width = 1; width <= 16; ++width)
    for (std::size_t place = 0; place < width; ++place)
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = std::string(16, '/') + std::string(width, '7');
        text[16 + place] = static_cast<char>(byte);
        expect_agreement(text, width);
      }
}

}  // namespace
}  // namespace physmem
