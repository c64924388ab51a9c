// SPDX-License-Identifier: MIT
#include "analyzer/shape/view.h"

#include <gtest/gtest.h>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

TEST(View, WritesFlagsInTheOrderOfThePaper) {  // I14, I19
  EXPECT_EQ(flag_symbols(0), "......");
  EXPECT_EQ(flag_symbols(0x875), "..r.x.");
  EXPECT_EQ(flag_symbols(0x177), "S.rwx.");
  EXPECT_EQ(flag_symbols(0x20001077), ".XrwxB");
  EXPECT_EQ(flag_symbols(~std::uint64_t{0}), "SXrwxB");
}

TEST(View, CutsUnitNamesOfVersion1AtTheFirstDotOfTheFileName) {
  const Header version1;
  Header version2;
  version2.version = 2;
  EXPECT_EQ(unit_name("/lib/libc-2.2.5.so", version1), "/lib/libc-2");
  EXPECT_EQ(unit_name("/opt/v1.2/bin/init", version1), "/opt/v1.2/bin/init");
  EXPECT_EQ(unit_name("init", version1), "init");
  EXPECT_EQ(unit_name("/lib/libc-2.2.5.so", version2), "/lib/libc-2.2.5.so");
  EXPECT_EQ(unit_name("", version1), "NULL");
  EXPECT_EQ(unit_name("", version2), "NULL");
}

TEST(View, DescribesTheOriginOfASnapshot) {
  Header header;
  EXPECT_EQ(origin(header), "snapshot of format version 1");
  header.version = 2;
  header.kernel = "6.1.0";
  header.arch = "ppc64";
  header.collector = "crash";
  EXPECT_EQ(origin(header), "Linux 6.1.0 (ppc64), collected by crash");
  header.time_ns = 1763683200'999999999;
  EXPECT_EQ(origin(header), "Linux 6.1.0 (ppc64), 2025-11-21 00:00:00 UTC, collected by crash");
}

TEST(View, WritesHumanReadableSizes) {
  EXPECT_EQ(human_size(0, {4096}), "0 KiB");
  EXPECT_EQ(human_size(3, {4096}), "12 KiB");
  EXPECT_EQ(human_size(256, {4096}), "1.0 MiB");
  EXPECT_EQ(human_size(439, {65536}), "27.4 MiB");
  EXPECT_EQ(human_size(6160384, {4096}), "23.5 GiB");
  EXPECT_EQ(human_size(~std::uint64_t{0}, {4096}), "67108864.0 PiB")
      << "a large number above the last unit";
}

}  // namespace
}  // namespace physmem
