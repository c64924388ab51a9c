/* SPDX-License-Identifier: GPL-2.0-only */
/* Swap-outs and their owners. Part of paging.bpf.c, which includes this file. */
#ifndef PM_BPF_SWAP_OUT_H
#define PM_BPF_SWAP_OUT_H

/* The owner of a page that reclaim unmaps. */
struct note {
  __u64 entry;
  __u64 mm; /* the first one seen; 0: none seen */
  __u64 address;
  __u64 pfn;   /* of the page at that address */
  __u32 pages; /* number of pages from there, including it */
  __u32 is_shared;
  struct person owner;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 8192);
  __type(key, __u64); /* struct page of the first page */
  __type(value, struct note);
} notes SEC(".maps");

/* The page that a task is about to write. */
struct swapout_ctx {
  __u64 page;
  __u64 entry;
  __u64 is_recorded;
};

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 4096);
  __type(key, __u64); /* pid and tgid */
  __type(value, struct swapout_ctx);
} writers SEC(".maps");

SEC("fentry/try_to_unmap")
int begin_unmap(__u64* ctx) {
  __u64 page = subject_of(ctx, PM_BPF_UNMAP);
  struct note note = {};

  if (!is_in_swap_cache(page)) return 0;
  note.entry = swap_entry_of(page);
  bpf_map_update_elem(&notes, &page, &note, BPF_ANY);
  return 0;
}

/* The number of pages of the folio that are mapped consecutively from `address`, in one table. */
static __always_inline __u32 count_mapped(__u64 mm, __u64 address, __u64 pfn, __u64 end) {
  __u64 room = PM_TABLE_ENTRIES - (address >> PM_PAGE_SHIFT & (PM_TABLE_ENTRIES - 1));
  __u32 n;

  for (n = 1; n < MAX_PAGES; n++)
    if (n >= room || pfn + n >= end ||
        mapped_frame(mm, address + ((__u64)n << PM_PAGE_SHIFT)) != pfn + n)
      break;
  return n;
}

SEC("fentry/try_to_unmap_one")
int on_unmap_one(__u64* ctx) {
  const volatile struct pm_bpf_arguments* at = &settings.arguments[PM_BPF_UNMAP_ONE];
  __u64 page = argument(ctx, at->subject), address = argument(ctx, at->address);
  struct vm_area_struct* vma = (void*)argument(ctx, at->area);
  struct note* note = bpf_map_lookup_elem(&notes, &page);
  __u64 mm, first, pfn;
  __u32 pages;

  if (!note || !is_in_swap_cache(page) || note->entry != swap_entry_of(page)) return 0;
  mm = (__u64)BPF_CORE_READ(vma, vm_mm);
  first = frame_of(page);
  pages = pages_of(page);
  pfn = mapped_frame(mm, address);
  if (pfn == PM_PAGING_UNKNOWN || pfn < first || pfn >= first + pages)
    return 0; /* the VMA no longer maps it */
  if (note->mm) {
    if (note->mm != mm) note->is_shared = 1;
    return 0;
  }
  if (!owner_of((struct mm_struct*)mm, &note->owner)) return 0;
  note->mm = mm;
  note->address = address;
  note->pfn = pfn;
  note->pages = pages == 1 ? 1 : count_mapped(mm, address, pfn, first + pages);
  return 0;
}

__noinline int put_page_out(__u64 page, __u64 entry, __u64 pfn, __u32 flags) {
  const struct note* note = bpf_map_lookup_elem(&notes, &page);
  /*
   * The note was made for the swap entry of the folio's first page. A page that is not anonymous
   * was written without being unmapped, so its note belongs to an earlier page.
   */
  bool is_owned = note && note->mm && is_anonymous(page) && note->entry == swap_entry_of(page) &&
                  pfn - note->pfn < note->pages;
  struct pm_paging_record* record =
      record_begin(PM_PAGING_OUT, entry, is_owned ? &note->owner : NULL);

  if (!record) return 0;
  record->flags = flags;
  record->pfn = pfn;
  record->time_ns = bpf_ktime_get_ns();
  if (is_owned) {
    record->address = note->address + ((pfn - note->pfn) << PM_PAGE_SHIFT);
    record->flags |= PM_PAGING_OWNER_MAPPED | (note->is_shared ? PM_PAGING_SHARED : 0);
  }
  bpf_ringbuf_submit(record, 0);
  return 0;
}

static __always_inline int put_out(__u64 page, __u32 flags) {
  __u64 entry = swap_entry_of(page), pfn = frame_of(page), key = bpf_get_current_pid_tgid();
  struct swapout_ctx* swapout = bpf_map_lookup_elem(&writers, &key);
  __u32 pages = pages_of(page), i;

  if (swapout && swapout->page == page) swapout->is_recorded = 1;
  for (i = 0; i < MAX_PAGES; i++) {
    if (i >= pages) break;
    put_page_out(page, entry + i, pfn + i, flags);
  }
  bpf_map_delete_elem(&notes, &page);
  return 0;
}

/* All pages here are counted in pswpout, from reclaim and from zswap writeback. */
SEC("fentry/__swap_writepage")
int on_write(__u64* ctx) {
  return put_out(subject_of(ctx, PM_BPF_WRITE), PM_PAGING_IO);
}

SEC("fexit/zswap_store")
int end_zswap_store(__u64* ctx) {
  if (!(result_of(ctx, PM_BPF_STORE) & 0xff)) return 0;
  return put_out(subject_of(ctx, PM_BPF_STORE), PM_PAGING_ZSWAP);
}

SEC("fexit/zswap_frontswap_store")
int end_frontswap_store(__u64* ctx) {
  if ((__u32)result_of(ctx, PM_BPF_FRONTSWAP_STORE) != 0) return 0;
  return put_out(subject_of(ctx, PM_BPF_FRONTSWAP_STORE), PM_PAGING_ZSWAP);
}

/*
 * A zero page is neither passed to zswap nor written: swap_writepage() succeeds and no other
 * probe sees it. The same happens to a page whose slot was freed instead, but that page is no
 * longer in the swap cache. Loaded only on kernels with the zero-page bitmap.
 */
static __always_inline int begin_swapout(__u64 page) {
  __u64 key = bpf_get_current_pid_tgid();
  struct swapout_ctx swapout = {.page = page};

  swapout.entry = swap_entry_of(page);
  bpf_map_update_elem(&writers, &key, &swapout, BPF_ANY);
  return 0;
}

static __always_inline int end_swapout(__u32 result) {
  __u64 key = bpf_get_current_pid_tgid();
  struct swapout_ctx* found = bpf_map_lookup_elem(&writers, &key);
  struct swapout_ctx swapout;

  if (!found) return 0;
  swapout = *found;
  bpf_map_delete_elem(&writers, &key);
  if (!result && !swapout.is_recorded && is_in_swap_cache(swapout.page) &&
      swap_entry_of(swapout.page) == swapout.entry)
    put_out(swapout.page, PM_PAGING_ZERO);
  return 0;
}

SEC("fentry/swap_writepage")
int begin_writepage(__u64* ctx) {
  return begin_swapout(subject_of(ctx, PM_BPF_SWAPOUT));
}

SEC("fexit/swap_writepage")
int end_writepage(__u64* ctx) {
  return end_swapout(result_of(ctx, PM_BPF_SWAPOUT));
}

SEC("fentry/swap_writeout")
int begin_writeout(__u64* ctx) {
  return begin_swapout(subject_of(ctx, PM_BPF_SWAPOUT));
}

SEC("fexit/swap_writeout")
int end_writeout(__u64* ctx) {
  return end_swapout(result_of(ctx, PM_BPF_SWAPOUT));
}

#endif
