// SPDX-License-Identifier: MIT
#include "table_format.h"

#include <stdio.h>

static const struct {
	const char *machine;
	bool (*find)(struct pm_table_format *format, struct pm_memory *memory,
		     const struct pm_layout *layout, char *why, size_t room);
} machines[] = {
	{ "x86_64", pm_table_format_x86_64 },
	{ "aarch64", pm_table_format_aarch64 },
	{ "ppc64le", pm_table_format_ppc64le },
};

bool pm_table_format_find(struct pm_table_format *format, const char *machine,
			  struct pm_memory *memory, const struct pm_layout *layout, char *why,
			  size_t room)
{
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (!strcmp(machine, machines[i].machine)) {
			memset(format, 0, sizeof(*format));
			return machines[i].find(format, memory, layout, why, room);
		}
	}
	snprintf(why, room, "found machine '%s', expected x86_64, aarch64 or ppc64le", machine);
	return false;
}

__u64 pm_variable(struct pm_memory *memory, const char *symbol, size_t len, __u64 otherwise)
{
	unsigned char bytes[8];
	__u64 address;

	if (len > sizeof(bytes) || !memory->dump->symbol(memory->dump->self, symbol, &address) ||
	    !pm_read(memory, PM_KERNEL, address, bytes, len))
		return otherwise;
	return pm_number(bytes, len);
}

void pm_leaf(const struct pm_table_format *format, __u64 raw, __u64 frame, __u64 allowed,
	     unsigned int level, struct pm_entry *entry)
{
	__u64 below = ((1ull << format->shift[level]) - 1) & format->phys_mask & ~allowed;

	entry->kind = level > 2 || raw & below ? PM_ENTRY_CORRUPT : PM_ENTRY_LEAF;
	entry->pfn = (frame & format->phys_mask) >> format->shift[level]
		     << (format->shift[level] - format->shift[0]);
	entry->bits = raw & ~format->frame_bits;
}

void pm_table_levels(struct pm_table_format *format, const unsigned char *index_bits,
		     unsigned int levels, __u64 page_size)
{
	unsigned int shift = (unsigned int)__builtin_ctzll(page_size);
	unsigned int i;

	format->levels = levels;
	for (i = 0; i < levels; i++) {
		format->shift[i] = (unsigned char)shift;
		format->index_bits[i] = index_bits[i];
		shift += index_bits[i];
	}
}
