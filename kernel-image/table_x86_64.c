// SPDX-License-Identifier: MIT
/* arch/x86/include/asm/pgtable*.h, v5.10 to v7.2. */
#include "table_format.h"

#define PRESENT 0x001ull
#define ACCESSED 0x020ull
#define DIRTY 0x040ull
#define HUGE 0x080ull		/* in levels above 0; tables do not have it */
#define PROT_NONE 0x100ull	/* only without PRESENT */
#define HUGE_PAT 0x1000ull
#define BITS 0x000ffffffffff000ull

/*
 * pgtable_64.h: the type is in bits 59 and up. The slot is in bits 9 and up, inverted, so that it
 * is not the address of any memory (L1TF).
 */
static void decode_absent(__u64 raw, struct pm_entry *entry)
{
	entry->kind = PM_ENTRY_SWAP;
	entry->type = raw >> 59;
	entry->offset = ~raw << 5 >> 14;
}

static void decode(const struct pm_table_format *format, __u64 raw, unsigned int level,
		   struct pm_entry *entry)
{
	/* Inverted in entries without access (L1TF, pgtable-invert.h). */
	__u64 frame = raw & PRESENT ? raw : ~raw;
	bool is_present = raw & (PRESENT | PROT_NONE);
	/* A huge page of the middle level that is being split has only HUGE (pmd_present()). */
	bool is_leaf = level == 0 ? is_present : raw & HUGE && (level == 1 || is_present);

	memset(entry, 0, sizeof(*entry));
	/* Knights Landing sets these two bits in empty entries (erratum, pgtable_64.h). */
	if (!(raw & ~(ACCESSED | DIRTY))) {
		entry->kind = PM_ENTRY_NONE;
	} else if (is_leaf) {
		pm_leaf(format, raw, frame, level ? HUGE_PAT : 0, level, entry);
	} else if (raw & PRESENT) {
		entry->kind = level ? PM_ENTRY_TABLE : PM_ENTRY_OTHER;
		entry->table = raw & format->phys_mask;
	} else if (level == 0) {
		decode_absent(raw, entry);
	} else {
		entry->kind = PM_ENTRY_OTHER;
	}
}

bool pm_table_format_x86_64(struct pm_table_format *format, struct pm_memory *memory,
			    const struct pm_layout *layout, char *why, size_t room)
{
	static const unsigned char index_bits[PM_LEVELS] = { 9, 9, 9, 9, 9 };
	/*
	 * If the kernel selects the number of levels at boot: log2 of the size that a top-level
	 * entry maps.
	 */
	bool has_five = pm_variable(memory, "pgdir_shift", 4, 39) == 48;

	(void)layout;
	(void)why;
	(void)room;
	pm_table_levels(format, index_bits, has_five ? 5 : 4, memory->dump->page_size);
	format->user_end = 1ull << (has_five ? 56 : 47);
	/* With memory encryption the mask has one bit less. */
	format->phys_mask = pm_variable(memory, "physical_mask", 8, BITS | 0xfff) & BITS;
	format->frame_bits = format->phys_mask;
	format->decode = decode;
	return true;
}
