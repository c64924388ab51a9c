// SPDX-License-Identifier: MIT
#include "analyzer/report/spool.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <sstream>

namespace physmem {
namespace {

TEST(Spool, CopiesTheWrittenTextAndLeavesNoFile) {
  std::string folder = testing::TempDir() + "/physmem-spool-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  setenv("TMPDIR", folder.c_str(), 1);
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "\n";
  std::ostringstream out;
  {
    Spool spool;
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << "the spool file has no name";
    spool.stream() << text;
    spool.copy_to(out);
    EXPECT_EQ(spool.error(), "");
  }
  EXPECT_TRUE(out.str() == text);
  std::filesystem::remove_all(folder);
}

TEST(Spool, ReportsTheFolderItCannotWriteTo) {
  setenv("TMPDIR", "/nonexistent", 1);
  Spool spool;
  spool.stream() << "x";
  EXPECT_EQ(spool.error(),
            "cannot write a temporary file in /nonexistent: No such file or directory; TMPDIR "
            "names another "
            "folder");
  std::ostringstream out;
  spool.copy_to(out);
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace physmem
