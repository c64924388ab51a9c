/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that differs between the kernels that the modules support (5.10 and later). HAVE_* are
 * set by probes/, which explain each and cite the kernel commit. Kernel versions are never
 * compared.
 */
#ifndef PM_COMPAT_H
#define PM_COMPAT_H

#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/idr.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/percpu_counter.h>
#include <linux/pgtable.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/swap.h>
#include <linux/timer.h>

#include "probed/capabilities.h"

/* Returns the first struct pid at or after nr that is in use. Called under RCU. */
static inline struct pid *pm_find_ge_pid(int nr)
{
#ifdef HAVE_FIND_GE_PID
	return find_ge_pid(nr, &init_pid_ns);
#else
	return idr_get_next(&init_pid_ns.idr, &nr);
#endif
}

/* a * b / c. Without a 128-bit product the result is exact to one part in 2^31. */
static inline u64 pm_scale(u64 a, u64 b, u64 c)
{
#ifdef HAVE_MUL_U64_U64_DIV_U64
	return mul_u64_u64_div_u64(a, b, c);
#else
	while ((b | c) >> 32) {
		b >>= 1;
		c >>= 1;
	}
	return mul_u64_u32_div(a, (u32)b, max((u32)c, 1u));
#endif
}

/*
 * The unit of the kernel's memory accounting: a folio since v5.16, the head page of a compound page
 * before.
 */
#ifdef HAVE_FOLIO
typedef struct folio pm_folio;
#define pm_folio_of(page) page_folio(page)
#define pm_folio_page(folio) (&(folio)->page)
#else
typedef struct page pm_folio;
#define pm_folio_of(page) compound_head(page)
#define pm_folio_page(folio) (folio)
#endif

static inline unsigned long pm_page_bits(const struct page *page)
{
#ifdef HAVE_MEMDESC_FLAGS
	return READ_ONCE(page->flags.f);
#else
	return READ_ONCE(page->flags);
#endif
}

/*
 * Low bits of the mapping field. The values are the same since v2.6.32; only their names changed
 * (PAGE_MAPPING_ANON, FOLIO_MAPPING_ANON).
 */
#define PM_MAPPING_ANON 1ul
#define PM_MAPPING_KSM 3ul

static inline bool pm_is_large(pm_folio *folio)
{
#ifdef HAVE_FOLIO
	return folio_test_large(folio);
#else
	return PageHead(folio);
#endif
}

/* The count that /proc/kpagecount reports for a page that processes use. */
static inline int pm_mapcount(struct page *page, pm_folio *folio)
{
#if defined(HAVE_PAGE_MAPCOUNT)
	return page_mapcount(page);
#elif defined(CONFIG_PAGE_MAPCOUNT) || !defined(CONFIG_NO_PAGE_MAPCOUNT)
	int count = atomic_read(&page->_mapcount) + 1;

#ifdef HAVE_PAGE_MAPCOUNT_IS_TYPE
	if (page_mapcount_is_type(count))
		count = 0;
#endif
	return pm_is_large(folio) ? count + folio_entire_mapcount(folio) : count;
#else
	int count, pages, entire;

	if (!pm_is_large(folio))
		return atomic_read(&folio->_mapcount) + 1;
	count = folio_large_mapcount(folio);
	entire = folio_entire_mapcount(folio);
	pages = folio_nr_pages(folio);
	if (count <= 0)
		return 0;
	if (count <= entire)
		return entire;
	/* The mean, rounded to nearest and at least 1, as in the kernel. */
	return max(entire + (count - entire + pages / 2) / pages, 1);
#endif
}

#if defined(HAVE_PAGE_MAPCOUNT) || defined(CONFIG_PAGE_MAPCOUNT) || \
	!defined(CONFIG_NO_PAGE_MAPCOUNT)
#define PM_MAPCOUNT_KIND "mapcount"
#else
#define PM_MAPCOUNT_KIND "average"
#endif

/* Whether /proc/kpageflags reports a large folio (not hugetlb) as THP. */
static inline bool pm_is_thp(pm_folio *folio, unsigned long mapping)
{
#ifdef HAVE_FLAGS_OF_FOLIO
	return folio_test_large_rmappable(folio);
#else
	return (pm_page_bits(pm_folio_page(folio)) & BIT(PG_lru)) || (mapping & PM_MAPPING_ANON);
#endif
}

/*
 * The flags that /proc/kpageflags copies for a page: its folio's flags since v6.10, before that its
 * own (fs/proc: rewrite stable_page_flags()).
 */
static inline unsigned long pm_shown_bits(struct page *page, pm_folio *folio)
{
#ifdef HAVE_FLAGS_OF_FOLIO
	return pm_page_bits(pm_folio_page(folio));
#else
	return pm_page_bits(page);
#endif
}

/*
 * For hugetlb the head page is marked, for other compound pages the page itself. Before v6.10 the
 * flag of the page itself was always shown.
 */
static inline bool pm_is_poisoned(struct page *page, pm_folio *folio, bool is_hugetlb)
{
#ifdef CONFIG_MEMORY_FAILURE
#ifdef HAVE_FLAGS_OF_FOLIO
	if (is_hugetlb && pm_is_large(folio))
		page = pm_folio_page(folio);
#endif
	return pm_page_bits(page) & BIT(PG_hwpoison);
#else
	return false;
#endif
}

/* PG_error was removed in v6.12. */
static inline bool pm_has_error(unsigned long bits)
{
#ifdef HAVE_PG_ERROR
	return bits & BIT(PG_error);
#else
	return false;
#endif
}

/* Zero pages are not written to swap but kept in a bitmap. */
static inline bool pm_has_zero_bitmap(void)
{
	return IS_ENABLED(HAVE_SWPOUT_ZERO);
}

#if defined(CONFIG_KRETPROBES) && defined(HAVE_KERNEL_ARGUMENT)
#define PM_CAN_READ_ARGUMENTS 1
#endif

/* Argument `at` of a function, at its entry. */
static inline unsigned long pm_argument(struct pt_regs *regs, unsigned int at)
{
#ifdef HAVE_KERNEL_ARGUMENT
	return regs_get_kernel_argument(regs, at);
#else
	return 0;			/* not reached: pm_hooks_set() fails */
#endif
}

static inline unsigned int pm_pages_of(pm_folio *folio)
{
#ifdef HAVE_FOLIO
	return folio_nr_pages(folio);
#else
	return compound_nr(folio);
#endif
}

static inline bool pm_is_in_swap_cache(pm_folio *folio)
{
#ifdef HAVE_FOLIO
	return folio_test_swapcache(folio);
#else
	return PageSwapCache(folio);
#endif
}

/*
 * The slot of the folio's first page. The folio is in the swap cache, or is being read from a slot
 * without it.
 */
static inline swp_entry_t pm_swap_entry(pm_folio *folio)
{
#ifdef HAVE_FOLIO_SWAP
	return folio->swap;
#else
	return (swp_entry_t){ .val = page_private(pm_folio_page(folio)) };
#endif
}

static inline void pm_timer_stop(struct timer_list *timer)
{
#ifdef HAVE_TIMER_DELETE_SYNC
	timer_delete_sync(timer);
#else
	del_timer_sync(timer);
#endif
}

static inline bool pm_is_heap(struct vm_area_struct *vma)
{
#ifdef HAVE_VMA_IS_INITIAL_HEAP
	return vma_is_initial_heap(vma);
#else
	return vma->vm_start <= vma->vm_mm->brk && vma->vm_end >= vma->vm_mm->start_brk;
#endif
}

static inline bool pm_is_stack(struct vm_area_struct *vma)
{
	return vma->vm_start <= vma->vm_mm->start_stack && vma->vm_end >= vma->vm_mm->start_stack;
}

/*
 * The name that a process gave a VMA by prctl(PR_SET_VMA), or NULL. For a VMA of a file only if
 * anon_name has a field of its own.
 */
static inline const char *pm_given_name(struct vm_area_struct *vma)
{
#ifdef HAVE_ANON_VMA_NAME
	if (vma->vm_file && offsetof(struct vm_area_struct, anon_name) ==
			    offsetof(struct vm_area_struct, shared))
		return NULL;
	return vma->anon_name ? vma->anon_name->name : NULL;
#else
	return NULL;
#endif
}

static inline const struct path *pm_user_path(const struct file *file)
{
#ifdef HAVE_FILE_USER_PATH
	return file_user_path(file);
#else
	return &file->f_path;
#endif
}

static inline const struct inode *pm_user_inode(const struct file *file)
{
#ifdef HAVE_FILE_USER_PATH
	return file_user_inode(file);
#else
	return file_inode(file);
#endif
}

static inline void pm_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef HAVE_VM_FLAGS_CLEAR
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

/* The argument type of a class's devnode(). */
#ifdef HAVE_DEVNODE_CONST
#define PM_DEVNODE_DEVICE const struct device
#else
#define PM_DEVNODE_DEVICE struct device
#endif

/*
 * Resident pages of one kind, as the current task sees them. Called with preemption off. Since v6.2
 * each CPU caches part of the count; before that each task did. The part of this CPU (task) is
 * included, so that a fault adds one page. The parts of other CPUs (tasks), at most their batch,
 * are not.
 */
static inline unsigned long pm_current_rss_of(struct mm_struct *mm, int kind)
{
#ifdef HAVE_RSS_PERCPU
	long pages = percpu_counter_read(&mm->rss_stat[kind]);

#ifdef CONFIG_SMP
	pages += this_cpu_read(*mm->rss_stat[kind].counters);
#endif
#else
	long pages = atomic_long_read(&mm->rss_stat.count[kind]);

#ifdef SPLIT_RSS_COUNTING
	pages += current->rss_stat.count[kind];
#endif
#endif
	return max(pages, 0l);
}

/* The same sum as get_mm_rss(); mm belongs to the current task. */
static inline unsigned long pm_current_rss(struct mm_struct *mm)
{
	return pm_current_rss_of(mm, MM_FILEPAGES) + pm_current_rss_of(mm, MM_ANONPAGES) +
	       pm_current_rss_of(mm, MM_SHMEMPAGES);
}

#endif
