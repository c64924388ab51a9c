// SPDX-License-Identifier: MIT
// The example of formats/compact-snapshots.md: encoding its text gives its bytes, and decoding them
// gives the text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/unit/formats/compact/compact_text.h"

namespace physmem {
namespace {

/// The content of the first fenced block after `heading` in the document.
std::string block_after(const std::string& document, const std::string& heading) {
  const std::size_t at = document.find("```\n", document.find(heading));
  const std::size_t end = document.find("```", at + 4);
  return document.substr(at + 4, end - at - 4);
}

/// The bytes of a hexadecimal dump. In each line, a comment follows after two blanks.
std::string bytes_of(const std::string& dump) {
  std::string bytes;
  std::istringstream lines(dump);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find("  ")));
    for (std::string word; words >> word;) bytes += static_cast<char>(std::stoi(word, nullptr, 16));
  }
  return bytes;
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02X} ", static_cast<unsigned char>(c));
  return text;
}

TEST(Example, MatchesEncoderAndDecoder) {
  std::ifstream file(PHYSMEM_DOCUMENT);
  std::stringstream document;
  document << file.rdbuf();
  const std::string text = block_after(document.str(), "## An example");
  const std::string bytes = bytes_of(block_after(document.str(), "becomes"));
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(hex(compact_of(text)), hex(bytes));
  EXPECT_EQ(decode_text(bytes), (Decoded{text, ""}));
}

}  // namespace
}  // namespace physmem
