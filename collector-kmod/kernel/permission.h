/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PM_PERMISSION_H
#define PM_PERMISSION_H

#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/security.h>

/*
 * Returns 0 with CAP_SYS_ADMIN, unless kernel lockdown is at level confidentiality; otherwise
 * -EPERM. Frame numbers and page-table entries reveal the layout of memory, so they are not
 * available to unprivileged users or under lockdown.
 */
static inline int pm_may_look(void)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_KCORE);
}

#endif
