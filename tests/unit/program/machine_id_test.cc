// SPDX-License-Identifier: MIT
#include "program/machine_id.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace physmem {
namespace {

// The digests were printed by systemd-id128 252 for such files.
TEST(MachineId, MatchesKeyedDigestOfSystemd) {
  EXPECT_EQ(machine_id_of("3d1219c7c4c5404aaa1f6d2a48adfda4\n"),
            "ff54e7daa9bb4af0adac32171f0d8213");
  EXPECT_EQ(machine_id_of("0123456789abcdef0123456789abcdef"), "eb3945084ead4efcaff5ff0966a7bf76");
}

TEST(MachineId, IsEmptyForMalformedId) {
  for (const char* text : {"", "\n", "uninitialized\n", "0123456789abcdef0123456789abcde",
                           "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcdeg",
                           "0123456789abcdef-123456789abcde", "00000000000000000000000000000000\n"})
    EXPECT_EQ(machine_id_of(text), "") << text;
}

TEST(MachineId, TellsThisMachineByTheFirstNameThatIsKnown) {
  const std::string id = this_machine_id();
  EXPECT_FALSE(is_this_machine({"00000000000000000000000000000000", {}, {}}));
  EXPECT_FALSE(is_this_machine({{}, "00000000-0000-0000-0000-000000000000", {}}));
  EXPECT_FALSE(is_this_machine({}));
  if (!id.empty()) {
    EXPECT_TRUE(is_this_machine({id, "another boot", "renamed"}));
  }
  std::array<char, 256> host{};
  ASSERT_EQ(::gethostname(host.data(), host.size() - 1), 0);
  EXPECT_TRUE(is_this_machine({{}, {}, host.data()}));
}

}  // namespace
}  // namespace physmem
