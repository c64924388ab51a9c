// SPDX-License-Identifier: MIT
// The text of an entry is identical to what formats/emit writes, for any numbers.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "formats/compact/entry_text.h"
#include "formats/compact/field.h"
#include "formats/emit/emit.h"

namespace physmem::compact {
namespace {

int append(void* to, const char* text, std::size_t length) {
  static_cast<std::string*>(to)->append(text, length);
  return 0;
}

std::string emitted(const Run& run, unsigned page_shift) {
  std::string text;
  char buffer[PM_OUT_MIN];
  pm_out out{buffer, sizeof buffer, 0, append, &text, 0};
  for (std::uint64_t i = 0; i < run.pages; ++i) {
    const std::uint64_t va = run.va + (i << page_shift);
    const std::uint64_t place = run.is_down ? run.place - i : run.place + i;
    const pm_page page{va, (place << page_shift) + run.use.low_bits + run.use.high_bits,
                       run.use.count, run.use.flags};
    const pm_swap swap{va, static_cast<decltype(pm_swap::type)>(run.use.count), place};
    if (run.list == List::kResident)
      pm_emit_pages(&out, &page, 1);
    else
      pm_emit_swapped(&out, &swap, 1);
  }
  pm_out_flush(&out);
  return text;
}

/// Random numbers of every bit length.
std::uint64_t number(std::mt19937_64& random) {
  return random() >> random() % 64;
}

TEST(EntryText, MatchesEmitter) {
  std::mt19937_64 random(1);
  EntryText entry;  // reused for all runs: earlier content must not have any effect
  for (int i = 0; i < 20000; ++i) {
    const auto shift = static_cast<unsigned>(random() % 4 == 0 ? random() % 25 : 12);
    compact::Run run{random() % 2 == 0 ? List::kResident : List::kSwapped,
                     number(random),
                     number(random),
                     1 + random() % 40,
                     random() % 2 == 0,
                     {number(random) & 0xFFFFFFFF, 0, 0, 0}};
    if (run.list == List::kResident)
      run.use = {number(random), number(random), random() & ((1u << shift) - 1), 0};
    const std::string expected = emitted(run, shift);
    std::string text(expected.size() + EntryText::kMax, '\0');
    if (run.list == List::kResident) {
      ASSERT_EQ(text_bytes(run, shift), expected.size()) << expected;
    }
    entry.set(run, shift);
    char* const end = entry.write(text.data(), text.data() + expected.size(), run.pages);
    ASSERT_EQ(end, text.data() + expected.size()) << i;
    ASSERT_EQ(text.substr(0, expected.size()), expected) << i;
    entry.set(run, shift);
    ASSERT_EQ(entry.write(text.data(), text.data() + expected.size() - 1, run.pages), nullptr) << i;

    entry.set(run, shift);
    std::string_view rest = expected;
    for (std::uint64_t page = 0; page < run.pages; ++page, entry.next()) {
      ASSERT_TRUE(entry.begins(rest)) << i << ", page " << page;
      rest.remove_prefix(entry.size());
    }
    ASSERT_TRUE(rest.empty());
  }
}

TEST(EntryText, IsParsedBack) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    compact::Run run{List::kResident,
                     number(random),
                     number(random) >> 12,
                     1,
                     false,
                     {number(random), number(random), random() & 0xFFF, random() & ~kAddressBits}};
    run.place &= kAddressBits >> 12;
    EntryText entry;
    const auto parsed = parse_entry(List::kResident, emitted(run, 12), 12, entry);
    ASSERT_TRUE(parsed) << emitted(run, 12);
    EXPECT_EQ(parsed->place, run.place);
    EXPECT_EQ(parsed->use, run.use);
  }
}

TEST(NumberField, IsRecognizedOnlyIfPrintedIdentically) {
  using Kind = Field::Kind;
  EXPECT_EQ(number_field("12345678", Kind::kDec), (Field{Kind::kDec, 12345678}));
  EXPECT_EQ(number_field("12345678", Kind::kName), (Field{Kind::kHex, 0x12345678}));
  EXPECT_EQ(number_field("123", Kind::kHex), (Field{Kind::kDec, 123}));
  EXPECT_EQ(number_field("0000000A", Kind::kDec), (Field{Kind::kHex, 10}));
  for (const char* text :
       {"", "-1", "+1", "0a", "0000000a", "00", "000000001", "18446744073709551616", " 1", "1 "})
    EXPECT_FALSE(number_field(text, Kind::kDec)) << text;
}

}  // namespace
}  // namespace physmem::compact
