// SPDX-License-Identifier: MIT
#include "path.h"

#include <stdio.h>

/*
 * FMODE_BACKING (include/linux/fs.h): bit 25 since v6.7, bit 24 since v6.14, where bit 25 is part
 * of FMODE_NONOTIFY. The types in a dump do not show which one applies.
 */
#define FMODE_BACKING (3u << 24)
/* Magic numbers of file systems without a mount point (include/uapi/linux/magic.h). */
#define ANON_INODE_FS_MAGIC 0x09041934u
#define DMA_BUF_MAGIC 0x444d4142u
#define PIPEFS_MAGIC 0x50495045u
#define SOCKFS_MAGIC 0x534f434bu
#define MAX_NAME_BYTES 255u		/* NAME_MAX */
#define MOUNTS_DEEP 256

/* Text that grows from the end of the buffer to its beginning. */
struct path {
	struct pm_image *image;
	char *buffer;
	size_t begin, end;
	const char *trouble;	/* replaces a path that cannot be read */
};

/*
 * Finds the path of a struct backing_file, as users see it. If the file is not a backing_file, the
 * bytes have another meaning; then dentry and mount do not belong to the same file system.
 */
static bool find_backing_path(struct pm_image *image, __u64 file, struct pm_file *found)
{
	__u64 super, missing = image->memory.missing;
	struct pm_file user;

	if (image->layout->backing_dentry.offset < 0 ||
	    !(PM_GET(image, file, file_mode) & FMODE_BACKING))
		return false;
	user.dentry = PM_GET(image, file, backing_dentry);
	user.mount = PM_GET(image, file, backing_mount);
	super = user.dentry && user.mount ? PM_GET(image, user.dentry, dentry_super) : 0;
	if (!super || super != PM_GET(image, user.mount, mount_super)) {
		image->memory.missing = missing;
		return false;
	}
	user.inode = PM_GET(image, user.dentry, dentry_inode);
	*found = user;
	return true;
}

struct pm_file pm_file_of(struct pm_image *image, __u64 file)
{
	struct pm_file found;

	if (find_backing_path(image, file, &found))
		return found;
	found.dentry = PM_GET(image, file, file_dentry);
	found.mount = PM_GET(image, file, file_mount);
	found.inode = PM_GET(image, file, file_inode);
	return found;
}

static void prepend(struct path *path, const char *text, size_t length)
{
	if (length > path->begin) {
		path->trouble = "[path too long]";
		return;
	}
	path->begin -= length;
	memcpy(path->buffer + path->begin, text, length);
}

static void prepend_text(struct path *path, const char *text)
{
	prepend(path, text, strlen(text));
}

static void prepend_name(struct path *path, __u64 dentry)
{
	size_t length = (size_t)PM_GET(path->image, dentry, dentry_name_length);
	__u64 name = PM_GET(path->image, dentry, dentry_name);
	char text[MAX_NAME_BYTES];

	/*
	 * Such a length cannot be valid. Names of memory without a file may be longer than file
	 * names, but not in the dentry.
	 */
	if (length == 0 || length > MAX_NAME_BYTES ||
	    !pm_read(&path->image->memory, PM_KERNEL, name, text, length))
		path->trouble = "[name not in dump]";
	else
		prepend(path, text, length);
}

/* "pipe:[31415]" */
static void prepend_number(struct path *path, const char *kind, __u64 inode)
{
	char number[32];

	snprintf(number, sizeof(number), ":[%llu]",
		 (unsigned long long)PM_GET(path->image, inode, inode_number));
	prepend_text(path, number);
	prepend_text(path, kind);
}

/* "/dmabuf:NAME": dmabuffs_dname() in drivers/dma-buf/dma-buf.c. */
static void prepend_dma_buffer(struct path *path, __u64 dentry)
{
	struct pm_image *image = path->image;
	__u64 name = PM_GET(image, PM_GET(image, dentry, dentry_data), dma_buffer_name);
	char given[64] = "";	/* DMA_BUF_NAME_LEN is 32 */

	if (name)
		pm_get_text(&image->memory, name, given, sizeof(given));
	prepend_text(path, given);
	prepend_text(path, ":");
	prepend_name(path, dentry);
	prepend_text(path, "/");
}

/* Files outside of a file system make their own name: dentry_operations.d_dname. */
static bool prepend_own_name(struct path *path, const struct pm_file *file)
{
	struct pm_image *image = path->image;
	__u64 ops = PM_GET(image, file->dentry, dentry_ops);
	__u64 maker = ops ? PM_GET(image, ops, ops_dname) : 0;
	__u64 super = maker ? PM_GET(image, file->inode, inode_super) : 0;

	if (!maker)
		return false;
	switch (super ? PM_GET(image, super, super_magic) : 0) {
	case ANON_INODE_FS_MAGIC:
		prepend_name(path, file->dentry);
		prepend_text(path, "anon_inode:");
		break;
	case DMA_BUF_MAGIC:
		prepend_dma_buffer(path, file->dentry);
		break;
	case PIPEFS_MAGIC:
		prepend_number(path, "pipe", file->inode);
		break;
	case SOCKFS_MAGIC:
		prepend_number(path, "socket", file->inode);
		break;
	default:
		if (maker == image->layout->at.simple_dname)
			prepend_text(path, " (deleted)");
		/* Otherwise a driver: the name it would make is determined by its code. */
		prepend_name(path, file->dentry);
		if (maker == image->layout->at.simple_dname)
			prepend_text(path, "/");
	}
	return true;
}

/* Like prepend_path() in fs/d_path.c. */
static void prepend_place(struct path *path, __u64 dentry, __u64 mount)
{
	struct pm_image *image = path->image;
	unsigned int mounts = 0, steps = 0;

	while (!path->trouble) {
		__u64 parent = PM_GET(image, dentry, dentry_parent);

		if (dentry == pm_get(&image->memory,
				     mount + (__u64)image->layout->mount_here.offset,
				     image->layout->mount_root)) {
			__u64 above = PM_GET(image, mount, mount_parent);

			if (above == mount)
				break;
			dentry = PM_GET(image, mount, mount_point);
			mount = above;
			mounts++;
		} else if (dentry == parent) {
			break;	/* the file system is no longer mounted */
		} else {
			prepend_name(path, dentry);
			prepend_text(path, "/");
			dentry = parent;
		}
		/* Every step other than a change of mounts adds at least two bytes. */
		if (!dentry || !mount || mounts > MOUNTS_DEEP || ++steps > PM_PATH_BYTES)
			path->trouble = "[name not in dump]";
	}
}

static void prepend_file(struct path *path, const struct pm_file *file)
{
	struct pm_image *image = path->image;
	bool is_root = PM_GET(image, file->dentry, dentry_parent) == file->dentry;
	bool is_mounted = is_root && file->dentry == PM_GET(image, file->mount, mount_root);

	if (!is_mounted && prepend_own_name(path, file))
		return;
	if (!is_root && !PM_GET(image, file->dentry, dentry_hash))
		prepend_text(path, " (deleted)");
	prepend_place(path, file->dentry, file->mount - (__u64)image->layout->mount_here.offset);
	if (path->begin == path->end && !path->trouble)
		prepend_text(path, "/");
}

/* Most files of a process are those of others, too. */
static struct pm_name *name_of(struct pm_image *image, const struct pm_file *file)
{
	__u64 mixed = (file->dentry ^ file->mount) * 0x9e3779b97f4a7c15ull >> 32;

	return &image->names[mixed % PM_NAMES];
}

static bool is_name(const struct pm_image *image, const struct pm_name *name,
		    const struct pm_file *file)
{
	return name->length && name->dentry == file->dentry && name->mount == file->mount &&
	       name->inode == file->inode && name->renewals == image->memory.page_renewals;
}

static void keep_name(struct pm_image *image, const struct pm_file *file,
		      const struct pm_text *path)
{
	struct pm_name *name = name_of(image, file);

	if (path->len > sizeof(name->text))
		return;
	*name = (struct pm_name){
		.dentry = file->dentry,
		.mount = file->mount,
		.inode = file->inode,
		.renewals = image->memory.page_renewals,
		.length = (__u16)path->len,
	};
	memcpy(name->text, path->at, path->len);
}

struct pm_text pm_file_path(struct pm_image *image, const struct pm_file *file, char *buffer)
{
	struct path path = {
		.image = image,
		.buffer = buffer,
		.begin = PM_PATH_BYTES - 1,
		.end = PM_PATH_BYTES - 1,
	};

	const struct pm_name *known = name_of(image, file);
	struct pm_text text;

	if (is_name(image, known, file)) {
		memcpy(buffer, known->text, known->length);
		return (struct pm_text){ buffer, known->length };
	}
	if (file->dentry && file->mount)
		prepend_file(&path, file);
	else
		path.trouble = "[name not in dump]";
	if (path.trouble) {
		image->notes.name_excluded += path.trouble[1] == 'n';
		return (struct pm_text){ path.trouble, strlen(path.trouble) };
	}
	text = (struct pm_text){ buffer + path.begin, path.end - path.begin };
	keep_name(image, file, &text);
	return text;
}
