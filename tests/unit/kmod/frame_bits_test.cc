// SPDX-License-Identifier: MIT
// The bits of page-table entries that hold the frame number, with the masks of several
// architectures as their kernels define them. All other bits are attributes in the snapshot.
#include <gtest/gtest.h>

#include <cstdint>

namespace physmem {
namespace {

using __u64 = std::uint64_t;
using phys_addr_t = std::uint64_t;
#define BIT_ULL(n) (1ull << (n))

/// Bits `first` to `last`.
constexpr std::uint64_t bits(unsigned first, unsigned last) {
  return (~std::uint64_t{0} >> (63 - last)) & (~std::uint64_t{0} << first);
}

namespace x86_64 {
#define PTE_PFN_MASK bits(12, 51)
#define PAGE_SIZE 4096
#include "collector-kmod/kernel/frame_bits.h"
#undef PTE_PFN_MASK
#undef PM_HIGH_ATTRIBUTES
#undef PM_FRAME_BITS_H
}  // namespace x86_64

// Page tables of three levels: the upper attributes begin at bit 52.
namespace arm_lpae {
#define PHYS_MASK bits(0, 39)
#include "collector-kmod/kernel/frame_bits.h"
#undef PHYS_MASK
#undef PAGE_SIZE
#undef PM_HIGH_ATTRIBUTES
#undef PM_FRAME_BITS_H
}  // namespace arm_lpae

// Pages of 64 KiB and addresses of 52 bits: bits 48 to 51 of the address are bits 12 to 15.
namespace arm64_52_bits {
#define PHYS_MASK bits(0, 51)
#define PAGE_SIZE 65536
#define PTE_GP bits(50, 50)
#define PTE_DBM bits(51, 51)
#define PTE_ADDR_MASK (bits(16, 47) | bits(12, 15))
#include "collector-kmod/kernel/frame_bits.h"
#undef PHYS_MASK
#undef PTE_GP
#undef PTE_DBM
#undef PTE_ADDR_MASK
#undef PM_HIGH_ATTRIBUTES
#undef PM_FRAME_BITS_H
}  // namespace arm64_52_bits

namespace ppc64_radix {
#define MAX_PHYSMEM_BITS 51
#define PTE_RPN_MASK bits(16, 56)
#include "collector-kmod/kernel/frame_bits.h"
#undef MAX_PHYSMEM_BITS
#undef PTE_RPN_MASK
#undef PAGE_SIZE
#undef PM_HIGH_ATTRIBUTES
#undef PM_FRAME_BITS_H
}  // namespace ppc64_radix

namespace riscv64 {
#define MAX_PHYSMEM_BITS 56
#define PAGE_SIZE 4096
#define _PAGE_PFN_MASK bits(10, 53)
#include "collector-kmod/kernel/frame_bits.h"
#undef MAX_PHYSMEM_BITS
#undef _PAGE_PFN_MASK
#undef PAGE_SIZE
#undef PM_HIGH_ATTRIBUTES
#undef PM_FRAME_BITS_H
}  // namespace riscv64

TEST(FrameBits, AreTheMaskOfX86) {
  EXPECT_EQ(x86_64::pm_phys_mask(), bits(12, 51));
  EXPECT_EQ(x86_64::pm_frame_bits(), bits(12, 51));
}

TEST(FrameBits, EndBelowTheUpperAttributesOfLpae) {
  EXPECT_EQ(arm_lpae::pm_phys_mask(), bits(12, 39));
  EXPECT_EQ(arm_lpae::pm_frame_bits(), bits(12, 39));
}

TEST(FrameBits, LeaveOutGuardedPagesAndDirtyBitsOfArm64) {
  EXPECT_EQ(arm64_52_bits::pm_phys_mask(), bits(16, 49));
  EXPECT_EQ(arm64_52_bits::pm_frame_bits(), bits(12, 49));
}

TEST(FrameBits, HaveTheWholePageNumberOfPowerPc) {
  EXPECT_EQ(ppc64_radix::pm_phys_mask(), bits(16, 50));
  EXPECT_EQ(ppc64_radix::pm_frame_bits(), bits(16, 56));
}

TEST(FrameBits, BeginAtBit10OnRiscV) {
  EXPECT_EQ(riscv64::pm_phys_mask(), bits(12, 55));
  EXPECT_EQ(riscv64::pm_frame_bits(), bits(10, 55));
}

}  // namespace
}  // namespace physmem
