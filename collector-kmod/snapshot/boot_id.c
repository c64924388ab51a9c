// SPDX-License-Identifier: GPL-2.0-only
#include "boot_id.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/uuid.h>

static char boot_id[UUID_STRING_LEN + 1];
static bool is_known;

void pm_boot_id_init(void)
{
	struct file *file = filp_open("/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
	loff_t at = 0;

	if (IS_ERR(file))
		return;
	/* Since v5.10 sysctl files have the read_iter() that kernel_read() requires. */
	is_known = kernel_read(file, boot_id, UUID_STRING_LEN, &at) == UUID_STRING_LEN &&
		   uuid_is_valid(boot_id);
	filp_close(file, NULL);
}

const char *pm_boot_id(void)
{
	return is_known ? boot_id : NULL;
}
