/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Shared data of the BPF program and its loader, other than records. */
#ifndef PM_BPF_PAGING_MAP_H
#define PM_BPF_PAGING_MAP_H

#include <linux/types.h>

#define PM_BPF_CPUS 1024u /* a power of two; CPUs beyond this share a counter */

/* Kernel functions whose arguments or results are read. */
enum pm_bpf_function {
  PM_BPF_FAULT,           /* do_swap_page */
  PM_BPF_READ,            /* swap_read_folio, swap_readpage */
  PM_BPF_SWAPOUT,         /* swap_writeout, swap_writepage */
  PM_BPF_WRITE,           /* __swap_writepage */
  PM_BPF_UNMAP,           /* try_to_unmap */
  PM_BPF_UNMAP_ONE,       /* try_to_unmap_one */
  PM_BPF_STORE,           /* zswap_store */
  PM_BPF_FRONTSWAP_STORE, /* zswap_frontswap_store */
  PM_BPF_LOAD,            /* zswap_load */
  PM_BPF_FRONTSWAP_LOAD,  /* zswap_frontswap_load */
  PM_BPF_FUNCTIONS
};

/* Positions among the arguments of a function, from 0. Its result follows the last argument. */
struct pm_bpf_arguments {
  __u8 subject;       /* the folio, page or vm_fault */
  __u8 area, address; /* of try_to_unmap_one */
  __u8 result;
};

/* Set before the program is loaded. */
struct pm_bpf_settings {
  struct pm_bpf_arguments arguments[PM_BPF_FUNCTIONS];
  __u32 excluded_tgid; /* the reader itself */
  __u32 is_swapin_reported; /* zswap_folio_swapin() is called only before a read from the device */
};

/* Losses per CPU, for the whole run. */
struct pm_bpf_losses {
  __u64 of_cpu[PM_BPF_CPUS]; /* records dropped for a full ring, faults for a full table */
};

#endif
