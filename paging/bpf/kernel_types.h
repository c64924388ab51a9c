/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel structures that the program reads. Only names matter: the offsets in the running
 * kernel are resolved at load time (CO-RE), also inside unnamed unions.
 */
#ifndef PM_BPF_KERNEL_TYPES_H
#define PM_BPF_KERNEL_TYPES_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct {
  int pid;
  int tgid;
  char comm[16];
  struct mm_struct* mm;
};

struct mm_struct {
  unsigned long* pgd;
  struct task_struct* owner; /* under CONFIG_MEMCG */
};

struct vm_area_struct {
  struct mm_struct* vm_mm;
};

typedef struct {
  unsigned long pte;
} pte_t;

struct vm_fault {
  struct vm_area_struct* vma;
  unsigned long address;
  pte_t orig_pte;
};

/*
 * Also used for a folio: both have flags and `private` (`swap` since v6.6) at the same offsets.
 */
struct page {
  unsigned long flags;
  void* mapping;
  unsigned long private;
  unsigned int compound_nr; /* in the second page of a compound page, before v5.18 */
};

/*
 * Since v6.18 page->flags is a structure of one word: Linux kernel commit 53fbef56e07d ("mm:
 * introduce memdesc_flags_t").
 */
struct memdesc_flags___word {
  unsigned long f;
};

struct page___memdesc {
  struct memdesc_flags___word flags;
};

struct folio {
  unsigned int _folio_nr_pages; /* v5.18 to v6.14 */
};

struct folio___nr_pages {
  unsigned int _nr_pages; /* since v6.15 */
};

#pragma clang attribute pop

enum pageflags {
  PG_swapbacked,
  PG_swapcache,
  PG_head,
};

#endif
