// SPDX-License-Identifier: MIT
/* arch/arm64/include/asm/pgtable*.h, v5.10 to v7.2. */
#include "table_format.h"

#include <stdio.h>

#define MAX_ADDRESS_BITS 48u	/* with 52 bits, entries have bits 48 to 51 of a frame elsewhere */

#define VALID 0x1ull
#define TYPE_MASK 0x3ull
#define TYPE_TABLE 0x3ull
#define BITS 0x0000fffffffff000ull

/*
 * Entries that count as present although the CPU must not use them: without access, or a huge page
 * that is being split.
 */
#define PROT_NONE (1ull << 58)
#define PMD_PRESENT_INVALID (1ull << 59)
#define PRESENT_INVALID (1ull << 11)	/* replaces both since v6.11, commit f0f5863a0fb0 */

/* Lowest bits of type and slot in a swap entry. */
static const struct {
	unsigned int type, offset;
} swap_fields[] = {
	[PM_AARCH64_OLD] = { 2, 8 },
	[PM_AARCH64_EXCLUSIVE] = { 3, 8 },	/* v5.19, commit 570ef363509b */
	[PM_AARCH64_NEW] = { 6, 12 },		/* v6.11 */
};

static bool is_present(const struct pm_table_format *format, __u64 raw, unsigned int level)
{
	if (format->variant == PM_AARCH64_NEW)
		return raw & (VALID | PRESENT_INVALID);
	return raw & (VALID | PROT_NONE | (level ? PMD_PRESENT_INVALID : 0));
}

static void decode(const struct pm_table_format *format, __u64 raw, unsigned int level,
		   struct pm_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	if (!raw) {
		entry->kind = PM_ENTRY_NONE;
	} else if (!is_present(format, raw, level)) {
		entry->kind = level ? PM_ENTRY_OTHER : PM_ENTRY_SWAP;
		entry->type = raw >> swap_fields[format->variant].type &
			      (format->variant == PM_AARCH64_OLD ? 0x3f : 0x1f);
		entry->offset = raw >> swap_fields[format->variant].offset & ((1ull << 50) - 1);
	} else if (level && (raw & TYPE_MASK) == TYPE_TABLE) {
		entry->kind = PM_ENTRY_TABLE;
		entry->table = raw & format->phys_mask;
	} else {
		pm_leaf(format, raw, raw, 0, level, entry);
	}
}

/*
 * Returns the width of virtual addresses. Tasks are in the linear map, which is the lower half of
 * the kernel's addresses: ones, then a 0, whose position plus 1 is the width.
 */
static unsigned int address_bits(struct pm_memory *memory, const struct pm_layout *layout)
{
	__u64 task = pm_get(memory, layout->at.init_task, layout->task_next);

	return ~task ? 64 - (unsigned int)__builtin_clzll(~task) : 64;
}

bool pm_table_format_aarch64(struct pm_table_format *format, struct pm_memory *memory,
			     const struct pm_layout *layout, char *why, size_t room)
{
	unsigned int bits = address_bits(memory, layout);
	unsigned int page_shift = (unsigned int)__builtin_ctzll(memory->dump->page_size);
	unsigned char index_bits[PM_LEVELS] = { 0 };
	unsigned int levels = 0, done;

	if (bits <= page_shift || bits > MAX_ADDRESS_BITS) {
		snprintf(why, room,
			 "found machine 'aarch64' with pages of %llu bytes and addresses of %u bits, "
			 "expected addresses of at most %u bits",
			 (unsigned long long)memory->dump->page_size, bits, MAX_ADDRESS_BITS);
		return false;
	}
	for (done = page_shift; done < bits && levels < PM_LEVELS; levels++) {
		unsigned int left = bits - done;

		index_bits[levels] = (unsigned char)(left < page_shift - 3 ? left : page_shift - 3);
		done += index_bits[levels];
	}
	pm_table_levels(format, index_bits, levels, memory->dump->page_size);
	format->user_end = 1ull << bits;
	format->phys_mask = BITS & ~(memory->dump->page_size - 1);
	format->frame_bits = format->phys_mask;
	/*
	 * PGTY_* page types were added one release later, in v6.12, so v6.11 itself is treated as
	 * older.
	 */
	format->variant = layout->page_types != PM_NONE ? PM_AARCH64_NEW :
			  layout->pg_anon_exclusive != PM_NONE ? PM_AARCH64_EXCLUSIVE :
								 PM_AARCH64_OLD;
	format->decode = decode;
	return true;
}
