// SPDX-License-Identifier: GPL-2.0-only
/*
 * physmem_info: a snapshot of every task, VMA and page of the running system, as text
 * (formats/physmem-records.md).
 *
 * /dev/task_mem/0                        the snapshot; any block size, several readers at once
 * /dev/task_mem/ram                      the same with every frame of RAM and its owner
 * /proc/physical_info/debug_task_mem     buffer size in bytes to get it in one read()
 */
#include <linux/math64.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>

#include "boot_id.h"
#include "kernel/compat.h"
#include "kernel/page_facts.h"
#include "kernel/parameter.h"
#include "kernel/permission.h"
#include "ram/ram_section.h"
#include "snapshot.h"
#include "snapshot_file.h"
#include "task_walk.h"

static char *count = "mapcount";
module_param(count, charp, 0444);
MODULE_PARM_DESC(count,
		 "use count of a page: mapcount (page-table entries that map it) or "
		 "refs (references, as in the paper) [mapcount]");

static char *areas = "mm";
module_param(areas, charp, 0444);
MODULE_PARM_DESC(areas,
		 "VMAs are written once per mm (address space) or once per "
		 "task (repeated for its threads, as in the paper) [mm]");

/* The slash in nodename makes devtmpfs create the folder, without udev. */
static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "task_mem0",
	.nodename = "task_mem/0",
	.mode = 0400,
	.fops = &pm_snapshot_operations,
};

static struct miscdevice ram_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "task_mem_ram",
	.nodename = "task_mem/ram",
	.mode = 0400,
	.fops = &pm_ram_operations,
};

static struct proc_dir_entry *folder;

/*
 * Adds a quarter, at least 1 MiB, to the size of a snapshot made now, because more tasks may start
 * until it is read.
 */
static int show_size(struct seq_file *file, void *data)
{
	int error = pm_may_look();
	s64 size = error ? error : pm_snapshot_size();

	if (size < 0)
		return size == -ERESTARTSYS ? -EINTR : size;
	seq_printf(file, "%lld\n", size + max_t(s64, size >> 2, SZ_1M));
	return 0;
}

static int __init read_parameters(void)
{
	int refs = pm_second_of("count", count, "mapcount", "refs");
	int repeated = pm_second_of("areas", areas, "mm", "task");

	if (refs < 0 || repeated < 0)
		return -EINVAL;
	pm_count_references = refs;
	pm_repeat_areas = repeated ? PM_ONCE_A_TASK : PM_ONCE_A_MM;
	return 0;
}

static int __init make_proc_files(void)
{
	folder = proc_mkdir("physical_info", NULL);
	if (!folder)
		return -ENOMEM;
	if (!proc_create_single("debug_task_mem", 0400, folder, show_size)) {
		proc_remove(folder);
		return -ENOMEM;
	}
	return 0;
}

static int __init register_devices(void)
{
	int error = misc_register(&device);

	if (error)
		return error;
	error = misc_register(&ram_device);
	if (error)
		misc_deregister(&device);
	return error;
}

static int __init physmem_info_init(void)
{
	int error = read_parameters();

	if (error)
		return error;
	pm_task_walk_init();
	pm_boot_id_init();
	error = pm_ram_init();
	if (error)
		return error;
	error = make_proc_files();
	if (error)
		goto no_files;
	error = register_devices();
	if (error)
		goto no_devices;
	return 0;
no_devices:
	proc_remove(folder);
no_files:
	pm_ram_exit();
	return error;
}

static void __exit physmem_info_exit(void)
{
	misc_deregister(&ram_device);
	misc_deregister(&device);
	proc_remove(folder);
	pm_ram_exit();
}

module_init(physmem_info_init);
module_exit(physmem_info_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("physmem: where the physical memory of this system goes");
MODULE_VERSION("0.2.0");
