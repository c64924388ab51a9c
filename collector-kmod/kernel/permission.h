/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PM_PERMISSION_H
#define PM_PERMISSION_H

#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/security.h>

/*
 * 0 for CAP_SYS_ADMIN, unless the kernel is locked down to confidentiality; else -EPERM. Frame
 * numbers and table entries tell where everything is in memory: nothing for the unprivileged, nor
 * under lockdown.
 */
static inline int pm_may_look(void)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_KCORE);
}

#endif
