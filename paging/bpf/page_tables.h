/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads frames and page tables from a BPF program on x86-64. The struct page of frame 0 is at
 * vmemmap_base, and physical memory is mapped at page_offset_base. If these symbols are missing,
 * frames are unknown.
 *
 * The verifier checks functions that are not static once, and not in each round of a calling loop.
 * They take only numbers as arguments.
 */
#ifndef PM_BPF_PAGE_TABLES_H
#define PM_BPF_PAGE_TABLES_H

#define PM_PAGE_SHIFT 12
#define PM_TABLE_ENTRIES 512
#define PM_PTE_PRESENT (1ull << 0)
#define PM_PTE_LEAF (1ull << 7)
#define PM_PTE_ADDRESS 0x000ffffffffff000ull

extern const void vmemmap_base __ksym __weak;
extern const void page_offset_base __ksym __weak;
extern const void pgdir_shift __ksym __weak; /* absent: CONFIG_X86_5LEVEL=n */

static __always_inline __u64 kernel_variable(const void* at) {
  __u64 value = 0;

  if (at) bpf_probe_read_kernel(&value, sizeof(value), at);
  return value;
}

static __always_inline __u64 frame_of(__u64 page) {
  __u64 base = kernel_variable(&vmemmap_base);

  return base ? (page - base) / bpf_core_type_size(struct page) : PM_PAGING_UNKNOWN;
}

/*
 * The entry for `address` in the table at physical address `table`; 0 if not readable or not
 * present.
 */
static __always_inline __u64 entry_of(__u64 table, __u64 address, int shift) {
  __u64 at = kernel_variable(&page_offset_base) + (table & PM_PTE_ADDRESS) +
             (address >> shift & (PM_TABLE_ENTRIES - 1)) * 8;
  __u64 entry = 0;

  bpf_probe_read_kernel(&entry, sizeof(entry), (void*)at);
  return entry & PM_PTE_PRESENT ? entry : 0;
}

/*
 * The PTE, or the PMD entry of a 2 MiB page, with *is_huge set. 0: not mapped. The caller runs
 * where the kernel keeps these tables in place. A failed read returns zero.
 */
static __always_inline __u64 walk(struct mm_struct* mm, __u64 address, int* is_huge) {
  __u64 top = (__u64)BPF_CORE_READ(mm, pgd);
  __u64 entry = 0;

  *is_huge = 0;
  if (!&page_offset_base) return 0;
  if (&pgdir_shift && (__u32)kernel_variable(&pgdir_shift) == 48) {
    bpf_probe_read_kernel(&entry, sizeof(entry),
                          (void*)(top + (address >> 48 & (PM_TABLE_ENTRIES - 1)) * 8));
    if (!(entry & PM_PTE_PRESENT)) return 0;
    entry = entry_of(entry, address, 39);
  } else {
    bpf_probe_read_kernel(&entry, sizeof(entry),
                          (void*)(top + (address >> 39 & (PM_TABLE_ENTRIES - 1)) * 8));
    entry = entry & PM_PTE_PRESENT ? entry : 0;
  }
  if (entry) entry = entry_of(entry, address, 30);
  if (entry && !(entry & PM_PTE_LEAF))
    entry = entry_of(entry, address, 21);
  else
    return 0; /* 1 GiB: never swapped */
  if (entry & PM_PTE_LEAF) {
    *is_huge = 1;
    return entry;
  }
  return entry ? entry_of(entry, address, PM_PAGE_SHIFT) : 0;
}

/* The frame to which `address` is mapped now. `space` is a struct mm_struct. */
__noinline __u64 mapped_frame(__u64 space, __u64 address) {
  int is_huge;
  __u64 entry = walk((struct mm_struct*)space, address, &is_huge);

  if (!entry) return PM_PAGING_UNKNOWN;
  return ((entry & PM_PTE_ADDRESS) >> PM_PAGE_SHIFT) +
         (is_huge ? address >> PM_PAGE_SHIFT & (PM_TABLE_ENTRIES - 1) : 0);
}

#endif
