// SPDX-License-Identifier: MIT
#include "program/same_file.h"

#include <fcntl.h>

#include "program/unique_fd.h"
#include "tests/unit/program/output_folder.h"

namespace physmem {
namespace {

namespace fs = std::filesystem;

class SameFile : public OutputFolder {
 protected:
  SameFile() {
    put("a", "text");
    put("b", "text");
  }
};

TEST_F(SameFile, IsFoundByLinkAndHardLink) {
  fs::create_symlink("a", path("link"));
  fs::create_hard_link(path("a"), path("second"));
  EXPECT_TRUE(is_same_file(path("a"), path("a")));
  EXPECT_TRUE(is_same_file(path("a"), path("link")));
  EXPECT_TRUE(is_same_file(path("second"), path("./a")));
  EXPECT_FALSE(is_same_file(path("a"), path("b")));
  EXPECT_FALSE(is_same_file(path("a"), path("new")));
}

TEST_F(SameFile, IsTheSameOutputBeforeItExists) {
  fs::create_symlink("new", path("link"));
  EXPECT_TRUE(is_same_output(path("new"), path("./new")));
  EXPECT_TRUE(is_same_output(path("link"), path("new")));
  EXPECT_TRUE(is_same_output(path("a"), path("./a")));
  EXPECT_FALSE(is_same_output(path("new"), path("newer")));
  EXPECT_FALSE(is_same_output(path("a"), path("new")));
  EXPECT_FALSE(is_same_output(path("no/new"), path("no/new"))) << "no output can be there";
  EXPECT_FALSE(is_same_output("/dev/null", "/dev/null"));
}

TEST_F(SameFile, IsNeverADevice) {
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null"));
}

TEST_F(SameFile, MayBeStandardInput) {
  const UniqueFd before(::dup(STDIN_FILENO));
  const UniqueFd a(::open(path("a").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_GE(::dup2(a.get(), STDIN_FILENO), 0);
  EXPECT_TRUE(is_same_file("-", path("a")));
  EXPECT_FALSE(is_same_file("-", path("b")));
  ::dup2(before.get(), STDIN_FILENO);
}

}  // namespace
}  // namespace physmem
