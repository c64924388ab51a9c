// SPDX-License-Identifier: GPL-2.0-only
#include "profile_device.h"

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/personality.h>
#include <linux/sched.h>

#include "kernel/compat.h"
#include "profile_buffer.h"

/* The name in /proc/devices. */
static const char name[] = "MP3_CDEV";

static dev_t number;
static umode_t node_mode;
static struct cdev device;

/*
 * The mapping is not executable and mprotect() cannot make it so, because any user can write data
 * into it. For programs built without PT_GNU_STACK the kernel adds VM_EXEC itself (do_mmap()), so
 * that is not rejected.
 */
static int make_unexecutable(struct vm_area_struct *vma)
{
	if ((vma->vm_flags & VM_EXEC) && !(current->personality & READ_IMPLIES_EXEC))
		return -EPERM;
	pm_vm_flags_clear(vma, VM_EXEC | VM_MAYEXEC);
	vma->vm_page_prot = vm_get_page_prot(vma->vm_flags);
	return 0;
}

/*
 * Maps pages of the buffer, shared only. Clients write to the buffer, and a private mapping would
 * no longer see samples after a write.
 */
static int buffer_mmap(struct file *file, struct vm_area_struct *vma)
{
	unsigned long page = vma->vm_pgoff;
	unsigned long va;
	int error;

	if (page > PM_PROFILE_PAGES || vma_pages(vma) > PM_PROFILE_PAGES - page)
		return -EINVAL;
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	error = make_unexecutable(vma);
	for (va = vma->vm_start; !error && va < vma->vm_end; va += PAGE_SIZE)
		error = remap_pfn_range(vma, va, pm_profile_buffer_pfn(page++), PAGE_SIZE,
					vma->vm_page_prot);
	return error;
}

/*
 * open() and release() have nothing to do. .owner pins the module while the file is open or mapped.
 */
static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.mmap = buffer_mmap,
};

static char *node_path(PM_DEVNODE_DEVICE *dev, umode_t *mode)
{
	if (mode)
		*mode = node_mode;
	return NULL;
}

static struct class class = {
	.name = "mp3",
	.devnode = node_path,
};

static int get_number(unsigned int major)
{
	int error;

	if (!major)
		return alloc_chrdev_region(&number, 0, 1, name);
	number = MKDEV(major, 0);
	error = register_chrdev_region(number, 1, name);
	if (error)
		pr_err("physmem_faults: character device number %u is not available (error %d, see /proc/devices). %s\n",
		       major, error,
		       "Load with major=N for another number, with major=0 for any that is free");
	return error;
}

/* /sys/class/mp3/mp3, and by devtmpfs /dev/mp3. */
static int make_node(void)
{
	struct device *node;
	int error = class_register(&class);

	if (error)
		return error;
	node = device_create(&class, NULL, number, NULL, "mp3");
	if (!IS_ERR(node))
		return 0;
	class_unregister(&class);
	return PTR_ERR(node);
}

int pm_profile_device_init(unsigned int major, umode_t mode)
{
	int error = get_number(major);

	if (error)
		return error;
	node_mode = mode;
	cdev_init(&device, &operations);
	device.owner = THIS_MODULE;
	error = cdev_add(&device, number, 1);
	if (error)
		goto no_device;
	error = make_node();
	if (error)
		goto no_node;
	return 0;

no_node:
	cdev_del(&device);
no_device:
	unregister_chrdev_region(number, 1);
	return error;
}

void pm_profile_device_exit(void)
{
	device_destroy(&class, number);
	class_unregister(&class);
	cdev_del(&device);
	unregister_chrdev_region(number, 1);
}
