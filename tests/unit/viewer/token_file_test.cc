// SPDX-License-Identifier: MIT
#include "viewer/token_file.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/unit/temporary_folder.h"

namespace physmem::view {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<std::string> token_of_text(const std::string& text) {
  const TemporaryFolder folder;
  return token_of_file(folder.put("token", text));
}

TEST(TokenFile, HasTheTokenInItsFirstLine) {
  EXPECT_EQ(*token_of_text("0123456789abcdef\n"), "0123456789abcdef");
  EXPECT_EQ(*token_of_text("Az09-._~Az09-._~"), "Az09-._~Az09-._~");
  EXPECT_EQ(token_of_text(std::string(128, 'x') + "\nmore")->size(), 128u);
}

TEST(TokenFile, RefusesAnotherTextWithoutPrintingIt) {
  for (const std::string& text :
       {std::string(""), std::string("\n0123456789abcdef"), std::string("hunter2hunter2\n"),
        std::string(129, 'h'), std::string("hunter2 with blanks in it\n")}) {
    const auto token = token_of_text(text);
    ASSERT_FALSE(token) << text;
    EXPECT_THAT(token.error().text, HasSubstr("expected one line of 16 to 128 letters"));
    EXPECT_THAT(token.error().text, Not(HasSubstr("hunter")));
  }
}

TEST(TokenFile, MustBeReadable) {
  const auto none = token_of_file("/nonexistent/token");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, Error::Kind::kIo);
  EXPECT_THAT(none.error().text, HasSubstr("/nonexistent/token: No such file"));
  EXPECT_FALSE(token_of_file("/proc/self"));
}

}  // namespace
}  // namespace physmem::view
