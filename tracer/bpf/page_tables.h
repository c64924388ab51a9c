/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames and page tables, read from a BPF program: x86-64, where frame 0 has its struct page at
 * vmemmap_base, and physical memory is mapped from page_offset_base on. Where these names are not
 * found nothing is known of frames.
 *
 * Functions that are not static are looked at once by the verifier, not in each round of a loop
 * that calls them; they take numbers only.
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

/* The entry of the table at physical address `table`; 0 when it cannot be read. */
static __always_inline __u64 entry_of(__u64 table, __u64 address, int shift) {
  __u64 at = kernel_variable(&page_offset_base) + (table & PM_PTE_ADDRESS) +
             (address >> shift & (PM_TABLE_ENTRIES - 1)) * 8;
  __u64 entry = 0;

  bpf_probe_read_kernel(&entry, sizeof(entry), (void*)at);
  return entry & PM_PTE_PRESENT ? entry : 0;
}

/*
 * The lowest table's entry, or a middle one that maps 2 MiB, which *is_huge tells. 0: not mapped.
 * The caller runs where the kernel holds what keeps these tables, and a read that fails reads as
 * zero.
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

/* Where `address` is mapped now. `space` is a struct mm_struct. */
__noinline __u64 mapped_frame(__u64 space, __u64 address) {
  int is_huge;
  __u64 entry = walk((struct mm_struct*)space, address, &is_huge);

  if (!entry) return PM_PAGING_UNKNOWN;
  return ((entry & PM_PTE_ADDRESS) >> PM_PAGE_SHIFT) +
         (is_huge ? address >> PM_PAGE_SHIFT & (PM_TABLE_ENTRIES - 1) : 0);
}

#endif
