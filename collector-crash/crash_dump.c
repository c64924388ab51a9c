// SPDX-License-Identifier: MIT
/*
 * Uses few and old functions of crash: its structs change between versions, and an extension may be
 * loaded by another version of crash than it was built for.
 */
#include "crash_dump.h"

#include <defs.h>

/* crash takes names as char * and does not modify them. */
static char *name_of(const char *text)
{
	return (char *)(unsigned long)text;
}

static bool read_dump(void *self, enum pm_space space, __u64 at, void *to, size_t len)
{
	(void)self;
	return readmem(at, space == PM_PHYSICAL ? PHYSADDR : KVADDR, to, (long)len,
		       name_of("physmem"), RETURN_ON_ERROR | QUIET);
}

static bool find_member(void *self, const char *type, const char *member, struct pm_field *field)
{
	long offset = MEMBER_OFFSET(name_of(type), name_of(member));
	long size = MEMBER_SIZE(name_of(type), name_of(member));

	(void)self;
	/* For members of unnamed structs and unions, crash queries gdb in another way. */
	if (offset < 0)
		offset = ANON_MEMBER_OFFSET(name_of(type), name_of(member));
	if (offset >= 0 && size < 0)
		size = ANON_MEMBER_SIZE(name_of(type), name_of(member));
	field->offset = (int)offset;
	field->size = (int)size;
	return offset >= 0 && size >= 0;
}

static size_t size_of(void *self, const char *type)
{
	long size = STRUCT_SIZE(name_of(type));

	(void)self;
	return size > 0 ? (size_t)size : 0;
}

static size_t length_of(void *self, const char *symbol)
{
	(void)self;
	return symbol_exists(name_of(symbol)) ?
		       (size_t)get_array_length(name_of(symbol), NULL, 0) : 0;
}

static bool find_enumerator(void *self, const char *name, __u64 *value)
{
	long number;

	(void)self;
	if (!enumerator_value(name_of(name), &number))
		return false;
	*value = (__u64)number;
	return true;
}

static bool find_symbol(void *self, const char *name, __u64 *address)
{
	(void)self;
	if (!symbol_exists(name_of(name)))
		return false;
	*address = symbol_value(name_of(name));
	return true;
}

/* crash writes "function+31" or, at the beginning of a function, its name alone. */
static bool name_of_address(void *self, __u64 address, char *to, size_t room)
{
	char text[BUFSIZE], *plus;
	unsigned long offset = 0;

	(void)self;
	if (!value_to_symstr(address, text, 16) || !text[0])
		return false;
	plus = strchr(text, '+');
	if (plus) {
		offset = strtoul(plus + 1, NULL, 16);
		*plus = '\0';
	}
	return (size_t)snprintf(to, room, "%s+0x%lx", text, offset) < room;
}

/*
 * crash also translates addresses in vmalloc and vmemmap by page tables. But if it cannot read a
 * table, it aborts the command without any cleanup. On PowerPC the struct pages are not in page
 * tables.
 */
static bool needs_tables(void *self, __u64 at)
{
	(void)self;
	return IS_VMALLOC_ADDR(at);
}

static __u64 page_of(void *self, __u64 pfn)
{
	ulong page;

	(void)self;
	return phys_to_page((physaddr_t)pfn * (physaddr_t)PAGESIZE(), &page) ? page : 0;
}

static bool holds(void *self, __u64 pfn)
{
	__u64 word;

	return read_dump(self, PM_PHYSICAL, pfn * (__u64)PAGESIZE(), &word, sizeof(word));
}

/* makedumpfile's levels. Level 1 excludes only zero-filled pages, which still read as zeros. */
static bool is_filtered(void)
{
	return get_dump_level() > 1;
}

void pm_crash_dump(struct pm_dump *dump, bool (*is_interrupted)(void *self))
{
	*dump = (struct pm_dump){
		.page_size = (__u64)PAGESIZE(),
		.read = read_dump,
		.member = find_member,
		.size_of = size_of,
		.length_of = length_of,
		.enumerator = find_enumerator,
		.symbol = find_symbol,
		.name_of = name_of_address,
#if defined(X86_64) || defined(ARM64)
		.needs_tables = needs_tables,
#endif
		.page_of = page_of,
		.holds = is_filtered() ? holds : NULL,
		.is_interrupted = is_interrupted,
	};
}
