// SPDX-License-Identifier: GPL-2.0-only
#include "paging_device.h"

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>

#include "kernel/permission.h"
#include "paging_ring.h"
#include "paging_trace.h"

/*
 * There is no mmap(). read() copies 88 bytes per record, which takes some tens of ns compared with
 * the hundreds to create it. Without mmap() only the kernel can write into a ring, and a reader
 * cannot fail to report what it has read.
 */
static DEFINE_MUTEX(lock);		/* serializes read(); protects is_open */
static bool is_open;
static unsigned int records_of_ring;

static int begin(void)
{
	int error;

	if (is_open)
		return -EBUSY;
	error = pm_paging_trace_begin(records_of_ring);
	is_open = !error;
	return error;
}

static int device_open(struct inode *inode, struct file *file)
{
	int error = pm_may_look();

	if (error)
		return error;
	if (!(file->f_mode & FMODE_READ))
		return -EINVAL;
	if (mutex_lock_interruptible(&lock))
		return -ERESTARTSYS;
	error = begin();
	mutex_unlock(&lock);
	return error ? error : stream_open(inode, file);
}

static int device_release(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	pm_paging_trace_end();
	is_open = false;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t read_available(char __user *to, size_t length)
{
	ssize_t done;

	if (mutex_lock_interruptible(&lock))
		return -ERESTARTSYS;
	done = pm_rings_read(to, length);
	mutex_unlock(&lock);
	return done;
}

static ssize_t device_read(struct file *file, char __user *to, size_t length, loff_t *position)
{
	ssize_t done;

	if (length < sizeof(struct pm_paging_record))
		return -EINVAL;
	for (;;) {
		done = read_available(to, length);
		if (done)
			return done;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		done = pm_rings_wait();
		if (done)
			return done;
	}
}

/* .owner pins the module while the device is open, so it is never unloaded during a read(). */
static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.read = device_read,
	.poll = pm_rings_poll,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "physmem_paging",
	.nodename = "physmem_paging",
	.mode = 0400,
	.fops = &operations,
};

int pm_paging_device_init(unsigned int ring_records)
{
	records_of_ring = ring_records;
	return misc_register(&device);
}

void pm_paging_device_exit(void)
{
	misc_deregister(&device);
}
