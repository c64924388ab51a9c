// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_sql.h"

#include <gmock/gmock.h>

#include "fleet/model/tables.h"
#include "fleet/sql/sql_section.h"
#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_rows.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;

TEST(FilledSql, ReplacesNamesAndValues) {
  EXPECT_EQ(filled_sql("SELECT {a}b FROM x WHERE t >= :since AND u = :unit",
                       {{{"a", "_"}}, {{"since", 12}, {"unit", std::string_view("it's")}}}),
            "SELECT _b FROM x WHERE t >= 12 AND u = 'it\\'s'");
}

TEST(FilledSql, LeavesWhatIsQuotedAndDropsComments) {
  EXPECT_EQ(filled_sql("SELECT ':since {a}' -- of :since\n, :other, {other}",
                       {{{"a", "_"}}, {{"since", 12}}}),
            "SELECT ':since {a}' \n, :other, {other}");
}

TEST(FilledSql, KeepsAPartOnlyIfItsParameterHasAValue) {
  const std::string_view text = "WHERE 1 [units: AND u IN (:units)] x[1]";
  EXPECT_EQ(filled_sql(text, {}), "WHERE 1  x[1]");
  EXPECT_EQ(filled_sql(text, {{}, {{"units", std::vector<std::string>{"a", "b"}}}}),
            "WHERE 1 AND u IN ('a','b') x[1]");
}

TEST(FilledSql, DoesNotReadWhatItHasInserted) {
  EXPECT_EQ(
      filled_sql(":unit :since",
                 {{}, {{"unit", std::string_view(":since {a} -- [units: x]")}, {"since", 1}}}),
      "':since {a} -- [units: x]' 1");
}

TEST(SqlLiteral, EscapesEachCharacterThatCouldEndIt) {
  const std::string_view hostile("'\\\0\b\f\n\r\t'; DROP TABLE x --", 26);
  EXPECT_EQ(SqlLiteral(hostile).text(), "'\\'\\\\\\0\\b\\f\\n\\r\\t\\'; DROP TABLE x --'");
  EXPECT_EQ(SqlLiteral(std::string_view("\\'")).text(), "'\\\\\\''");
}

TEST(SqlLiteral, ListsKeysOfSnapshots) {
  EXPECT_EQ(SqlLiteral(std::vector<SnapshotKey>{{7, 60, 5}, {8, 61, 0}}).text(),
            "(7,60,5),(8,61,0)");
  EXPECT_EQ(SqlLiteral(std::vector<SnapshotKey>{}).text(), "NULL");
}

TEST(SqlLiteral, MakesOfNoTextsAListThatNothingIsIn) {
  EXPECT_EQ(SqlLiteral(std::vector<std::string>{}).text(), "NULL");
  EXPECT_EQ(SqlLiteral(std::vector<std::uint64_t>{}).text(), "NULL");
}

TEST(SqlStatements, EndInSemicolons) {
  EXPECT_THAT(sql_statements("-- a;\nCREATE x;\n\nCREATE\ny;\n"),
              ElementsAre("CREATE x", "CREATE\ny"));
}

TEST(SqlSection, EndsAtTheNext) {
  const std::string_view text = "-- top\n--: a\nA\nAA\n--: ab\nAB\n";
  EXPECT_EQ(sql_section(text, "a"), "A\nAA\n");
  EXPECT_EQ(sql_section(text, "ab"), "AB\n");
  EXPECT_EQ(sql_section(text, "b"), "");
}

/// The vectors of SipHash's authors have another key; these are of ClickHouse 18.16.
TEST(SipHash, IsThatOfClickHouse) {
  EXPECT_EQ(sip_hash(""), 2202906307356721367U);
  EXPECT_EQ(sip_hash("abc"), 4596069200710135518U);
}

TEST(Schema, HasTheColumnsOfEachFactTable) {
  const std::string schema =
      filled_sql(sql_text("clickhouse", "schema"), {{{"database", "d"}}, {}});
  for (std::size_t i = 0; i < kFactTables; ++i) {
    const auto table = static_cast<FactTable>(i);
    const std::string name(columns_of(table).name);
    const std::size_t begin = schema.find("d." + name + " (");
    ASSERT_NE(begin, schema.npos) << name;
    const std::string columns = schema.substr(begin, schema.find("ENGINE", begin) - begin);
    for (const auto& [column, type] : fact_columns(table))
      EXPECT_NE(columns.find(" " + column + " " + type), columns.npos) << column;
  }
}

}  // namespace
}  // namespace physmem::fleet
