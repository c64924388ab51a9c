// SPDX-License-Identifier: GPL-2.0-only
/* Until Linux kernel commit 09022bc19640 ("mm: remove PG_error") (in v6.12). */
#include <linux/module.h>
#include <linux/mm.h>

int pm_probe(void)
{
	return PG_error;
}

MODULE_LICENSE("GPL");
