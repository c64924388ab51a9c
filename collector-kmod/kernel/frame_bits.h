/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which bits of a page-table entry hold the frame number. The kernel's headers, which define the
 * masks of its architecture, are included before; tests/unit/kmod has the masks of several.
 */
#ifndef PM_FRAME_BITS_H
#define PM_FRAME_BITS_H

/*
 * Attributes of arm64 in bits that a physical address of 52 bits would need. No machine has memory
 * at 1 PiB and above.
 */
#if defined(PTE_GP) && defined(PTE_DBM)
#define PM_HIGH_ATTRIBUTES (PTE_GP | PTE_DBM)
#else
#define PM_HIGH_ATTRIBUTES 0ull
#endif

/* Bits of a physical address that hold the frame number: phys_mask in the snapshot header. */
static inline __u64 pm_phys_mask(void)
{
#if defined(PTE_PFN_MASK)
	return PTE_PFN_MASK;
#elif defined(PHYS_MASK)
	return PHYS_MASK & ~(__u64)(PAGE_SIZE - 1) & ~PM_HIGH_ATTRIBUTES;
#elif defined(MAX_PHYSMEM_BITS)
	return (BIT_ULL(MAX_PHYSMEM_BITS) - 1) & ~(__u64)(PAGE_SIZE - 1);
#else
	return (phys_addr_t)~0ull & ~(__u64)(PAGE_SIZE - 1);
#endif
}

/*
 * Bits of a page-table entry that hold the frame number, including pm_phys_mask(). The other bits
 * are the entry's attributes.
 */
static inline __u64 pm_frame_bits(void)
{
#if defined(PTE_RPN_MASK)
	return PTE_RPN_MASK | pm_phys_mask();		/* PowerPC */
#elif defined(_PAGE_PFN_MASK)
	return _PAGE_PFN_MASK | pm_phys_mask();		/* RISC-V: the number begins at bit 10 */
#elif defined(PTE_ADDR_MASK)
	return PTE_ADDR_MASK | pm_phys_mask();		/* arm64 */
#else
	return pm_phys_mask();
#endif
}

#endif
