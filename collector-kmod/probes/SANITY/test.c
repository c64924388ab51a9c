// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module that asks for nothing: when it does not build, no answer of the other probes means
 * anything.
 */
#include <linux/module.h>

int pm_probe(void)
{
	return 0;
}

MODULE_LICENSE("GPL");
