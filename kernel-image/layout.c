// SPDX-License-Identifier: MIT
#include "layout.h"

#include <stdio.h>

#include "emit/flags.h"

enum need { OPTIONAL, NEEDED };

struct entry {
	size_t to;		/* offset in struct pm_layout */
	const char *spellings;
	enum need need;
};

#define ENTRY(name, spellings, need) { offsetof(struct pm_layout, name), spellings, need },
#define SYMBOL_ENTRY(name, spellings, need) \
	{ offsetof(struct pm_layout, at.name), spellings, need },

static const struct entry fields[] = { PM_FIELDS(ENTRY) };
static const struct entry numbers[] = { PM_NUMBERS(ENTRY) };
static const struct entry symbols[] = { PM_SYMBOLS(SYMBOL_ENTRY) };

#define SYMBOL_NAMES(name, names, need) names "|"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_NAME_BYTES 128
/* include/linux/swap.h: 1 << MAX_SWAPFILES_SHIFT, the upper bound. */
#define MAX_SWAPFILES 32
/* include/linux/slab.h: SLAB_RECLAIM_ACCOUNT, until v6.8. */
#define OLD_RECLAIM_ACCOUNT 0x20000u

/*
 * Copies the text before the first character in ends. Returns its end, or NULL if it is empty or
 * too long.
 */
static const char *cut(const char *from, const char *ends, char *to)
{
	size_t length = strcspn(from, ends);

	if (length == 0 || length >= MAX_NAME_BYTES)
		return NULL;
	memcpy(to, from, length);
	to[length] = '\0';
	return from + length;
}

/* Looks up TYPE.MEMBER{/TYPE.MEMBER} at the beginning of spelling. */
static bool find_member(const struct pm_dump *dump, const char *spelling, struct pm_field *field)
{
	char type[MAX_NAME_BYTES], member[MAX_NAME_BYTES];
	struct pm_field part;
	int offset = 0;

	do {
		spelling = cut(spelling + (*spelling == '/'), ".", type);
		spelling = spelling ? cut(spelling + 1, "/|", member) : NULL;
		if (!spelling || !dump->member(dump->self, type, member, &part))
			return false;
		offset += part.offset;
	} while (*spelling == '/');
	field->offset = offset;
	field->size = part.size;
	return true;
}

typedef bool (*find_fn)(const struct pm_dump *dump, const char *spelling, void *to);

static bool find_field(const struct pm_dump *dump, const char *spelling, void *to)
{
	struct pm_field *field = to;

	field->offset = -1;
	field->size = 0;
	return find_member(dump, spelling, field);
}

static bool find_number(const struct pm_dump *dump, const char *spelling, void *to)
{
	__u64 *number = to;

	*number = PM_NONE;
	return dump->enumerator(dump->self, spelling, number);
}

static bool find_symbol(const struct pm_dump *dump, const char *spelling, void *to)
{
	char name[MAX_NAME_BYTES];
	__u64 *address = to;

	*address = 0;
	return cut(spelling, "|", name) && dump->symbol(dump->self, name, address);
}

/* Writes the reason to why and returns false. */
static bool refuse(const char *lacking, char *why, size_t room)
{
	snprintf(why, room,
		 "the debug information lacks %s: unsupported kernel, or a vmlinux without types",
		 lacking);
	return false;
}

static bool find_all(struct pm_layout *layout, const struct pm_dump *dump,
		     const struct entry *entries, size_t n, find_fn find, char *why, size_t room)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const char *spelling = entries[i].spellings;
		bool is_found = false;

		while (spelling && !is_found) {
			is_found = find(dump, spelling, (char *)layout + entries[i].to);
			spelling = strchr(spelling, '|');
			if (spelling)
				spelling++;
		}
		if (!is_found && entries[i].need == NEEDED)
			return refuse(entries[i].spellings, why, room);
	}
	return true;
}

/*
 * Kernels without shadow_timekeeper keep the clock in a named struct. Since v6.13 there are several
 * of them; the first is the system's.
 */
static void find_clock(struct pm_layout *layout, const struct pm_dump *dump)
{
	__u64 address;

	if (layout->at.clock || layout->clock_data.offset < 0)
		return;
	if (dump->symbol(dump->self, "timekeeper_data", &address) ||
	    dump->symbol(dump->self, "tk_core", &address))
		layout->at.clock = address + (__u64)layout->clock_data.offset;
}

/*
 * Returns the length of swap_info[]. Debug information may lack it (Linux 7.2 declares the array
 * without a length). Then nr_swapfiles is used, which never decreases: every swap type in use is
 * lower.
 */
static __u64 swap_types(const struct pm_layout *layout, const struct pm_dump *dump)
{
	__u64 length = dump->length_of(dump->self, "swap_info");
	unsigned char bytes[4];

	if (length || !layout->at.nr_swapfiles ||
	    !dump->read(dump->self, PM_KERNEL, layout->at.nr_swapfiles, bytes, sizeof(bytes)))
		return length;
	length = pm_number(bytes, sizeof(bytes));
	return length <= MAX_SWAPFILES ? length : 0;
}

static void find_lengths(struct pm_layout *layout, const struct pm_dump *dump)
{
	layout->page_struct = dump->size_of(dump->self, "page");
	layout->zone_struct = dump->size_of(dump->self, "zone");
	layout->area_struct = dump->size_of(dump->self, "free_area");
	layout->vmap_node_struct = dump->size_of(dump->self, "vmap_node");
	layout->module_part_struct = dump->size_of(dump->self, "module_memory");
	layout->hstate_struct = dump->size_of(dump->self, "hstate");
	layout->cache_node_struct = dump->size_of(dump->self, "kmem_cache_per_node_ptrs");
	layout->section_struct = dump->size_of(dump->self, "mem_section");
	layout->user_struct = dump->size_of(dump->self, "page_owner");
	layout->ftrace_struct = dump->size_of(dump->self, "dyn_ftrace");
	layout->range_length = (size_t)layout->range_slots.size / sizeof(__u64);
	layout->gap_length = (size_t)layout->gap_slots.size / sizeof(__u64);
	/*
	 * These enumerators have the names of structs, and crash would find the structs instead.
	 * They follow maple_leaf in enum maple_type in this order.
	 */
	layout->maple_range = layout->maple_leaf + 1;
	layout->maple_gap = layout->maple_leaf + 2;
}

/*
 * Some changes of behaviour are not visible in the types. A type that was added in the same release
 * indicates them.
 */
static void find_behaviour(struct pm_layout *layout)
{
	/*
	 * Until v6.2 (commit 4b51634cd16a): if a huge page is mapped both as a whole and in parts,
	 * its parts are counted once too often.
	 */
	layout->has_double_map = layout->folio_entire_mapcount.offset < 0 &&
				 layout->pg_double_map != PM_NONE;
	/*
	 * v6.10, commit dee3d0bef2b0: kpageflags shows the flags of the folio. _large_mapcount was
	 * also added in v6.10, commit 05c5323b2a34.
	 */
	layout->shows_folio_flags = layout->folio_large_mapcount.offset >= 0;
	/*
	 * v6.6: vma_is_initial_heap() excludes VMAs that only touch the heap. PG_large_rmappable
	 * was added in the same release.
	 */
	layout->has_strict_heap = layout->pg_large_rmappable != PM_NONE;
	/*
	 * v6.2, commit d09e8ca6cb93: VMAs of files may have a name, in a field that no longer
	 * shares its place with another one.
	 */
	layout->has_named_files = layout->vma_given_name.offset >= 0 &&
				  layout->vma_given_name.offset != layout->vma_shared.offset;
	/*
	 * v6.9, commit cc61eb851461: an enum numbers the flags of slab caches. struct vmap_node was
	 * added in the same release.
	 */
	if (layout->reclaim_account < 32)
		layout->reclaimable_cache = (__u64)1 << layout->reclaim_account;
	else if (!layout->vmap_node_struct)
		layout->reclaimable_cache = OLD_RECLAIM_ACCOUNT;
}

static bool has_what_is_needed(const struct pm_layout *layout, char *why, size_t room)
{
	bool has_tree = layout->mm_tree.offset >= 0 && layout->range_length && layout->gap_length &&
			layout->maple_leaf != PM_NONE;
	bool has_list = layout->mm_first.offset >= 0 && layout->vma_next.offset >= 0;

	if (!has_tree && !has_list)
		return refuse("mm_struct.mm_mt with maple_range_64, maple_arange_64, and also "
			      "mm_struct.mmap with vm_area_struct.vm_next", why, room);
	if (layout->second_mapcount.offset < 0 && layout->folio_entire_mapcount.offset < 0)
		return refuse("page.compound_mapcount or folio._entire_mapcount", why, room);
	return layout->page_struct || refuse("struct page", why, room);
}

/*
 * Flags that /proc/kpageflags copies from page->flags. Their bit positions differ between kernels,
 * but all are in the lower 32 bits: zone, node and section are above.
 */
static void find_copied_flags(struct pm_layout *layout)
{
	const struct {
		__u64 number, flag;
	} copied[] = {
		{ layout->pg_locked, PM_PAGE_LOCKED },
		{ layout->pg_error, PM_PAGE_ERROR },
		{ layout->pg_referenced, PM_PAGE_REFERENCED },
		{ layout->pg_uptodate, PM_PAGE_UPTODATE },
		{ layout->pg_dirty, PM_PAGE_DIRTY },
		{ layout->pg_lru, PM_PAGE_LRU },
		{ layout->pg_active, PM_PAGE_ACTIVE },
		{ layout->pg_writeback, PM_PAGE_WRITEBACK },
		{ layout->pg_reclaim, PM_PAGE_RECLAIM },
		{ layout->pg_swapbacked, PM_PAGE_SWAPBACKED },
		{ layout->pg_unevictable, PM_PAGE_UNEVICTABLE },
		{ layout->pg_idle, PM_PAGE_IDLE },
	};
	unsigned int byte, value;
	size_t i;

	for (byte = 0; byte < PM_FLAG_BYTES; byte++)
		for (value = 0; value < 256; value++)
			for (i = 0; i < COUNT(copied); i++)
				if (pm_has_bit((__u64)value << 8 * byte, copied[i].number))
					layout->copied_flags[byte][value] |= copied[i].flag;
}

bool pm_layout_find_types(struct pm_layout *layout, const struct pm_dump *dump, char *why,
			  size_t room)
{
	memset(layout, 0, sizeof(*layout));
	if (!find_all(layout, dump, fields, COUNT(fields), find_field, why, room) ||
	    !find_all(layout, dump, numbers, COUNT(numbers), find_number, why, room))
		return false;
	find_lengths(layout, dump);
	find_behaviour(layout);
	find_copied_flags(layout);
	return has_what_is_needed(layout, why, room);
}

bool pm_layout_find_symbols(struct pm_layout *layout, const struct pm_dump *dump, char *why,
			    size_t room)
{
	if (!find_all(layout, dump, symbols, COUNT(symbols), find_symbol, why, room))
		return false;
	find_clock(layout, dump);
	layout->max_swap_types = swap_types(layout, dump);
	return layout->at.clock ||
	       refuse("variable shadow_timekeeper or tk_core", why, room);
}

bool pm_layout_find(struct pm_layout *layout, const struct pm_dump *dump, char *why, size_t room)
{
	return pm_layout_find_types(layout, dump, why, room) &&
	       pm_layout_find_symbols(layout, dump, why, room);
}

const char *pm_symbol_names(void)
{
	/* Of this file, and of table_x86_64.c and table_ppc64le.c. */
	return PM_SYMBOLS(SYMBOL_NAMES)
		"timekeeper_data|tk_core|"
		"pgdir_shift|physical_mask|"
		"__pte_index_size|__pmd_index_size|__pud_index_size|__pgd_index_size";
}
