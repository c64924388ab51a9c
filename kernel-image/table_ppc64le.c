// SPDX-License-Identifier: MIT
/*
 * arch/powerpc/include/asm/book3s/64, v5.10 to v7.2: the kernel uses the same table format for the
 * radix and the hash MMU.
 */
#include "table_format.h"

#include <stdio.h>

#define PRESENT (1ull << 63)
#define PTE (1ull << 62)		/* a page entry, not the address of a table */
#define INVALID (1ull << 61)		/* present, but being changed */
#define TABLE_MASK 0x3fffffffffffff00ull
#define FRAME_BITS ((1ull << 53) - 1)	/* PTE_RPN_MASK */
#define SWAP_TYPE_MASK 0x1full
#define PHYSICAL_BITS 51		/* MAX_PHYSMEM_BITS */
#define USER_BITS 52

static void decode(const struct pm_table_format *format, __u64 raw, unsigned int level,
		   struct pm_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	if (!raw) {
		entry->kind = PM_ENTRY_NONE;
	} else if (!(raw & PTE)) {
		entry->kind = level ? PM_ENTRY_TABLE : PM_ENTRY_OTHER;
		entry->table = raw & TABLE_MASK;
	} else if (raw & (PRESENT | INVALID)) {
		pm_leaf(format, raw, raw, 0, level, entry);
	} else {
		entry->kind = level ? PM_ENTRY_OTHER : PM_ENTRY_SWAP;
		entry->type = raw & SWAP_TYPE_MASK;
		entry->offset = (raw & format->frame_bits) >> format->shift[0];
	}
}

bool pm_table_format_ppc64le(struct pm_table_format *format, struct pm_memory *memory,
			     const struct pm_layout *layout, char *why, size_t room)
{
	/* The MMU, and with it the shape of the tables, is selected at boot. */
	static const char *const sizes[] = {
		"__pte_index_size", "__pmd_index_size", "__pud_index_size", "__pgd_index_size"
	};
	unsigned char index_bits[PM_LEVELS] = { 0 };
	unsigned int i;

	(void)layout;
	for (i = 0; i < 4; i++) {
		__u64 bits = pm_variable(memory, sizes[i], 8, 0);

		if (bits == 0 || bits > 16) {
			snprintf(why, room,
				 "found machine 'ppc64le' with %llu in %s, expected 1 to 16",
				 (unsigned long long)bits, sizes[i]);
			return false;
		}
		index_bits[i] = (unsigned char)bits;
	}
	pm_table_levels(format, index_bits, 4, memory->dump->page_size);
	format->user_end = 1ull << USER_BITS;
	format->phys_mask = ((1ull << PHYSICAL_BITS) - 1) & ~(memory->dump->page_size - 1);
	format->frame_bits = FRAME_BITS & ~(memory->dump->page_size - 1);
	format->is_big_endian = true;
	format->decode = decode;
	return true;
}
