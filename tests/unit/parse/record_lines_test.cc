// SPDX-License-Identifier: MIT
// The lines of a text by their form, their numbers in messages, and which of them --keep-going
// drops.
#include "analyzer/parse/record_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/whole_source.h"

namespace physmem {
namespace {

enum class Gaps { kRejected, kAllowed };

/// The form of each line with its number and text: "1 record H: x". An error ends the list.
std::string forms_of(ByteSource& source, Gaps gaps) {
  constexpr const char* kForms[] = {"record", "list", "unknown", "elided", "blank", "cut", "end"};
  RecordLines lines(source, "s.txt", false);
  lines.set_gaps(gaps == Gaps::kAllowed);
  std::string forms;
  while (true) {
    const auto line = lines.peek();
    if (!line) return forms + line.error().text;
    const std::string text(line->text);
    forms += fmt::format("{} {} {}\n", lines.line(), kForms[static_cast<int>(line->kind)], text);
    if (line->kind == RecordLine::Kind::kEnd || line->kind == RecordLine::Kind::kCut) return forms;
    EXPECT_TRUE(lines.ignore(*line));
  }
}

std::string forms_of(std::string_view text, Gaps gaps = Gaps::kRejected) {
  const auto source = text_source(text);
  return forms_of(*source, gaps);
}

/// An input that cannot be read.
class UnreadableSource : public ByteSource {
 public:
  Result<std::size_t> read(char* /*to*/, std::size_t /*size*/) override {
    return Error{Error::Kind::kIo, "s.txt: input/output error"};
  }
};

/// Compressed data that is damaged after a text.
class DamagedSource : public ByteSource {
 public:
  explicit DamagedSource(std::string_view text) : text_(text) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    if (text_.empty()) return Error{Error::Kind::kBadInput, "s.txt: damaged gzip data"};
    const std::size_t n = text_.copy(to, size);
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
};

/// A mapped file that was truncated after it was mapped.
class TruncatedSource : public WholeSource {
 public:
  using WholeSource::WholeSource;
  Status state() const override { return Error{Error::Kind::kIo, "s.txt: was truncated"}; }
};

TEST(RecordLines, GivesRecordsAndListsWithTheirNumbers) {
  EXPECT_EQ(forms_of("H: 2\nT: a, 1\nM: 1=2 |\nS:\nE: 0\n"),
            "1 record H: 2\n2 record T: a, 1\n3 list M:\n4 list S:\n5 record E: 0\n6 end \n");
  EXPECT_EQ(forms_of(""), "1 end \n");
}

TEST(RecordLines, GivesListsOfAnyLengthButNoOtherLines) {
  const std::string list = "M:" + std::string(2 * Window::kSize, ' ') + "\n";
  EXPECT_EQ(forms_of(list), "1 list M:\n2 end \n");
  EXPECT_EQ(forms_of("H: 2\nT:" + std::string(Window::kSize, ' ') + "\n"),
            "1 record H: 2\n"
            "s.txt:2:1: the line is longer than 1048576 bytes, and only M: and S: lines may be");
}

TEST(RecordLines, GivesUnknownLettersAndRejectsOtherLines) {
  EXPECT_EQ(forms_of("X: 1\nA:\n"), "1 unknown X: 1\n2 unknown A:\n3 end \n");
  for (const char* wrong : {"hello", "x: 1", "T", ":T", "TT: 1"})
    EXPECT_EQ(forms_of("T: 1\n" + std::string(wrong) + "\n"),
              fmt::format(
                  "1 record T: 1\ns.txt:2:1: found \"{}\", expected a record: a letter and a colon",
                  wrong));
}

TEST(RecordLines, GivesBlankAndElidedLinesOnlyWhereTheyAreAllowed) {
  EXPECT_EQ(forms_of("\n...\n", Gaps::kAllowed), "1 blank \n2 elided ...\n3 end \n");
  EXPECT_EQ(forms_of("\n"), R"(s.txt:1:1: found "", expected a record: a letter and a colon)");
  EXPECT_EQ(forms_of("...\n"),
            R"(s.txt:1:1: found "...", expected a record: a letter and a colon)");
  EXPECT_EQ(forms_of("....\n", Gaps::kAllowed),
            R"(s.txt:1:1: found "....", expected a record: a letter and a colon)");
}

TEST(RecordLines, ReportsALineWithoutItsNewlineAsCut) {
  EXPECT_EQ(forms_of("T: 1\nE: 1"), "1 record T: 1\n2 cut E: 1\n");
  EXPECT_EQ(forms_of("hel"), "1 cut hel\n");
  EXPECT_EQ(forms_of("M: 1"), "1 list M:\n1 end \n") << "the end of a list is not examined";
}

TEST(RecordLines, GivesTheErrorOfAnUnreadableInput) {
  UnreadableSource source;
  EXPECT_EQ(forms_of(source, Gaps::kRejected), "s.txt: input/output error");
}

TEST(RecordLines, CountsUnknownAndElidedButNotBlankLines) {
  const auto source = text_source("X: 1\n...\n\nY: 2\n");
  RecordLines lines(*source, "s.txt", false);
  lines.set_gaps(true);
  for (int i = 0; i < 4; ++i) {
    const auto line = lines.peek();
    ASSERT_TRUE(line && lines.ignore(*line));
  }
  EXPECT_EQ(lines.notes().unknown_records, 2u);
  EXPECT_EQ(lines.notes().elided, 1u);
  EXPECT_EQ(lines.notes().dropped_lines, 0u);
  lines.clear_notes();
  EXPECT_EQ(lines.notes().unknown_records, 0u);
}

TEST(RecordLines, PutsNameLineAndColumnBeforeAMessage) {
  const auto source = text_source("H: 2\nT: 1\n");
  RecordLines lines(*source, "s.txt", false);
  ASSERT_TRUE(lines.peek() && lines.skip() && lines.peek());
  EXPECT_EQ(lines.problem(4, "wrong").text, "s.txt:2:4: wrong");
  EXPECT_EQ(lines.problem(4, "wrong").kind, Error::Kind::kBadInput);
  EXPECT_EQ(lines.flawed('T', {7, "pid: wrong"}).text, "s.txt:2:7: T: pid: wrong");
}

TEST(RecordLines, ReportsATruncatedMappedFileInsteadOfWhatItsTextSays) {
  TruncatedSource source("hello\n");
  RecordLines lines(source, "s.txt", true);
  const auto line = lines.peek();
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().text, "s.txt: was truncated");
  EXPECT_FALSE(lines.drop(line.error())) << "it ends the reading";
}

TEST(RecordLines, DropsMalformedLinesOnlyWithKeepGoing) {
  const auto source = text_source("hello\n");
  RecordLines strict(*source, "s.txt", false);
  EXPECT_FALSE(strict.drop({Error::Kind::kBadInput, "first"}));
  EXPECT_FALSE(strict.drop_end({Error::Kind::kBadInput, "cut"}));
  EXPECT_EQ(strict.notes().first_problem, "");

  RecordLines tolerant(*source, "s.txt", true);
  EXPECT_TRUE(tolerant.drop({Error::Kind::kBadInput, "first"}));
  EXPECT_TRUE(tolerant.drop({Error::Kind::kBadInput, "second"}));
  EXPECT_FALSE(tolerant.drop({Error::Kind::kIo, "no such device"}));
  EXPECT_TRUE(tolerant.drop_end({Error::Kind::kBadInput, "cut"}));
  EXPECT_EQ(tolerant.notes().dropped_lines, 2u);
  EXPECT_EQ(tolerant.notes().truncated, 1u);
  EXPECT_EQ(tolerant.notes().first_problem, "first");
}

TEST(RecordLines, DropsLinesUntilTheNextHeaderWithKeepGoing) {
  const auto source = text_source("T: 1\nM: 1=2 |\n\nH: 2\nT: 2\n");
  RecordLines lines(*source, "s.txt", true);
  ASSERT_TRUE(lines.drop_until_header());
  EXPECT_EQ(lines.line(), 4u);
  EXPECT_EQ(lines.notes().dropped_lines, 3u);
  EXPECT_EQ(lines.notes().first_problem,
            R"(s.txt:1:1: found "T: 1" after the end of the snapshot)");
}

TEST(RecordLines, DropsNoLineBeforeAHeaderWithoutKeepGoing) {
  const auto source = text_source("T: 1\nH: 2\n");
  RecordLines lines(*source, "s.txt", false);
  ASSERT_TRUE(lines.drop_until_header());
  EXPECT_EQ(lines.line(), 1u);
  EXPECT_EQ(lines.notes().dropped_lines, 0u);
}

TEST(RecordLines, DropsAllLinesIfNoHeaderFollows) {
  const auto source = text_source("T: 1\nT: 2");
  RecordLines lines(*source, "s.txt", true);
  ASSERT_TRUE(lines.drop_until_header());
  EXPECT_TRUE(lines.at_end());
  EXPECT_EQ(lines.notes().dropped_lines, 2u);
}

TEST(RecordLines, ContinuesAListWithALineOfDigitsOnly) {
  for (const auto& [next, continues] : {std::pair{"10000=1, 1, 0 |\n", true},
                                        {"F0000=1, 1, 0 |\n", true},
                                        {"F: 1\n", false},
                                        {"V: 1\n", false},
                                        {"1\n", true},
                                        {"1", false},
                                        {" 10000\n", false},
                                        {"", false}}) {
    const std::string text = std::string("\n") + next;
    const auto source = text_source(text);
    RecordLines lines(*source, "s.txt", false);
    ASSERT_TRUE(lines.peek_text());
    const auto answer = lines.continue_list();
    ASSERT_TRUE(answer);
    EXPECT_EQ(*answer, continues) << next;
    EXPECT_EQ(lines.line(), 2u) << next;
  }
}

TEST(RecordLines, KnowsTheLetterOnlyAtTheStartOfALine) {
  const auto source = text_source("V: T: 1\nhello\n");
  RecordLines lines(*source, "s.txt", false);
  ASSERT_TRUE(lines.peek());
  EXPECT_EQ(lines.letter(), 'V');
  lines.window().advance(3);
  EXPECT_EQ(lines.letter(), '\0');
  ASSERT_TRUE(lines.skip());
  EXPECT_EQ(lines.letter(), '\0') << "hello";
}

TEST(RecordLines, GivesTheDamageOfCompressedDataAsTheReasonOfAnEarlyEnd) {
  DamagedSource source("T: 1\nE");
  RecordLines lines(source, "s.txt", true);
  ASSERT_TRUE(lines.peek() && lines.skip());
  EXPECT_EQ(lines.cut_short(2, "cut").text, "s.txt:2:2: cut") << "the damage is not reached yet";
  EXPECT_FALSE(lines.damage());
  const auto line = lines.peek();
  ASSERT_TRUE(line);
  EXPECT_EQ(line->kind, RecordLine::Kind::kCut);
  EXPECT_EQ(lines.cut_short(2, "cut").text, "s.txt: damaged gzip data");
  ASSERT_TRUE(lines.damage());
}

TEST(RecordLines, GivesTheDamageAsAnErrorWithoutKeepGoing) {
  DamagedSource source("E");
  EXPECT_EQ(forms_of(source, Gaps::kRejected), "s.txt: damaged gzip data");
}

}  // namespace
}  // namespace physmem
