/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bits in snapshot records, the same for every collector and every kernel.
 *
 * VMA flags (V:) are the bits of Linux 2.4 that the paper uses. Page flags (M:) are the kernel's
 * stable flags, with the values of include/uapi/linux/kernel-page-flags.h, which is part of the
 * kernel's ABI.
 */
#ifndef PM_FLAGS_H
#define PM_FLAGS_H

/* V: flags. */
#define PM_VMA_READ 0x00000001u
#define PM_VMA_WRITE 0x00000002u
#define PM_VMA_EXEC 0x00000004u
#define PM_VMA_SHARED 0x00000008u
#define PM_VMA_GROWSDOWN 0x00000100u  /* S: a stack */
#define PM_VMA_EXECUTABLE 0x00001000u /* X: maps the program file itself */
#define PM_VMA_GUARDED 0x10000000u    /* its first page is a guard page: MADV_GUARD_INSTALL */
#define PM_VMA_BSS 0x20000000u        /* B: bss or heap; set by the analyzer, not by collectors */

/* M: flags under flags=kpf. */
#define PM_PAGE_LOCKED (1u << 0)
#define PM_PAGE_ERROR (1u << 1)
#define PM_PAGE_REFERENCED (1u << 2)
#define PM_PAGE_UPTODATE (1u << 3)
#define PM_PAGE_DIRTY (1u << 4)
#define PM_PAGE_LRU (1u << 5)
#define PM_PAGE_ACTIVE (1u << 6)
#define PM_PAGE_SLAB (1u << 7)
#define PM_PAGE_WRITEBACK (1u << 8)
#define PM_PAGE_RECLAIM (1u << 9)
#define PM_PAGE_BUDDY (1u << 10)
#define PM_PAGE_MMAP (1u << 11)
#define PM_PAGE_ANON (1u << 12)
#define PM_PAGE_SWAPCACHE (1u << 13)
#define PM_PAGE_SWAPBACKED (1u << 14)
#define PM_PAGE_COMPOUND_HEAD (1u << 15)
#define PM_PAGE_COMPOUND_TAIL (1u << 16)
#define PM_PAGE_HUGE (1u << 17) /* hugetlb */
#define PM_PAGE_UNEVICTABLE (1u << 18)
#define PM_PAGE_HWPOISON (1u << 19)
#define PM_PAGE_NOPAGE (1u << 20) /* no struct page: device memory */
#define PM_PAGE_KSM (1u << 21)
#define PM_PAGE_THP (1u << 22)
#define PM_PAGE_OFFLINE (1u << 23)
#define PM_PAGE_ZERO_PAGE (1u << 24)
#define PM_PAGE_IDLE (1u << 25)
#define PM_PAGE_PGTABLE (1u << 26)
#define PM_PAGE_STABLE_MASK 0x07ffffffu /* bits from 32 on are kernel-internal */

#endif
