// SPDX-License-Identifier: MIT
#include "memory.h"

#include <stdlib.h>

/* A power of two. */
#define BLOCKS 4096u
#define LINES 32768u

enum block_state {
	EMPTY,
	HELD,
	MISSING
};

struct pm_block {
	__u64 at;
	__u64 renewals;	/* when it was read */
	enum pm_space space;
	enum block_state state;
	unsigned char bytes[PM_BLOCK];
};

struct pm_line {
	__u64 at;		/* 0: none */
	__u64 renewals;
	unsigned char bytes[PM_LINE];
};

bool pm_memory_open(struct pm_memory *memory, const struct pm_dump *dump)
{
	memory->dump = dump;
	memory->renewals = 0;
	memory->missing = 0;
	memory->translate = NULL;
	memory->blocks = calloc(BLOCKS, sizeof(*memory->blocks));
	memory->lines = dump->read_list ? calloc(LINES, sizeof(*memory->lines)) : NULL;
	if (memory->blocks && (memory->lines || !dump->read_list))
		return true;
	pm_memory_close(memory);
	return false;
}

void pm_memory_close(struct pm_memory *memory)
{
	free(memory->blocks);
	free(memory->lines);
	memory->blocks = NULL;
	memory->lines = NULL;
}

void pm_memory_renew(struct pm_memory *memory)
{
	memory->renewals++;
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
static struct pm_block *place_of(struct pm_memory *memory, enum pm_space space, __u64 at)
{
	__u64 first = (space == PM_PHYSICAL) * (BLOCKS / 2 + 1);

	return &memory->blocks[(at / PM_BLOCK + first) % BLOCKS];
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

static struct pm_block *block_at(struct pm_memory *memory, enum pm_space space, __u64 at)
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
		   (!dump->may_read || dump->may_read(dump->self, real_space, real));
	block->at = at;
	block->renewals = memory->renewals;
	block->space = space;
	is_found = is_found && dump->read(dump->self, real_space, real, block->bytes, PM_BLOCK);
	block->state = is_found ? HELD : MISSING;
	return block;
}

static struct pm_line *line_of(const struct pm_memory *memory, __u64 at)
{
	return &memory->lines[at / PM_LINE % LINES];
}

static bool is_line(const struct pm_memory *memory, const struct pm_line *line, __u64 at)
{
	return line->at == at && line->renewals == memory->renewals;
}

/* A line may be the place of two items: the later one is read last. */
static void read_lines(struct pm_memory *memory, struct pm_item *items, size_t n)
{
	size_t i;

	memory->dump->read_list(memory->dump->self, items, n);
	for (i = 0; i < n; i++) {
		struct pm_line *line = line_of(memory, items[i].at);

		if (items[i].to == line->bytes && !items[i].is_read && line->at == items[i].at)
			line->at = 0;
	}
}

void pm_prefetch(struct pm_memory *memory, const __u64 *at, size_t n)
{
	const struct pm_dump *dump = memory->dump;
	struct pm_item items[PM_ITEMS];
	size_t used = 0, i;

	for (i = 0; memory->lines && i < n; i++) {
		struct pm_line *line = line_of(memory, at[i]);

		if (!at[i] || is_line(memory, line, at[i]) ||
		    (dump->may_read && !dump->may_read(dump->self, PM_KERNEL, at[i] - at[i] % PM_BLOCK)))
			continue;
		line->at = at[i];
		line->renewals = memory->renewals;
		items[used++] = (struct pm_item){ .at = at[i], .bytes = PM_LINE, .to = line->bytes };
		if (used < PM_ITEMS)
			continue;
		read_lines(memory, items, used);
		used = 0;
	}
	if (used)
		read_lines(memory, items, used);
}

bool pm_read(struct pm_memory *memory, enum pm_space space, __u64 at, void *to, size_t len)
{
	char *next = to;
	size_t left = len;

	if (memory->lines && space == PM_KERNEL && at % PM_LINE + len <= PM_LINE) {
		const struct pm_line *line = line_of(memory, at);

		if (is_line(memory, line, at - at % PM_LINE)) {
			memcpy(to, line->bytes + at % PM_LINE, len);
			return true;
		}
	}

	while (left) {
		size_t skip = at % PM_BLOCK;
		size_t n = left < PM_BLOCK - skip ? left : PM_BLOCK - skip;
		struct pm_block *block = block_at(memory, space, at - skip);

		if (block->state != HELD) {
			memory->missing++;
			memset(to, 0, len);
			return false;
		}
		memcpy(next, block->bytes + skip, n);
		next += n;
		at += n;
		left -= n;
	}
	return true;
}

__u64 pm_number(const void *bytes, size_t len)
{
	__u8 byte;
	__u16 half;
	__u32 word;
	__u64 number = 0;

	switch (len) {
	case 1: memcpy(&byte, bytes, len); return byte;
	case 2: memcpy(&half, bytes, len); return half;
	case 4: memcpy(&word, bytes, len); return word;
	case 8: memcpy(&number, bytes, len); return number;
	default: return 0;
	}
}

__u64 pm_get(struct pm_memory *memory, __u64 object, struct pm_field field)
{
	unsigned char bytes[8];
	size_t len = (size_t)field.size;

	if (field.offset < 0 || len > sizeof(bytes))
		return 0;
	pm_read(memory, PM_KERNEL, object + (__u64)field.offset, bytes, len);
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
