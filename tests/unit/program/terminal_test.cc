// SPDX-License-Identifier: MIT
#include "program/terminal.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace physmem {
namespace {

constexpr std::array kVariables{"LC_ALL", "LC_CTYPE", "LANG"};

/// Restores the variables of the locale.
class LocaleTest : public testing::Test {
 protected:
  LocaleTest() {
    for (std::size_t i = 0; i < kVariables.size(); ++i) {
      if (const char* const value = std::getenv(kVariables[i]); value != nullptr)
        before_[i] = value;
      ::unsetenv(kVariables[i]);
    }
  }
  ~LocaleTest() override {
    for (std::size_t i = 0; i < kVariables.size(); ++i)
      before_[i] ? ::setenv(kVariables[i], before_[i]->c_str(), 1) : ::unsetenv(kVariables[i]);
  }

 private:
  std::array<std::optional<std::string>, kVariables.size()> before_;
};

TEST_F(LocaleTest, HasUtf8IfTheEnvironmentSaysSo) {
  EXPECT_FALSE(has_utf8()) << "no variable: C";
  ::setenv("LANG", "C.UTF-8", 1);
  EXPECT_TRUE(has_utf8());
  ::setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(has_utf8()) << "LC_ALL has precedence";
}

TEST_F(LocaleTest, OfALocaleThatIsNotInstalledTheNameDecides) {
  ::setenv("LC_ALL", "xx_XX.utf8", 1);
  EXPECT_TRUE(has_utf8());
  ::setenv("LC_ALL", "xx_XX.ISO-8859-1", 1);
  EXPECT_FALSE(has_utf8());
}

}  // namespace
}  // namespace physmem
