// SPDX-License-Identifier: MIT
#include "program/terminal.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "program/terminal_type.h"

namespace physmem {
namespace {

constexpr std::array kVariables{"LC_ALL", "LC_CTYPE", "LANG", "TERM", "NO_COLOR"};

/// Restores the variables of the locale and the terminal, which are not set in the test.
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

/// Debian's ncurses-base has these types, and no made-up ones.
TEST_F(LocaleTest, TypeIsASimilarOneIfTerminfoLacksIt) {
  if (terminal_colours("xterm-256color") != 256) GTEST_SKIP() << "terminfo is not installed";
  EXPECT_EQ(terminal_type(), "") << "not set";
  const auto type_for = [](const char* term) {
    ::setenv("TERM", term, 1);
    return terminal_type();
  };
  for (const char* known : {"dumb", "vt100", "linux", "xterm"}) EXPECT_EQ(type_for(known), known);
  for (const char* modern : {"xterm-made-up", "alacritty+made-up", "foot.made-up", "kitty-made-up"})
    EXPECT_EQ(type_for(modern), "xterm-256color") << modern;
  EXPECT_EQ(type_for("tmux.made-up"), "screen-256color");
  for (const char* unknown : {"", "made-up", "footer", "../xterm"})
    EXPECT_EQ(type_for(unknown), "") << unknown;
}

TEST_F(LocaleTest, ColoursAreThoseOfTheType) {
  EXPECT_EQ(terminal_colours(""), 0);
  EXPECT_EQ(terminal_colours("dumb"), 0);
  EXPECT_EQ(terminal_colours("vt100"), 0);
  EXPECT_EQ(terminal_colours("linux"), 8);
  EXPECT_FALSE(refuses_colours());
  ::setenv("NO_COLOR", "", 1);
  EXPECT_FALSE(refuses_colours()) << "empty";
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(refuses_colours());
}

}  // namespace
}  // namespace physmem
