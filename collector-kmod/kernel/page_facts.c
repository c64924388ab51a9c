// SPDX-License-Identifier: GPL-2.0-only
#include "page_facts.h"

#include "compat.h"
#include "emit/flags.h"

bool pm_count_references;

const char *pm_count_kind(void)
{
	return pm_count_references ? "refs" : PM_MAPCOUNT_KIND;
}

/* NULL for frames without struct page and for ZONE_DEVICE, which /proc does not show either. */
static struct page *page_of(struct pm_frame frame)
{
	struct page *page;

	if (unlikely(!frame.has_page && !pfn_valid(frame.pfn)))
		return NULL;
	page = pfn_to_page(frame.pfn);
	return unlikely(is_zone_device_page(page)) ? NULL : page;
}

static __u64 count_of(struct page *page, pm_folio *folio, int mapcount)
{
	int count = pm_count_references ? page_count(pm_folio_page(folio)) : mapcount;

	return count > 0 ? count : 0;
}

__u64 pm_use_count(struct pm_frame frame)
{
	struct page *page = page_of(frame);
	pm_folio *folio;

	if (!page)
		return 0;
	folio = pm_folio_of(page);
	return count_of(page, folio, pm_mapcount(page, folio));
}

/*
 * Moves one bit. The positions are constants, and the compiler combines bits that move by the same
 * distance.
 */
static __always_inline __u64 copied(__u64 bits, int from, __u64 flag)
{
	int to = __builtin_ctzll(flag);

	return to >= from ? (bits & BIT_ULL(from)) << (to - from) :
			    (bits & BIT_ULL(from)) >> (from - to);
}

/*
 * Flags that /proc/kpageflags copies from page->flags. Their bit positions differ between kernels.
 */
static __u64 copied_flags(unsigned long bits)
{
	__u64 flags = copied(bits, PG_locked, PM_PAGE_LOCKED) |
		      copied(bits, PG_referenced, PM_PAGE_REFERENCED) |
		      copied(bits, PG_uptodate, PM_PAGE_UPTODATE) |
		      copied(bits, PG_dirty, PM_PAGE_DIRTY) |
		      copied(bits, PG_lru, PM_PAGE_LRU) |
		      copied(bits, PG_active, PM_PAGE_ACTIVE) |
		      copied(bits, PG_writeback, PM_PAGE_WRITEBACK) |
		      copied(bits, PG_reclaim, PM_PAGE_RECLAIM) |
		      copied(bits, PG_swapbacked, PM_PAGE_SWAPBACKED) |
		      copied(bits, PG_unevictable, PM_PAGE_UNEVICTABLE);

	if (pm_has_error(bits))
		flags |= PM_PAGE_ERROR;
#if defined(CONFIG_64BIT) && (defined(CONFIG_PAGE_IDLE_FLAG) || defined(CONFIG_IDLE_PAGE_TRACKING))
	flags |= copied(bits, PG_idle, PM_PAGE_IDLE);
#endif
	return flags;
}

/* Part (head or tail) and kind of the compound page. */
static __u64 compound_flags(struct page *page, pm_folio *folio, unsigned long mapping,
			    bool is_hugetlb)
{
	__u64 flags = page == pm_folio_page(folio) ? PM_PAGE_COMPOUND_HEAD : PM_PAGE_COMPOUND_TAIL;

	if (is_hugetlb)
		return flags | PM_PAGE_HUGE;
	return pm_is_thp(folio, mapping) ? flags | PM_PAGE_THP : flags;
}

static __u64 mapping_flags(unsigned long mapping)
{
	if ((mapping & PM_MAPPING_KSM) == PM_MAPPING_KSM)
		return PM_PAGE_ANON | PM_PAGE_KSM;
	return mapping & PM_MAPPING_ANON ? PM_PAGE_ANON : 0;
}

__u64 pm_folio_flags(struct page *page, pm_folio *folio, int mapcount, bool is_hugetlb)
{
	unsigned long mapping = (unsigned long)READ_ONCE(folio->mapping);
	unsigned long folio_bits = pm_page_bits(pm_folio_page(folio));
	unsigned long swap_bits = BIT(PG_swapbacked) | BIT(PG_swapcache);
	__u64 flags = mapping_flags(mapping);

	flags |= copied_flags(pm_shown_bits(page, folio));
	if (mapcount > 0)
		flags |= PM_PAGE_MMAP;
	if (pm_is_large(folio))
		flags |= compound_flags(page, folio, mapping, is_hugetlb);
	if ((folio_bits & swap_bits) == swap_bits)
		flags |= PM_PAGE_SWAPCACHE;
	return pm_is_poisoned(page, folio, is_hugetlb) ? flags | PM_PAGE_HWPOISON : flags;
}

/*
 * The huge zero page has no flag of its own. It is a compound page without mapping, mapped by a pmd
 * but with mapcount 0.
 */
static __u64 zero_flags(struct page *page, pm_folio *folio, int mapcount, bool by_pmd)
{
	if (!pm_is_large(folio))
		return is_zero_pfn(page_to_pfn(page)) ? PM_PAGE_ZERO_PAGE : 0;
	return by_pmd && mapcount == 0 && !READ_ONCE(folio->mapping) ?
		       PM_PAGE_THP | PM_PAGE_ZERO_PAGE : 0;
}

void pm_describe_page(struct pm_frame frame, struct pm_page *record)
{
	struct page *page = page_of(frame);
	pm_folio *folio;
	int mapcount;

	if (!page) {
		record->count = 0;
		record->flags = PM_PAGE_NOPAGE;
		return;
	}
	folio = pm_folio_of(page);
	mapcount = pm_mapcount(page, folio);
	record->count = count_of(page, folio, mapcount);
	record->flags = pm_folio_flags(page, folio, mapcount,
				       pm_is_large(folio) && PageHuge(page)) |
			zero_flags(page, folio, mapcount, frame.by_pmd);
}
