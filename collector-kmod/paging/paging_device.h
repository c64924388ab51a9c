/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/physmem_paging: records while it is open. */
#ifndef PM_PAGING_DEVICE_H
#define PM_PAGING_DEVICE_H

/* ring_records: of each processor, a power of two. 0 or -errno. */
int pm_paging_device_init(unsigned int ring_records);
void pm_paging_device_exit(void);

#endif
