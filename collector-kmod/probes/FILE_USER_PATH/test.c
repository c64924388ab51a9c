// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 08582d678fcf ("fs: create helper file_user_path() for user displayed mapped
 * file path") (in v6.7).
 */
#include <linux/module.h>
#include <linux/fs.h>

const struct path *pm_probe(const struct file *file)
{
	return file_user_inode(file) ? file_user_path(file) : NULL;
}

MODULE_LICENSE("GPL");
