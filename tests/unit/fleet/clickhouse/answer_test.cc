// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_answer.h"

#include <gmock/gmock.h>

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kHead =
    "{\n\t\"meta\":\n\t[\n\t\t{\n\t\t\t\"name\": \"a\",\n\t\t\t\"type\": \"String\"\n\t\t}\n\t],\n"
    "\n\t\"data\":\n\t[\n";

struct Read {
  std::vector<Row> rows;
  std::string error;
};

/// In pieces of this many bytes.
Read read(const std::string& text, std::size_t piece = 7) {
  Read read;
  const Store::TakeRow take = [&](const Row& row) {
    read.rows.push_back(row);
    return Status();
  };
  ClickhouseAnswer answer(take);
  for (std::size_t i = 0; i < text.size(); i += piece)
    if (!answer.add(std::string_view(text).substr(i, piece))) break;
  if (const Status status = answer.finish(); !status) read.error = status.error().text;
  return read;
}

std::string tail(int rows) {
  return "\t],\n\n\t\"rows\": " + std::to_string(rows) +
         ",\n\n\t\"statistics\":\n\t{\n\t\t\"elapsed\": 0.1\n\t}\n}\n";
}

TEST(ClickhouseAnswer, ReadsTextsNumbersAndNothing) {
  const std::string rows =
      "\t\t[\"a\\t\\\"\\\\\\/\\u0001\\u00e9\\ud83d\\ude00\", 9223372036854775807, null],\n"
      "\t\t[\"\",0,\"12\"]\n";
  for (const std::size_t piece : {1, 7, 10000}) {
    const Read answer = read(std::string(kHead) + rows + tail(2), piece);
    EXPECT_EQ(answer.error, "");
    ASSERT_EQ(answer.rows.size(), 2U);
    EXPECT_THAT(answer.rows[0], ElementsAre(Value("a\t\"\\/\x01\u00e9\U0001f600"),
                                            Value(std::uint64_t{9223372036854775807}), Value()));
    EXPECT_THAT(answer.rows[1], ElementsAre(Value(""), Value(std::uint64_t{0}), Value("12")));
  }
}

TEST(ClickhouseAnswer, ReadsAnAnswerWithoutRows) {
  const Read answer = read(std::string(kHead) + "\n" + tail(0));
  EXPECT_EQ(answer.error, "");
  EXPECT_TRUE(answer.rows.empty());
}

TEST(ClickhouseAnswer, RejectsEachBeginningOfAnAnswer) {
  const std::string whole = std::string(kHead) + "\t\t[\"a\", 1],\n\t\t[\"b\", 2]\n" + tail(2);
  for (std::size_t size = 0; size + 2 < whole.size(); ++size)
    EXPECT_NE(read(whole.substr(0, size)).error, "") << size;
}

TEST(ClickhouseAnswer, RejectsAnAnswerThatEndsInAnException) {
  const std::string exception =
      "Code: 159, e.displayText() = DB::Exception: Timeout exceeded, e.what() = DB::Exception\n";
  const std::string today = "Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT)\n";
  const std::string row = "\t\t[\"a\", 1],\n";
  const std::string head(kHead);
  EXPECT_THAT(read(exception).error, HasSubstr("Code: 159"));
  EXPECT_THAT(read(head + row + exception).error, HasSubstr("Code: 159"));
  EXPECT_THAT(read(head + row + "\t\t[\"b" + exception).error, HasSubstr("Code: 159"));
  EXPECT_THAT(read(head + row + "\t\t[\"b\", 1" + today).error, HasSubstr("Code: 241"));
  EXPECT_THAT(read(head + row + "\t],\n\n\t\"rows\": 1,\n\n\t\"exception\": \"" + today).error,
              HasSubstr("Code: 241"));
}

TEST(ClickhouseAnswer, TakesAnExceptionInATextForText) {
  const std::string text = "Code: 1, e.displayText() = DB::Exception: no";
  const Read answer = read(std::string(kHead) + "\t\t[\"" + text + "\"]\n" + tail(1));
  EXPECT_EQ(answer.error, "");
  EXPECT_THAT(answer.rows[0], ElementsAre(Value(text)));
}

TEST(ClickhouseAnswer, RejectsAnotherNumberOfRowsAndStrangeRows) {
  const std::string head(kHead);
  EXPECT_THAT(read(head + "\t\t[1]\n" + tail(2)).error, HasSubstr("has 1 rows, and states 2"));
  EXPECT_THAT(read(head + "\t\t[-1]\n" + tail(1)).error, HasSubstr("not as expected"));
  EXPECT_THAT(read(head + "\t\t[1.5]\n" + tail(1)).error, HasSubstr("not as expected"));
  EXPECT_THAT(read(head + "\t\t[\"\\x\"]\n" + tail(1)).error, HasSubstr("not as expected"));
  EXPECT_THAT(read(head + "\t\t[\"\\ud800\"]\n" + tail(1)).error, HasSubstr("not as expected"));
  EXPECT_THAT(read(head + tail(0) + "more\n").error, HasSubstr("continues after its end"));
  EXPECT_THAT(read("<html>\n").error, HasSubstr("before its end"));
}

TEST(ClickhouseAnswer, EndsWithTheErrorOfTheReader) {
  const Store::TakeRow take = [](const Row&) { return Status(Error{Error::Kind::kIo, "full"}); };
  ClickhouseAnswer answer(take);
  EXPECT_FALSE(answer.add(std::string(kHead) + "\t\t[1]\n" + tail(1)));
  EXPECT_EQ(answer.finish().error().text, "full");
}

TEST(ExceptionIn, NeedsACodeAndItsMark) {
  EXPECT_EQ(exception_in("Code: x Code: 1 Code: 12, e.what() = a"), "Code: 12, e.what() = a");
  EXPECT_EQ(exception_in("Code: 12 and more"), "");
  EXPECT_EQ(exception_code("Code: 279. DB::Exception"), 279);
  EXPECT_EQ(exception_code(""), 0);
}

}  // namespace
}  // namespace physmem::fleet
