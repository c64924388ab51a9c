// SPDX-License-Identifier: GPL-2.0-only
#include "counters.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/swap.h>
#include <linux/vmstat.h>

#include "kernel/compat.h"

#define KIB(pages) ((__u64)(pages) << (PAGE_SHIFT - 10))

/* Counters that go into one line. */
struct line {
	struct pm_out *out;
	struct pm_counter counters[8];
	size_t n;
};

static void flush(struct line *line)
{
	pm_emit_counters(line->out, line->counters, line->n);
	line->n = 0;
}

static void put(struct line *line, const char *name, __u64 value)
{
	line->counters[line->n++] = (struct pm_counter){ name, value };
	if (line->n == ARRAY_SIZE(line->counters))
		flush(line);
}

#ifdef CONFIG_VM_EVENT_COUNTERS
/* Names as in /proc/vmstat. */
static const struct {
	const char *name;
	int event;
} events[] = {
	{ "vm.pgfault", PGFAULT },
	{ "vm.pgmajfault", PGMAJFAULT },
	{ "vm.pswpin", PSWPIN },
	{ "vm.pswpout", PSWPOUT },
	{ "vm.pgscan_kswapd", PGSCAN_KSWAPD },
	{ "vm.pgscan_direct", PGSCAN_DIRECT },
	{ "vm.pgsteal_kswapd", PGSTEAL_KSWAPD },
	{ "vm.pgsteal_direct", PGSTEAL_DIRECT },
	{ "vm.oom_kill", OOM_KILL },
#ifdef CONFIG_ZONE_DMA
	{ "vm.allocstall_dma", ALLOCSTALL_DMA },
#endif
#ifdef CONFIG_ZONE_DMA32
	{ "vm.allocstall_dma32", ALLOCSTALL_DMA32 },
#endif
	{ "vm.allocstall_normal", ALLOCSTALL_NORMAL },
	{ "vm.allocstall_movable", ALLOCSTALL_MOVABLE },
#ifdef CONFIG_COMPACTION
	{ "vm.compact_stall", COMPACTSTALL },
#endif
#ifdef CONFIG_TRANSPARENT_HUGEPAGE
	{ "vm.thp_fault_alloc", THP_FAULT_ALLOC },
	{ "vm.thp_split_page", THP_SPLIT_PAGE },
#endif
#ifdef CONFIG_SWAP
	{ "vm.swap_ra", SWAP_RA },
	{ "vm.swap_ra_hit", SWAP_RA_HIT },
#endif
};

static void put_events(struct line *line)
{
	unsigned long *values = kmalloc_array(NR_VM_EVENT_ITEMS, sizeof(*values), GFP_KERNEL);
	size_t i;

	if (!values)
		return;
	all_vm_events(values);
	/* /proc/vmstat shows these two in KiB; the kernel counts sectors. */
	put(line, "vm.pgpgin", values[PGPGIN] / 2);
	put(line, "vm.pgpgout", values[PGPGOUT] / 2);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		put(line, events[i].name, values[events[i].event]);
	kfree(values);
}
#else
static void put_events(struct line *line)
{
}
#endif

static void put_workingset(struct line *line)
{
	put(line, "vm.workingset_refault_anon", global_node_page_state(WORKINGSET_REFAULT_ANON));
	put(line, "vm.workingset_refault_file", global_node_page_state(WORKINGSET_REFAULT_FILE));
	put(line, "vm.workingset_restore_anon", global_node_page_state(WORKINGSET_RESTORE_ANON));
	put(line, "vm.workingset_restore_file", global_node_page_state(WORKINGSET_RESTORE_FILE));
}

static void put_memory(struct line *line)
{
	struct sysinfo info;

	si_meminfo(&info);
	put(line, "vm.nr_free_pages", info.freeram);
	put(line, "mem.MemTotal_kB", KIB(info.totalram));
	put(line, "mem.MemFree_kB", KIB(info.freeram));
	put(line, "mem.Buffers_kB", KIB(info.bufferram));
	put(line, "mem.Active_anon_kB", KIB(global_node_page_state(NR_ACTIVE_ANON)));
	put(line, "mem.Inactive_anon_kB", KIB(global_node_page_state(NR_INACTIVE_ANON)));
	put(line, "mem.Active_file_kB", KIB(global_node_page_state(NR_ACTIVE_FILE)));
	put(line, "mem.Inactive_file_kB", KIB(global_node_page_state(NR_INACTIVE_FILE)));
	put(line, "mem.Unevictable_kB", KIB(global_node_page_state(NR_UNEVICTABLE)));
	put(line, "mem.Dirty_kB", KIB(global_node_page_state(NR_FILE_DIRTY)));
	put(line, "mem.Writeback_kB", KIB(global_node_page_state(NR_WRITEBACK)));
	put(line, "mem.AnonPages_kB", KIB(global_node_page_state(NR_ANON_MAPPED)));
	put(line, "mem.Mapped_kB", KIB(global_node_page_state(NR_FILE_MAPPED)));
	put(line, "mem.Shmem_kB", KIB(info.sharedram));
#ifdef CONFIG_SWAP
	/* Negative during swapoff, while the device is no longer counted but not yet empty. */
	put(line, "mem.SwapFree_kB", KIB(max(get_nr_swap_pages(), 0L)));
#endif
}

void pm_emit_system_counters(struct pm_out *out)
{
	struct line line = { .out = out };

	put_events(&line);
	put_workingset(&line);
	put_memory(&line);
	flush(&line);
}
