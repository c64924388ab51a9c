// SPDX-License-Identifier: MIT
#include "analyzer/report/sized_table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace physmem {
namespace {

using Kind = Column::Kind;

Table table() {
  return {{"use",
           "Memory",
           {{"PID"}, {"Size", Kind::kSize}, {"PSS", Kind::kSize}, {"Change", Kind::kSize}}},
          {{std::uint64_t{7}, std::uint64_t{512}, 128.25, SizeChange{512, 256}}, {}}};
}

std::string written(SizeUnit unit, std::unique_ptr<TableWriter> (*writer)(std::ostream&),
                    UnitPlace place) {
  std::ostringstream out;
  sized_table_writer(writer(out), {unit, PageSize{4096}}, place)->write(table());
  return out.str();
}

std::unique_ptr<TableWriter> text(std::ostream& out) {
  return text_table_writer(out);
}

std::unique_ptr<TableWriter> csv(std::ostream& out) {
  return csv_table_writer(out);
}

TEST(SizedTable, NamesTheUnitInTheTitle) {
  EXPECT_EQ(written(SizeUnit::kMib, text, UnitPlace::kTitle),
            "Memory (MiB)\n"
            "PID  Size   PSS  Change\n"
            "  7  2.00  0.50   -1.00\n"
            "  -     -     -       -\n");
  EXPECT_EQ(written(SizeUnit::kKib, text, UnitPlace::kTitle).substr(0, 13), "Memory (KiB)\n");
}

TEST(SizedTable, NamesTheUnitInTheColumns) {
  EXPECT_EQ(written(SizeUnit::kBytes, csv, UnitPlace::kColumns),
            "PID,Bytes,PSS bytes,Change bytes\n7,2097152,525312,-1048576\n,,,\n");
  EXPECT_EQ(written(SizeUnit::kKib, csv, UnitPlace::kColumns),
            "PID,KiB,PSS KiB,Change KiB\n7,2048,513.00,-1024\n,,,\n");
  EXPECT_EQ(written(SizeUnit::kPages, csv, UnitPlace::kColumns),
            "PID,Pages,PSS,Change\n7,512,128.25,-256\n,,,\n");
}

TEST(SizedTable, NamesTheUnitInTheKeys) {
  const std::string json = written(SizeUnit::kBytes, json_table_writer, UnitPlace::kColumns);
  EXPECT_NE(json.find(R"({"pid": 7, "bytes": 2097152, "pss_bytes": 525312, )"), json.npos) << json;
}

TEST(SizedTable, LeavesOtherTablesAsTheyAre) {
  std::ostringstream out;
  const auto writer = sized_table_writer(csv_table_writer(out), {SizeUnit::kBytes, PageSize{4096}},
                                         UnitPlace::kColumns);
  writer->write({{"basic", "", {{"Pages"}}}, {{std::uint64_t{3}}}});
  EXPECT_EQ(out.str(), "Pages\n3\n");
}

}  // namespace
}  // namespace physmem
