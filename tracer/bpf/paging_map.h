/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the BPF program and its loader say to each other, besides records. */
#ifndef PM_BPF_PAGING_MAP_H
#define PM_BPF_PAGING_MAP_H

#include <linux/types.h>

#define PM_BPF_CPUS 1024u		/* a power of two; processors beyond share a count */

/* Set before the program is loaded. */
struct pm_bpf_settings {
	__u32 excluded_tgid;		/* the reader itself */
	__u32 is_swapin_told;		/* zswap_folio_swapin() is called before a read from the device, and only then */
};

/* Of each processor, for the whole run. */
struct pm_bpf_losses {
	__u64 of_cpu[PM_BPF_CPUS];	/* records that found no room in the ring, faults that found none in a table */
};

#endif
