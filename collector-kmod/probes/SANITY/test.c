// SPDX-License-Identifier: GPL-2.0-only
/* An empty module. If it does not build, the results of the other probes are meaningless. */
#include <linux/module.h>

int pm_probe(void)
{
	return 0;
}

MODULE_LICENSE("GPL");
