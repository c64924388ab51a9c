// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of the page cache: page -> mapping -> inode -> dentry -> name.
 *
 * No reference and no folio lock is taken, so nothing here delays truncation, eviction or umount,
 * and nothing has to be put, which could end a file. What keeps the objects: the mapping was read
 * from a page of the cache in this RCU section. Its inode is evicted after its pages, and freed
 * after a grace period (->free_inode(), required by lookup under RCU). So are dentries that have
 * a parent, and their names. d_find_alias_rcu() relies on the same rules. i_lock keeps aliases: a
 * dentry leaves the inode's list under it before it is freed.
 */
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/magic.h>
#include <linux/string.h>

#include "owners.h"

static struct pm_text text_of(const char *text)
{
	return (struct pm_text){ text, strlen(text) };
}

/* The path from the root of its file system. Deleted files keep their last name. */
static struct pm_text path_of(struct pm_owners *owners, const struct dentry *dentry)
{
	char *path = dentry_path_raw((struct dentry *)dentry, owners->path, sizeof(owners->path));

	return text_of(IS_ERR(path) ? "[name not readable]" : path);
}

/*
 * A dentry without a folder (memfd, System V) is its own root, and its name is all there is. It is
 * not freed by RCU (DCACHE_NORCU), so its name is copied under i_lock.
 */
static size_t copy_root_name(char *to, const struct dentry *dentry)
{
	size_t length = min_t(size_t, dentry->d_name.len, NAME_MAX);

	memcpy(to, dentry->d_name.name, length);
	return length;
}

/* The dentry is a cache: it may be gone while the pages of its file are still there. */
static struct pm_text name_of_file(struct pm_owners *owners, struct inode *inode)
{
	const struct dentry *dentry;
	size_t length = 0;

	spin_lock(&inode->i_lock);
	dentry = pm_first_alias(inode);
	if (dentry && IS_ROOT(dentry))
		length = copy_root_name(owners->path, dentry);
	spin_unlock(&inode->i_lock);
	if (length)
		return (struct pm_text){ owners->path, length };
	return dentry ? path_of(owners, dentry) : text_of("[name not cached]");
}

static struct pm_text name_of_device(struct pm_owners *owners, const struct inode *inode)
{
	snprintf(owners->path, sizeof(owners->path), "/dev/block/%u:%u", MAJOR(inode->i_rdev),
		 MINOR(inode->i_rdev));
	return text_of(owners->path);
}

static u64 put_file(struct pm_owners *owners, u64 key, struct inode *inode)
{
	const struct super_block *super = inode->i_sb;
	struct pm_ram_owner owner = {
		.kind = PM_OWNER_FILE,
		.file_system = text_of(super->s_type->name),
		.dev_major = MAJOR(super->s_dev),
		.dev_minor = MINOR(super->s_dev),
		.inode = inode->i_ino,
		.bytes = i_size_read(inode),
		.links = inode->i_nlink,
	};
	enum pm_ram_class class_ = PM_RAM_FILE;

	if (!strcmp(super->s_type->name, "bdev"))
		class_ = PM_RAM_BLOCK;
	else if (super->s_magic == TMPFS_MAGIC)
		class_ = PM_RAM_SHMEM;
	owner.name = class_ == PM_RAM_BLOCK ? name_of_device(owners, inode) :
					      name_of_file(owners, inode);
	return pm_put_owner(owners, key, class_, &owner);
}

/*
 * The inode, if its address space is a part of it. Others exist (metadata of some file systems);
 * the fields of their hosts describe something else. The page is not locked and may be a driver's,
 * which uses the field for its own purpose, so the pointer is not trusted.
 */
static struct inode *inode_of(struct address_space *mapping)
{
	struct inode *inode = container_of(mapping, struct inode, i_data), *host;
	struct super_block *super;
	unsigned long magic;

	if (!pm_read_safely(&host, &mapping->host, sizeof(host)) || host != inode ||
	    !pm_read_safely(&super, &inode->i_sb, sizeof(super)) || !super ||
	    !pm_read_safely(&magic, &super->s_magic, sizeof(magic)))
		return NULL;
	return inode;
}

static u64 find_file(struct pm_owners *owners, struct address_space *mapping)
{
	struct inode *inode = inode_of(mapping);
	u64 key, *name;

	if (!inode)
		return pm_owner_name(0, PM_RAM_FILE);
	/* The memory of an inode may be another file's in a later RCU section. */
	key = pm_owner_key((unsigned long)mapping, inode->i_ino ^ (u64)inode->i_generation << 32);
	name = pm_known_find(&owners->known, key);
	return name ? *name : put_file(owners, key, inode);
}

u64 pm_file_owner(struct pm_owners *owners, struct address_space *mapping,
		  enum pm_ram_class *class_)
{
	if (mapping != owners->last_mapping) {
		owners->last_file = find_file(owners, mapping);
		owners->last_mapping = mapping;
	}
	*class_ = owners->last_file ? owners->last_file & 0xff : PM_RAM_FILE;
	return owners->last_file >> 8;
}
