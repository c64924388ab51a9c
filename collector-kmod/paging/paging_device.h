/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/physmem_paging: events are recorded while it is open. */
#ifndef PM_PAGING_DEVICE_H
#define PM_PAGING_DEVICE_H

/* ring_records: size of each CPU's ring, a power of two. Returns 0 or -errno. */
int pm_paging_device_init(unsigned int ring_records);
void pm_paging_device_exit(void);

#endif
