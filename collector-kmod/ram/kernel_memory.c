// SPDX-License-Identifier: GPL-2.0-only
#include "kernel_memory.h"

/* Frames of a block, and the key of one. Frame numbers have at most 52 bits. */
#define BLOCK_PAGES 512
#define BLOCK_KEY (1ull << 63)

/* Bits of a stored value, above the class: the frame is a tail, or reserved. */
#define TAIL 0x80u
#define RESERVED 0x40u

static u64 block_key(u64 pfn)
{
	return BLOCK_KEY | pfn / BLOCK_PAGES;
}

static bool add(struct pm_kernel_memory *memory, u64 key, struct pm_kernel_use use)
{
	return pm_known_add(&memory->known, key,
			    (u64)use.pid << 8 | (use.is_tail ? TAIL : 0) |
				    (use.is_reserved ? RESERVED : 0) | use.class_);
}

/* Frame 0 is never in use by the kernel, so its key is free for the table. */
bool pm_kernel_memory_add(struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use use)
{
	return add(memory, pfn, use);
}

bool pm_kernel_memory_add_block(struct pm_kernel_memory *memory, u64 pfn,
				struct pm_kernel_use use)
{
	return add(memory, block_key(pfn), use);
}

bool pm_kernel_use_of(const struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use *use)
{
	const u64 *found = pm_known_find(&memory->known, pfn);

	if (!found)
		found = pm_known_find(&memory->known, block_key(pfn));
	if (found)
		*use = (struct pm_kernel_use){
			.class_ = *found & (RESERVED - 1),
			.pid = *found >> 8,
			.is_tail = *found & TAIL,
			.is_reserved = *found & RESERVED,
		};
	return found;
}

void pm_kernel_memory_free(struct pm_kernel_memory *memory)
{
	pm_known_free(&memory->known);
}
