// SPDX-License-Identifier: GPL-2.0-only
#include "snapshot_file.h"

#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kernel/permission.h"
#include "snapshot.h"

struct reader {
	struct mutex lock;	/* serializes read() */
	struct pm_snapshot *snapshot;
	const char *text;	/* not yet read */
	size_t bytes;
	bool is_done;
};

s64 pm_snapshot_size(void)
{
	struct pm_snapshot *snapshot = pm_snapshot_new(false);
	const char *text;
	size_t bytes = 0;
	s64 size = 0;
	int error;

	if (!snapshot)
		return -ENOMEM;
	do {
		error = pm_snapshot_next(snapshot, &text, &bytes);
		size += bytes;
	} while (!error && bytes);
	pm_snapshot_free(snapshot);
	return error ? error : size;
}

static int open_new(struct inode *inode, struct file *file, bool has_ram)
{
	struct reader *reader;
	int error = pm_may_look();

	if (error)
		return error;
	reader = kzalloc(sizeof(*reader), GFP_KERNEL_ACCOUNT);
	if (!reader)
		return -ENOMEM;
	reader->snapshot = pm_snapshot_new(has_ram);
	if (!reader->snapshot) {
		kfree(reader);
		return -ENOMEM;
	}
	mutex_init(&reader->lock);
	file->private_data = reader;
	return nonseekable_open(inode, file);
}

static int snapshot_open(struct inode *inode, struct file *file)
{
	return open_new(inode, file, false);
}

static int snapshot_open_ram(struct inode *inode, struct file *file)
{
	return open_new(inode, file, true);
}

static int snapshot_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	pm_snapshot_free(reader->snapshot);
	mutex_destroy(&reader->lock);
	kfree(reader);
	return 0;
}

static int make_more(struct reader *reader)
{
	int error = pm_snapshot_next(reader->snapshot, &reader->text, &reader->bytes);

	reader->is_done = !error && !reader->bytes;
	return error;
}

/* Copies the available text and adds its size to *done. Returns 0 or -EFAULT. */
static int hand_over(struct reader *reader, char __user *to, size_t length, size_t *done)
{
	size_t n = min(length - *done, reader->bytes);

	n -= copy_to_user(to + *done, reader->text, n);
	if (!n)
		return -EFAULT;
	reader->text += n;
	reader->bytes -= n;
	*done += n;
	return 0;
}

/*
 * Returns as many bytes as requested, unless the snapshot ends or a signal arrives. So a single
 * read() with a large enough buffer gets the whole snapshot.
 */
static ssize_t snapshot_read(struct file *file, char __user *to, size_t length, loff_t *position)
{
	struct reader *reader = file->private_data;
	size_t done = 0;
	int error = 0;

	if (mutex_lock_interruptible(&reader->lock))
		return -ERESTARTSYS;
	while (!error && done < length && !reader->is_done)
		error = reader->bytes ? hand_over(reader, to, length, &done) : make_more(reader);
	mutex_unlock(&reader->lock);
	return done ? done : error;
}

const struct file_operations pm_snapshot_operations = {
	.owner = THIS_MODULE,
	.open = snapshot_open,
	.read = snapshot_read,
	.release = snapshot_release,
};

const struct file_operations pm_ram_operations = {
	.owner = THIS_MODULE,
	.open = snapshot_open_ram,
	.read = snapshot_read,
	.release = snapshot_release,
};
