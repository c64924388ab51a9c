// SPDX-License-Identifier: MIT
#include "memory.h"

#include <stdlib.h>
#include <time.h>

/* Powers of two. */
#define BLOCKS 4096u
#define LIVE_BLOCKS 1024u	/* if missing ones cost little */
#define LINES 16384u

/* Reading so many lines costs as much as reading their block. */
#define LINES_OF_BLOCK 4u

enum state {
	EMPTY,
	WANTED,		/* only while a list is read */
	HELD,
	MISSING
};

struct pm_block {
	__u64 at;
	__u64 renewals;	/* when it was read */
	enum pm_space space;
	enum state state;
};

struct pm_line {
	__u64 at;		/* 0: none */
	__u64 renewals;
	unsigned char bytes[PM_LINE];
};

bool pm_memory_open(struct pm_memory *memory, const struct pm_dump *dump)
{
	memset(memory, 0, sizeof(*memory));
	memory->dump = dump;
	memory->n_blocks = dump->read_list ? LIVE_BLOCKS : BLOCKS;
	memory->blocks = calloc(memory->n_blocks, sizeof(*memory->blocks));
	memory->bytes = malloc(memory->n_blocks * PM_BLOCK);
	memory->lines = dump->read_list ? calloc(LINES, sizeof(*memory->lines)) : NULL;
	memory->first_line = ~(__u64)0;
	if (memory->blocks && memory->bytes && (memory->lines || !dump->read_list))
		return true;
	pm_memory_close(memory);
	return false;
}

void pm_memory_close(struct pm_memory *memory)
{
	free(memory->blocks);
	free(memory->bytes);
	free(memory->lines);
	memory->blocks = NULL;
	memory->bytes = NULL;
	memory->lines = NULL;
}

void pm_memory_renew(struct pm_memory *memory)
{
	struct timespec now;
	__u64 ns;

	memory->renewals++;
	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = (__u64)now.tv_sec * 1000000000 + (__u64)now.tv_nsec;
	if (ns < memory->lines_ns + PM_LINE_NS)
		return;
	memory->lines_ns = ns;
	memory->line_renewals++;
}

/* Translates an address that needs tables to a physical one. Returns false if it is not mapped. */
static bool locate(struct pm_memory *memory, enum pm_space *space, __u64 *at)
{
	const struct pm_dump *dump = memory->dump;

	if (*space != PM_KERNEL || !dump->needs_tables || !dump->needs_tables(dump->self, *at))
		return true;
	*space = PM_PHYSICAL;
	return memory->translate && memory->translate(memory->image, *at, at) == PM_FOUND;
}

/*
 * Consecutive blocks have consecutive places in the cache. The two spaces begin half the cache
 * apart.
 */
static struct pm_block *place_of(const struct pm_memory *memory, enum pm_space space, __u64 at)
{
	__u64 number = at / PM_BLOCK + (space == PM_PHYSICAL) * (memory->n_blocks / 2 + 1);

	return &memory->blocks[(number ^ number / memory->n_blocks) & (memory->n_blocks - 1)];
}

static unsigned char *bytes_of(const struct pm_memory *memory, const struct pm_block *block)
{
	return memory->bytes + (size_t)(block - memory->blocks) * PM_BLOCK;
}

static bool is_block(const struct pm_memory *memory, const struct pm_block *block,
		     enum pm_space space, __u64 at)
{
	return block->state != EMPTY && block->renewals == memory->renewals && block->at == at &&
	       block->space == space;
}

void pm_forget(struct pm_memory *memory, __u64 at)
{
	struct pm_block *block = place_of(memory, PM_KERNEL, at);

	if (is_block(memory, block, PM_KERNEL, at - at % PM_BLOCK))
		block->state = EMPTY;
}

static void set_block(struct pm_memory *memory, struct pm_block *block, enum pm_space space,
		      __u64 at, enum state state)
{
	*block = (struct pm_block){
		.at = at, .renewals = memory->renewals, .space = space, .state = state
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
	is_found = locate(memory, &real_space, &real) &&
		   (!dump->may_read || dump->may_read(dump->self, real_space, real)) &&
		   dump->read(dump->self, real_space, real, bytes_of(memory, block), PM_BLOCK);
	set_block(memory, block, space, at, is_found ? HELD : MISSING);
	return block;
}

static struct pm_line *line_of(const struct pm_memory *memory, __u64 at)
{
	return &memory->lines[at / PM_LINE % LINES];
}

static bool is_line(const struct pm_memory *memory, const struct pm_line *line, __u64 at)
{
	return line->at == at && line->renewals == memory->line_renewals;
}

static void set_line(struct pm_memory *memory, struct pm_line *line, __u64 at)
{
	line->at = at;
	line->renewals = memory->line_renewals;
	if (at < memory->first_line)
		memory->first_line = at;
	if (at > memory->last_line)
		memory->last_line = at;
}

static bool may_read_block(struct pm_memory *memory, __u64 at)
{
	const struct pm_dump *dump = memory->dump;

	return !dump->may_read || dump->may_read(dump->self, PM_KERNEL, at);
}

/* Pieces that are read together. */
struct list {
	struct pm_memory *memory;
	struct pm_item items[PM_ITEMS];
	size_t n;
	__u64 allowed;	/* the last block that may be read */
};

/* A line may be the place of two items: the later one is read last. */
static void read_items(struct list *list)
{
	struct pm_memory *memory = list->memory;
	size_t i;

	if (list->n)
		memory->dump->read_list(memory->dump->self, list->items, list->n);
	for (i = 0; i < list->n; i++) {
		const struct pm_item *item = &list->items[i];

		if (item->bytes == PM_BLOCK)
			place_of(memory, PM_KERNEL, item->at)->state =
				item->is_read ? HELD : MISSING;
		else if (!item->is_read && line_of(memory, item->at)->at == item->at)
			line_of(memory, item->at)->at = 0;
	}
	list->n = 0;
}

static void add_item(struct list *list, __u64 at, __u32 bytes, void *to)
{
	list->items[list->n++] = (struct pm_item){ .at = at, .bytes = bytes, .to = to };
	if (list->n == PM_ITEMS)
		read_items(list);
}

static void want(struct list *list, __u64 at, unsigned char lines_of_block)
{
	struct pm_memory *memory = list->memory;
	struct pm_block *block = place_of(memory, PM_KERNEL, at);
	struct pm_line *line = line_of(memory, at);
	__u64 begin = at - at % PM_BLOCK;

	if (is_block(memory, block, PM_KERNEL, begin) || is_line(memory, line, at) ||
	    (list->allowed != begin && !may_read_block(memory, begin)))
		return;
	list->allowed = begin;
	if (lines_of_block >= LINES_OF_BLOCK && block->state != WANTED) {
		set_block(memory, block, PM_KERNEL, begin, WANTED);
		add_item(list, begin, PM_BLOCK, bytes_of(memory, block));
	} else {
		set_line(memory, line, at);
		add_item(list, at, PM_LINE, line->bytes);
	}
}

void pm_prefetch(struct pm_memory *memory, const __u64 *at, size_t n)
{
	struct list list = { .memory = memory };
	unsigned char lines[LIVE_BLOCKS] = { 0 };	/* of each block, up to LINES_OF_BLOCK */
	size_t i;

	if (!memory->lines)
		return;
	for (i = 0; i < n; i++) {
		unsigned char *of_block = &lines[at[i] / PM_BLOCK % LIVE_BLOCKS];

		if (at[i] && *of_block < LINES_OF_BLOCK &&
		    !is_line(memory, line_of(memory, at[i]), at[i]))
			++*of_block;
	}
	for (i = 0; i < n; i++)
		if (at[i])
			want(&list, at[i], lines[at[i] / PM_BLOCK % LIVE_BLOCKS]);
	read_items(&list);
}

/* Whether a block is not in the cache, and can be read by an item of a list. */
static bool is_wanted(const struct pm_memory *memory, __u64 begin)
{
	const struct pm_dump *dump = memory->dump;

	return !is_block(memory, place_of(memory, PM_KERNEL, begin), PM_KERNEL, begin) &&
	       !(dump->needs_tables && dump->needs_tables(dump->self, begin));
}

/* The struct pages come first, by which may_read() decides. */
static void read_blocks(struct pm_memory *memory, const __u64 *blocks, size_t n)
{
	struct list list = { .memory = memory };
	__u64 pages[PM_ITEMS] = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		pages[i] = memory->dump->page_at(memory->dump->self, blocks[i]);
		pages[i] -= pages[i] % PM_LINE;
	}
	pm_prefetch(memory, pages, n);
	for (i = 0; i < n; i++) {
		struct pm_block *block = place_of(memory, PM_KERNEL, blocks[i]);

		if (block->state == WANTED || !may_read_block(memory, blocks[i]))
			continue;
		set_block(memory, block, PM_KERNEL, blocks[i], WANTED);
		add_item(&list, blocks[i], PM_BLOCK, bytes_of(memory, block));
	}
	read_items(&list);
}

void pm_prefetch_blocks(struct pm_memory *memory, const __u64 *at, size_t n)
{
	__u64 blocks[PM_ITEMS];
	size_t used = 0, i;

	for (i = 0; memory->lines && i < n; i++) {
		__u64 begin = at[i] - at[i] % PM_BLOCK;

		if (!at[i] || (used && blocks[used - 1] == begin) || !is_wanted(memory, begin))
			continue;
		blocks[used++] = begin;
		if (used < PM_ITEMS)
			continue;
		read_blocks(memory, blocks, used);
		used = 0;
	}
	if (used)
		read_blocks(memory, blocks, used);
}

/*
 * The bytes in the cache, valid until the next read. NULL if they are not in one block, or missing.
 */
static const unsigned char *find_bytes(struct pm_memory *memory, enum pm_space space, __u64 at,
				       size_t len)
{
	__u64 begin = at - at % PM_LINE;
	size_t skip = at % PM_BLOCK;
	const struct pm_block *block;

	if (space == PM_KERNEL && begin >= memory->first_line && begin <= memory->last_line &&
	    at % PM_LINE + len <= PM_LINE) {
		const struct pm_line *line = line_of(memory, at);

		if (is_line(memory, line, begin))
			return line->bytes + at % PM_LINE;
	}
	if (skip + len > PM_BLOCK)
		return NULL;
	block = block_at(memory, space, at - skip);
	return block->state == HELD ? bytes_of(memory, block) + skip : NULL;
}

/* Reads bytes that several blocks contain. */
static bool read_parts(struct pm_memory *memory, enum pm_space space, __u64 at, char *to,
		       size_t len)
{
	while (len) {
		size_t left = PM_BLOCK - at % PM_BLOCK;
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

bool pm_read_line(struct pm_memory *memory, __u64 at, void *to)
{
	const unsigned char *bytes = find_bytes(memory, PM_KERNEL, at, PM_LINE);

	if (!bytes)
		return pm_read(memory, PM_KERNEL, at, to, PM_LINE);
	memcpy(to, bytes, PM_LINE);
	return true;
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
		size_t n = PM_BLOCK - (at + used) % PM_BLOCK;
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
