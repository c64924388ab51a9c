// SPDX-License-Identifier: GPL-2.0-only
/* Until v7.0: d_alias of a dentry is in a named union. */
#include <linux/dcache.h>
#include <linux/module.h>

struct hlist_node *pm_probe(struct dentry *dentry)
{
	return &dentry->d_u.d_alias;
}

MODULE_LICENSE("GPL");
