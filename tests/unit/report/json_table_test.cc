// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/report/json_text.h"
#include "analyzer/report/table_writer.h"
#include "program/printable.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

std::string json_of(const Table& table) {
  std::ostringstream out;
  json_table_writer(out)->write(table);
  return out.str();
}

TEST(JsonTable, WritesOneObjectWithOneRowPerLine) {
  const Table table{.head = {.name = "basic",
                             .title = "Pages",
                             .columns = {{"Name", Kind::kText},
                                         {"Lib .text"},
                                         {"Share", Kind::kNumber, "share_pct"}}},
                    .rows = {{"init", std::uint64_t{118}, 1.5}, {"sh", {}, {}}}};
  EXPECT_EQ(json_of(table), R"({"report": "basic", "title": "Pages", "rows": [
  {"name": "init", "lib_text": 118, "share_pct": 1.50},
  {"name": "sh", "lib_text": null, "share_pct": null}
]}
)");
}

TEST(JsonTable, WritesAnEmptyTable) {
  EXPECT_EQ(json_of({.head = {.name = "alerts", .title = "", .columns = {{"N"}}}, .rows = {}}),
            "{\"report\": \"alerts\", \"title\": \"\", \"rows\": []}\n");
}

TEST(JsonTable, KeepsEveryBitOfANumber) {
  const std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  const Table table{
      .head = {.name = "", .title = "", .columns = {{"Pages"}, {"Address", Kind::kHex}}},
      .rows = {{max, max}}};
  const auto row = nlohmann::json::parse(json_of(table))["rows"][0];
  EXPECT_EQ(row["pages"].get<std::uint64_t>(), max);
  EXPECT_EQ(row["address"], "0XFFFFFFFFFFFFFFFF")
      << "as text, because many JSON readers use doubles";
}

TEST(JsonTable, MakesKeysUnique) {
  const Table table{
      .head = {.name = "", .title = "", .columns = {{"Name"}, {".Data"}, {"Name"}, {"…"}}},
      .rows = {{std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4}}}};
  const auto row = nlohmann::json::parse(json_of(table))["rows"][0];
  EXPECT_EQ(row, nlohmann::json::parse(R"({"name": 1, "data": 2, "name_2": 3, "value": 4})"));
}

TEST(JsonTable, EscapesNames) {
  const std::string name = std::string("a\"\\\n\x01") + '\0' + "é\xFFz";
  const Table table{.head = {.name = "", .title = "", .columns = {{"Name", Kind::kText}}},
                    .rows = {{name}}};
  const auto row = nlohmann::json::parse(json_of(table))["rows"][0];
  EXPECT_EQ(row["name"].get<std::string>(), R"(a"\\012\001\000é\377z)");
}

TEST(JsonTable, StreamsRowByRow) {
  std::ostringstream out;
  const auto writer = json_table_writer(out);
  writer->begin({.name = "", .title = "", .columns = {{"N"}}});
  writer->row({std::uint64_t{1}});
  EXPECT_TRUE(out.str().ends_with("{\"n\": 1}"));
}

TEST(JsonText, EscapesWhatTerminalsInterpret) {
  // DEL, CSI, a right-to-left override, an isolate, a mark without width; then letters.
  const std::string text = "a\x7F\u009B\u202E\u2067\u200F\u0633é";
  const std::string json = json_text(text);
  EXPECT_EQ(json, R"("a\\177\\302\\233\\342\\200\\256\\342\\201\\247\\342\\200\\217)"
                  "\u0633é\"");
  EXPECT_EQ(nlohmann::json::parse(json), for_export(text));
}

}  // namespace
}  // namespace physmem
