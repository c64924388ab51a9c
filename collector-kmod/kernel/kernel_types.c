// SPDX-License-Identifier: GPL-2.0-only
#include "kernel_types.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>

#define TYPES "/sys/kernel/btf/vmlinux"
/* The BTF of distribution kernels of 2026 has 6 MiB. */
#define MAX_BYTES SZ_64M

/* Returns whether all bytes were read. */
static bool read_all(struct file *file, char *data, size_t size)
{
	loff_t at = 0;

	while (at < (loff_t)size) {
		ssize_t n = kernel_read(file, data + at, size - (size_t)at, &at);

		if (n <= 0)
			return false;
	}
	return true;
}

/*
 * kernel_read_file() would be shorter, but it asks security modules what the file is for, and IPE
 * warns about anything that is not code, firmware, a policy or a certificate.
 */
static void *read_file(const char *path, size_t *size)
{
	struct file *file = filp_open(path, O_RDONLY, 0);
	loff_t bytes;
	void *data = NULL;

	if (IS_ERR(file))
		return NULL;
	bytes = i_size_read(file_inode(file));
	if (bytes > 0 && bytes <= MAX_BYTES)
		data = vmalloc((size_t)bytes);
	if (data && !read_all(file, data, (size_t)bytes)) {
		vfree(data);
		data = NULL;
	}
	filp_close(file, NULL);
	*size = (size_t)bytes;
	return data;
}

void pm_kernel_types_read(struct pm_kernel_types *types)
{
	size_t size;

	types->file = read_file(TYPES, &size);
	if (!types->file || !pm_btf_open(&types->btf, types->file, size))
		return;
	pr_notice(KBUILD_MODNAME ": unsupported BTF in " TYPES "\n");
	pm_kernel_types_free(types);
}

void pm_kernel_types_free(struct pm_kernel_types *types)
{
	vfree(types->file);
	types->file = NULL;
}
