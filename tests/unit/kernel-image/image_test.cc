// SPDX-License-Identifier: MIT
// Kernel addresses that require a translation by the kernel's own page tables.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

constexpr std::uint64_t kFrame = 0x5000;

class MappedAddress : public testing::Test {
 protected:
  MappedAddress() {
    kernel_.has_mapped_addresses = true;
    kernel_.memory.put_text(FakeMemory::kDirectMap + kFrame * kPage + 0x123, "here");
  }

  std::uint64_t init_mm() const { return kernel_.symbols.at("init_mm"); }
  void map(std::uint64_t entry, unsigned level) {
    kernel_.set_entry(init_mm(), kMapped, entry, level);
  }

  /// The text at the address, or "-" if it cannot be read, which must be noted once.
  std::string text_at(std::uint64_t at) {
    Opened image(kernel_);
    char text[5] = "";
    if (pm_read(&image->memory, PM_KERNEL, at, text, 4)) return text;
    return image->memory.missing == 1 ? "-" : "not noted once";
  }

  FakeKernel kernel_;
};

TEST_F(MappedAddress, IsTranslatedByTablesOfInitMm) {
  map(present(kFrame), 0);
  EXPECT_EQ(text_at(kMapped + 0x123), "here");
}

TEST_F(MappedAddress, IsTranslatedInHugePage) {
  map(present(kFrame & ~std::uint64_t{511}) | kHuge, 1);
  EXPECT_EQ(text_at(kMapped + kFrame % 512 * kPage + 0x123), "here");
}

TEST_F(MappedAddress, IsMissingIfNotMapped) {
  map(present(kFrame), 0);
  EXPECT_EQ(text_at(kMapped + kPage + 0x123), "-");
  EXPECT_EQ(text_at(kMapped + (std::uint64_t{1} << 40)), "-");
}

TEST_F(MappedAddress, IsMissingIfTheTopTableIsMappedByItself) {
  kernel_.put(init_mm(), "mm_struct.pgd", kMapped);
  EXPECT_EQ(text_at(kMapped + 0x123), "-");
}

TEST_F(MappedAddress, IsMissingIfTableIsLost) {
  map(present(kFrame), 0);
  kernel_.memory.lose(kernel_.table(init_mm(), kMapped, 0));
  EXPECT_EQ(text_at(kMapped + 0x123), "-");
}

TEST_F(MappedAddress, IsMissingIfTableIsDamaged) {
  for (const std::uint64_t garbage :
       {std::uint64_t{0x00000FFF00000067}, ~std::uint64_t{0}, std::uint64_t{0x80}}) {
    map(garbage, 2);
    EXPECT_EQ(text_at(kMapped + 0x123), "-") << std::hex << garbage;
  }
}

}  // namespace
}  // namespace physmem::crash
