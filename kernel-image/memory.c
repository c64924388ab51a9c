// SPDX-License-Identifier: MIT
#include "memory.h"

#include <stdlib.h>
#include <time.h>

#define BLOCKS_BYTES (16u << 20)	/* of the cache, if there are no lists */

enum {
	EMPTY,
	WANTED,		/* only while a list is read */
	HELD,
	MISSING
};

struct pm_block {
	__u64 at;
	__u32 renewals;	/* when it was read: of struct pages, or of all else */
	__u16 round;	/* the low bits of the latter */
	__u8 space;	/* enum pm_space */
	__u8 state;
};

static size_t n_blocks(const struct pm_memory *memory)
{
	return (size_t)1 << memory->places;
}

static size_t block_bytes(const struct pm_memory *memory)
{
	return (size_t)1 << memory->shift;
}

bool pm_memory_open(struct pm_memory *memory, const struct pm_dump *dump)
{
	unsigned int bytes;

	memset(memory, 0, sizeof(*memory));
	memory->dump = dump;
	memory->shift = (unsigned int)__builtin_ctz(dump->read_list ? PM_SMALL_BLOCK : PM_BLOCK);
	bytes = dump->read_list ? PM_CACHE_BYTES : BLOCKS_BYTES;
	memory->places = (unsigned int)__builtin_ctz(bytes) - memory->shift;
	memory->blocks = calloc(n_blocks(memory), sizeof(*memory->blocks));
	memory->bytes = dump->list_bytes;
	if (!memory->bytes)
		memory->bytes = malloc(dump->read_list ? PM_LIST_BYTES : bytes);
	if (dump->read_list && memory->bytes)
		memory->window.bytes = memory->bytes + PM_CACHE_BYTES;
	if (memory->blocks && memory->bytes)
		return true;
	pm_memory_close(memory);
	return false;
}

void pm_memory_close(struct pm_memory *memory)
{
	free(memory->blocks);
	if (memory->bytes && !memory->dump->list_bytes)
		free(memory->bytes);
	memory->blocks = NULL;
	memory->bytes = NULL;
}

void pm_memory_set_pages(struct pm_memory *memory, __u64 first, __u64 bytes)
{
	memset(memory->blocks, 0, n_blocks(memory) * sizeof(*memory->blocks));
	memory->first_page = first;
	memory->page_bytes = bytes;
}

static __u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (__u64)now.tv_sec * 1000000000 + (__u64)now.tv_nsec;
}

void pm_memory_renew(struct pm_memory *memory)
{
	memory->renewals++;
	if (now_ns() >= memory->pages_ns + PM_PAGES_NS)
		pm_memory_renew_pages(memory);
}

void pm_memory_renew_pages(struct pm_memory *memory)
{
	memory->pages_ns = now_ns();
	memory->page_renewals++;
	pm_window_clear(&memory->window);
}

static bool needs_tables(const struct pm_memory *memory, __u64 at)
{
	const struct pm_dump *dump = memory->dump;

	return dump->needs_tables && dump->needs_tables(dump->self, at);
}

/*
 * Where all of RAM is mapped, a physical address is read as one of the kernel. Returns false if it
 * is not in RAM.
 */
static bool use_direct_map(const struct pm_memory *memory, enum pm_space *space, __u64 *at)
{
	if (*space != PM_PHYSICAL || !memory->dump->direct_map)
		return true;
	*space = PM_KERNEL;
	*at += memory->dump->direct_map;
	return !needs_tables(memory, *at);
}

/* Translates an address that needs tables. Returns false if it is not mapped, or not to RAM. */
static bool locate(struct pm_memory *memory, enum pm_space *space, __u64 *at)
{
	if (*space != PM_KERNEL || !needs_tables(memory, *at))
		return true;
	*space = PM_PHYSICAL;
	return memory->translate && memory->translate(memory->image, *at, at) == PM_FOUND &&
	       use_direct_map(memory, space, at);
}

static bool may_read(const struct pm_memory *memory, __u64 at)
{
	const struct pm_dump *dump = memory->dump;

	return !dump->may_read || dump->may_read(dump->self, at);
}

static bool is_of_pages(const struct pm_memory *memory, __u64 at)
{
	return at - memory->first_page < memory->page_bytes;
}

static __u32 renewals_of(const struct pm_memory *memory, __u64 at)
{
	return is_of_pages(memory, at) ? memory->page_renewals : memory->renewals;
}

static bool is_current(const struct pm_memory *memory, const struct pm_block *block)
{
	return block->state != EMPTY && block->renewals == renewals_of(memory, block->at);
}

static bool is_block(const struct pm_memory *memory, const struct pm_block *block,
		     enum pm_space space, __u64 at)
{
	return block->at == at && block->space == space && is_current(memory, block);
}

/*
 * The place of a block in the cache: where it is, or one of two where it may be. Consecutive blocks
 * have consecutive places. The two spaces begin a quarter of the cache apart.
 */
static struct pm_block *place_of(const struct pm_memory *memory, enum pm_space space, __u64 at)
{
	const __u64 mixing = 0x9e3779b97f4a7c15;	/* 2^64 / golden ratio */
	size_t half = n_blocks(memory) / 2;
	__u64 number = at >> memory->shift;
	struct pm_block *first, *second;

	number += (number >> (memory->places - 1)) * mixing + (space == PM_PHYSICAL) * half / 2;
	first = &memory->blocks[number & (half - 1)];
	second = first + half;
	if (is_block(memory, first, space, at))
		return first;
	if (is_block(memory, second, space, at))
		return second;
	/* The struct pages of the process before make room for those of this one. */
	if (!is_current(memory, first) ||
	    (is_current(memory, second) && first->round != (__u16)memory->renewals))
		return first;
	return second;
}

static unsigned char *bytes_of(const struct pm_memory *memory, const struct pm_block *block)
{
	return memory->bytes + ((size_t)(block - memory->blocks) << memory->shift);
}

void pm_forget(struct pm_memory *memory, __u64 at)
{
	__u64 begin = at & ~(__u64)(block_bytes(memory) - 1);
	struct pm_block *block = place_of(memory, PM_KERNEL, begin);

	if (is_block(memory, block, PM_KERNEL, begin))
		block->state = EMPTY;
}

static void set_block(struct pm_memory *memory, struct pm_block *block, enum pm_space space,
		      __u64 at, __u8 state)
{
	*block = (struct pm_block){
		.at = at,
		.renewals = renewals_of(memory, at),
		.round = (__u16)memory->renewals,
		.space = (__u8)space,
		.state = state,
	};
}

static const struct pm_block *block_at(struct pm_memory *memory, enum pm_space space, __u64 at)
{
	struct pm_block *block = place_of(memory, space, at);
	const struct pm_dump *dump = memory->dump;
	enum pm_space real_space = space;
	__u64 real = at;
	bool is_found;

	if (is_block(memory, block, space, at))
		return block;
	/*
	 * locate() and may_read() come first, because they read page tables and struct pages as
	 * blocks too, possibly into this place.
	 */
	is_found = locate(memory, &real_space, &real) && may_read(memory, real) &&
		   dump->read(dump->self, real_space, real, bytes_of(memory, block),
			      block_bytes(memory));
	set_block(memory, block, space, at, is_found ? HELD : MISSING);
	return block;
}

/* Pieces that are read together. Blocks of one page are one piece. */
struct list {
	struct pm_memory *memory;
	struct pm_item items[PM_ITEMS];
	struct pm_block *blocks[PM_ITEMS];	/* the first of each item */
	size_t n;
};

/* A block that is not in the cache, and its place. */
struct wanted {
	__u64 at;
	struct pm_block *block;
};

static void add_block(struct list *list, const struct wanted *wanted)
{
	struct pm_memory *memory = list->memory;
	struct pm_block *block = wanted->block;
	__u64 at = wanted->at;
	struct pm_item *last = list->n ? &list->items[list->n - 1] : NULL;
	unsigned char *to;

	if (block->state == WANTED)
		block = place_of(memory, PM_KERNEL, at);	/* its other place */
	if (block->state == WANTED)
		return;		/* by this block or by another one: that is read when it is needed */
	to = bytes_of(memory, block);
	set_block(memory, block, PM_KERNEL, at, WANTED);
	if (last && at % PM_BLOCK && last->at + last->bytes == at &&
	    (unsigned char *)last->to + last->bytes == to) {
		last->bytes += (__u32)block_bytes(memory);
		return;
	}
	list->blocks[list->n] = block;
	list->items[list->n++] =
		(struct pm_item){ .at = at, .bytes = (__u32)block_bytes(memory), .to = to };
}

static void read_list(struct list *list)
{
	const struct pm_dump *dump = list->memory->dump;
	size_t i, j;

	if (list->n)
		dump->read_list(dump->self, list->items, list->n);
	for (i = 0; i < list->n; i++)
		for (j = 0; j < list->items[i].bytes >> list->memory->shift; j++)
			list->blocks[i][j].state = list->items[i].is_read ? HELD : MISSING;
}

/*
 * Reads up to PM_ITEMS blocks at once. The struct pages come first, by which may_read() decides; it
 * may read further blocks itself, so it is asked before any place is given to a block.
 */
static void read_blocks(struct pm_memory *memory, struct wanted *blocks, size_t n)
{
	struct list list = { .memory = memory };
	__u64 pages[PM_ITEMS], page = 1;
	size_t n_pages = 0, allowed = 0, i;

	for (i = 0; i < n; i++)
		if (!is_of_pages(memory, blocks[i].at))
			pages[n_pages++] =
				memory->dump->page_at(memory->dump->self, blocks[i].at);
	if (n_pages)
		pm_prefetch(memory, pages, n_pages, 1);
	for (i = 0; i < n; i++) {
		__u64 begin = blocks[i].at - blocks[i].at % PM_BLOCK;

		if (begin != page && !may_read(memory, begin))
			continue;
		page = begin;
		blocks[allowed++] = blocks[i];
	}
	for (i = 0; i < allowed; i++)
		add_block(&list, &blocks[i]);
	read_list(&list);
}

/* Returns false if the block is in the cache, or cannot be read by an item of a list. */
static bool is_wanted(const struct pm_memory *memory, __u64 at, struct wanted *wanted)
{
	wanted->at = at;
	wanted->block = place_of(memory, PM_KERNEL, at);
	return !is_block(memory, wanted->block, PM_KERNEL, at) &&
	       (is_of_pages(memory, at) || !needs_tables(memory, at));
}

void pm_prefetch(struct pm_memory *memory, const __u64 *at, size_t n, size_t bytes)
{
	struct wanted blocks[PM_ITEMS];
	size_t used = 0, i;
	__u64 last = 0;

	for (i = 0; memory->dump->read_list && i < n; i++) {
		__u64 block = at[i] & ~(__u64)(block_bytes(memory) - 1);

		for (; at[i] && block < at[i] + bytes; block += block_bytes(memory)) {
			if (block == last || !is_wanted(memory, block, &blocks[used]))
				continue;
			last = block;
			if (++used < PM_ITEMS)
				continue;
			read_blocks(memory, blocks, used);
			used = 0;
		}
	}
	if (used)
		read_blocks(memory, blocks, used);
}

static const unsigned char *find_bytes(struct pm_memory *memory, enum pm_space space, __u64 at,
				       size_t len)
{
	size_t skip = (size_t)at & (block_bytes(memory) - 1);
	const struct pm_block *block;

	if (skip + len > block_bytes(memory))
		return NULL;
	at -= skip;
	block = memory->last;
	if (!block || !is_block(memory, block, space, at))
		block = memory->last = block_at(memory, space, at);
	return block->state == HELD ? bytes_of(memory, block) + skip : NULL;
}

const unsigned char *pm_peek(struct pm_memory *memory, __u64 at, size_t len)
{
	return find_bytes(memory, PM_KERNEL, at, len);
}

/* Reads bytes that several blocks contain. */
static bool read_parts(struct pm_memory *memory, enum pm_space space, __u64 at, char *to,
		       size_t len)
{
	if (!use_direct_map(memory, &space, &at))
		return false;
	if (len > block_bytes(memory) && space == PM_KERNEL)
		pm_prefetch(memory, &at, 1, len);
	while (len) {
		size_t left = block_bytes(memory) - ((size_t)at & (block_bytes(memory) - 1));
		size_t n = len < left ? len : left;
		const unsigned char *bytes = find_bytes(memory, space, at, n);

		if (!bytes)
			return false;
		memcpy(to, bytes, n);
		to += n;
		at += n;
		len -= n;
	}
	return true;
}

static bool note_missing(struct pm_memory *memory, void *to, size_t len)
{
	memory->missing++;
	memset(to, 0, len);
	return false;
}

bool pm_read(struct pm_memory *memory, enum pm_space space, __u64 at, void *to, size_t len)
{
	return read_parts(memory, space, at, to, len) || note_missing(memory, to, len);
}

__u64 pm_get(struct pm_memory *memory, __u64 object, struct pm_field field)
{
	__u64 at = object + (__u64)field.offset;
	size_t len = (size_t)field.size;
	const unsigned char *found;
	unsigned char bytes[8];

	if (field.offset < 0 || len > sizeof(bytes))
		return 0;
	found = find_bytes(memory, PM_KERNEL, at, len);
	if (found)
		return pm_number(found, len);
	pm_read(memory, PM_KERNEL, at, bytes, len);
	return pm_number(bytes, len);
}

size_t pm_get_text(struct pm_memory *memory, __u64 at, char *to, size_t room)
{
	size_t used = 0;

	/* Reads up to the end of each block, because the memory after the text may be missing. */
	while (used < room - 1) {
		size_t n = block_bytes(memory) - ((size_t)(at + used) & (block_bytes(memory) - 1));
		size_t length;

		if (n > room - 1 - used)
			n = room - 1 - used;
		if (!pm_read(memory, PM_KERNEL, at + used, to + used, n))
			break;
		length = strnlen(to + used, n);
		used += length;
		if (length < n)
			break;
	}
	to[used] = '\0';
	return used;
}
