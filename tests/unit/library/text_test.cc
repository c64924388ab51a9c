// SPDX-License-Identifier: MIT
#include "physmem/text.h"

#include <gtest/gtest.h>

namespace physmem {
namespace {

TEST(Utf8Name, LeavesValidNamesUnchanged) {
  EXPECT_EQ(utf8_name(""), "");
  EXPECT_EQ(utf8_name("/usr/bin/caf\u00e9"), "/usr/bin/caf\u00e9");
  EXPECT_EQ(utf8_name("/system.slice/a\\x2db.service"), "/system.slice/a\\x2db.service");
}

TEST(Utf8Name, EscapesStrayBytesControlsAndWhatLooksLikeAnEscape) {
  EXPECT_EQ(utf8_name("a\xff"), "a\\377");
  EXPECT_EQ(utf8_name("a\\377"), "a\\134377");
  EXPECT_EQ(utf8_name("\\\xff\n"), "\\\\377\\012");
  EXPECT_EQ(utf8_name("\u00e9\xc3"), "\u00e9\\303");
}

}  // namespace
}  // namespace physmem
