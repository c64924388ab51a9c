// SPDX-License-Identifier: MIT
#include "analyzer/report/database_writer.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/unit/temporary_folder.h"

namespace physmem {
namespace {

/// Cells of the answer to a query, separated by blanks. NULL is "-".
std::string answer(const std::string& database, const char* query) {
  const TemporaryFolder folder;
  const std::string path = folder.put("read.db", database);
  sqlite3* opened = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string text;
  const auto add = [](void* to, int columns, char** values, char**) {
    for (int i = 0; i < columns; ++i)
      *static_cast<std::string*>(to) += std::string(values[i] ? values[i] : "-") + " ";
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(opened, query, add, &text, nullptr), SQLITE_OK);
  sqlite3_close(opened);
  return text;
}

class DatabaseFile : public testing::Test {
 protected:
  /// A test before this one may have set TMPDIR, in the same process.
  DatabaseFile() {
    unsetenv("TMPDIR");
    folder_ = testing::TempDir() + "/physmem-db-XXXXXX";
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~DatabaseFile() override {
    std::filesystem::remove_all(folder_);
    unsetenv("TMPDIR");
  }
  std::string folder_;
};

TEST_F(DatabaseFile, HasRowsOfAllKindsAndLeavesNoFile) {
  std::ostringstream out;
  DatabaseWriter writer;
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "the database has no name";
  writer.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c REAL)");
  writer.insert("t", {std::uint64_t{1}, std::string("it's\na \xFF"), 0.5});
  writer.insert("t", {~std::uint64_t{0}, Cell(), Cell()});
  writer.copy_to(out);
  EXPECT_EQ(writer.error(), "");
  EXPECT_EQ(answer(out.str(), "SELECT * FROM t ORDER BY a DESC"), "1 it's\\012a \\377 0.5 -1 - - ");
  EXPECT_EQ(answer(out.str(), "PRAGMA integrity_check"), "ok ");
}

TEST_F(DatabaseFile, HoldsMoreThanItsCache) {
  std::ostringstream out;
  DatabaseWriter writer;
  writer.execute("CREATE TABLE t (a INTEGER, b TEXT)");
  for (std::uint64_t i = 0; i < 50000; ++i) writer.insert("t", {i, std::string(100, 'x')});
  writer.copy_to(out);
  EXPECT_EQ(writer.error(), "");
  EXPECT_EQ(answer(out.str(), "SELECT count(*), sum(a) FROM t"), "50000 1249975000 ");
}

TEST_F(DatabaseFile, ReportsItsFirstErrorOnly) {
  std::ostringstream out;
  DatabaseWriter writer;
  writer.insert("missing", {std::uint64_t{1}});
  writer.execute("nonsense");
  writer.copy_to(out);
  EXPECT_EQ(out.str(), "");
  EXPECT_NE(writer.error().find("no such table: missing"), std::string::npos);
}

TEST(Database, ReportsTheFolderItCannotWriteTo) {
  setenv("TMPDIR", "/nonexistent", 1);
  DatabaseWriter writer;
  unsetenv("TMPDIR");
  writer.execute("CREATE TABLE t (a)");
  EXPECT_EQ(writer.error(),
            "cannot write a temporary database in /nonexistent: No such file or directory; TMPDIR "
            "names another folder");
}

}  // namespace
}  // namespace physmem
