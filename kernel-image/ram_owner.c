// SPDX-License-Identifier: MIT
#include "ram_owner.h"

#include <stdio.h>

#include "task_list.h"

#define MAX_NAME_BYTES 255u	/* NAME_MAX */
#define FOLDERS_DEEP 256u
#define CGROUPS_DEEP 64u
#define DENTRY_BYTES 192u	/* all of it in most kernels, with a short name */
#define MODULE_NAME_BYTES 64u	/* MODULE_NAME_LEN: 64 less the size of a long */

/* include/uapi/linux/magic.h. */
#define TMPFS_MAGIC 0x01021994u

/* Low bits of memcg_data: include/linux/memcontrol.h, enum page_memcg_data_flags. */
#define CHARGE_BITS 3u

/* Internal device numbers: include/linux/kdev_t.h. */
#define MINOR_BITS 20u

/* Handles of stacks are among the known addresses. No address has this bit and not the highest. */
#define STACK_KEY (1ull << 62)

void pm_ram_owners_open(struct pm_ram_owners *owners, struct pm_image *image,
			struct pm_ram_writer *writer)
{
	memset(owners, 0, sizeof(*owners));
	owners->image = image;
	owners->writer = writer;
}

void pm_ram_owners_close(struct pm_ram_owners *owners)
{
	pm_seen_free(&owners->known);
}

/* Writes the owner and remembers its address. Returns its id, or 0 if out of memory. */
static __u64 put(struct pm_ram_owners *owners, __u64 address, enum pm_ram_class class_,
		 struct pm_ram_owner *owner)
{
	owner->id = owners->last_id + 1;
	if (!pm_seen_add(&owners->known, address, owner->id << 8 | class_))
		return 0;
	owners->last_id = owner->id;
	pm_ram_put_owner(owners->writer, owner);
	return owner->id;
}

static bool is_known(const struct pm_ram_owners *owners, __u64 address, __u64 *id,
		     enum pm_ram_class *class_)
{
	__u64 name;

	if (!pm_seen_name(&owners->known, address, &name))
		return false;
	*id = name >> 8;
	if (class_)
		*class_ = (enum pm_ram_class)(name & 0xff);
	return true;
}

/* Prepends the text to the path that begins at *begin. Returns false if there is no room. */
static bool prepend(char *path, size_t *begin, const char *text, size_t length)
{
	if (length > *begin)
		return false;
	*begin -= length;
	memcpy(path + *begin, text, length);
	return true;
}

static bool prepend_name(struct pm_ram_owners *owners, __u64 dentry, size_t *begin)
{
	struct pm_image *image = owners->image;
	size_t length = (size_t)PM_GET(image, dentry, dentry_name_length);
	char text[MAX_NAME_BYTES];

	return length && length <= sizeof(text) &&
	       pm_read(&image->memory, PM_KERNEL, PM_GET(image, dentry, dentry_name), text,
		       length) &&
	       prepend(owners->path, begin, text, length);
}

/* Path within the file system; of a file without a folder (memfd, System V) its name alone. */
static struct pm_text path_of(struct pm_ram_owners *owners, __u64 dentry)
{
	struct pm_image *image = owners->image;
	size_t end = sizeof(owners->path), begin = end;
	unsigned int deep;

	for (deep = 0; deep < FOLDERS_DEEP; deep++) {
		__u64 parent = PM_GET(image, dentry, dentry_parent);

		if (!parent)
			break;
		if (parent == dentry) {
			if (begin == end && !prepend_name(owners, dentry, &begin))
				break;
			return (struct pm_text){ owners->path + begin, end - begin };
		}
		if (!prepend_name(owners, dentry, &begin) ||
		    !prepend(owners->path, &begin, "/", 1))
			break;
		dentry = parent;
	}
	return (struct pm_text){ "[name not readable]", 19 };
}

/* The dentry is a cache: it may be gone while the pages of its file are still there. */
static struct pm_text name_of_file(struct pm_ram_owners *owners, __u64 inode)
{
	struct pm_image *image = owners->image;
	__u64 first = PM_GET(image, inode, inode_names), dentry;

	if (first && image->layout->dentry_alias.offset >= 0) {
		dentry = first - (__u64)image->layout->dentry_alias.offset;
		if (PM_GET(image, dentry, dentry_inode) == inode)
			return path_of(owners, dentry);
	}
	return (struct pm_text){ "[name not cached]", 17 };
}

static struct pm_text name_of_device(struct pm_ram_owners *owners, __u64 inode)
{
	__u64 device = PM_GET(owners->image, inode, inode_rdev);
	int length = snprintf(owners->path, sizeof(owners->path), "/dev/block/%llu:%llu",
			      (unsigned long long)(device >> MINOR_BITS),
			      (unsigned long long)(device & ((1u << MINOR_BITS) - 1)));

	return (struct pm_text){ owners->path, (size_t)length };
}

/* A running kernel may give the memory of an inode to another file. */
static __u64 key_of(__u64 mapping, __u64 inode_number)
{
	return mapping ^ inode_number * 0x9e3779b97f4a7c15ull;
}

static __u64 find_file(struct pm_ram_owners *owners, __u64 mapping, enum pm_ram_class *class_)
{
	struct pm_image *image = owners->image;
	struct pm_ram_owner owner = { .kind = PM_OWNER_FILE };
	__u64 id, key, super, device, inode = PM_GET(image, mapping, mapping_host);
	char type[32];

	super = inode ? PM_GET(image, inode, inode_super) : 0;
	/* The address space is a part of its inode. */
	if (!super || inode + (__u64)image->layout->inode_data.offset != mapping)
		return 0;
	owner.inode = PM_GET(image, inode, inode_number);
	key = key_of(mapping, owner.inode);
	if (is_known(owners, key, &id, class_))
		return id;
	owner.file_system.at = type;
	owner.file_system.len = pm_get_text(
		&image->memory, PM_GET(image, PM_GET(image, super, super_type), type_name), type,
		sizeof(type));
	device = PM_GET(image, super, super_device);
	owner.dev_major = (__u32)(device >> MINOR_BITS);
	owner.dev_minor = (__u32)(device & ((1u << MINOR_BITS) - 1));
	owner.bytes = PM_GET(image, inode, inode_size);
	owner.links = PM_GET(image, inode, inode_links);
	if (owner.file_system.len == 4 && !memcmp(type, "bdev", 4))
		*class_ = PM_RAM_BLOCK;
	else if (PM_GET(image, super, super_magic) == TMPFS_MAGIC)
		*class_ = PM_RAM_SHMEM;
	owner.name = *class_ == PM_RAM_BLOCK ? name_of_device(owners, inode) :
					       name_of_file(owners, inode);
	return put(owners, key, *class_, &owner);
}

__u64 pm_owner_of_file(struct pm_ram_owners *owners, __u64 mapping, enum pm_ram_class *class_)
{
	__u64 id;

	*class_ = PM_RAM_FILE;
	if (mapping == owners->last_mapping) {
		*class_ = (enum pm_ram_class)(owners->last_file & 0xff);
		return owners->last_file >> 8;
	}
	id = find_file(owners, mapping, class_);
	owners->last_mapping = mapping;
	owners->last_file = id << 8 | *class_;
	return id;
}

/* The dentry of a file that has no owner yet; 0: none. */
static __u64 dentry_of(struct pm_ram_owners *owners, __u64 mapping, __u64 inode)
{
	struct pm_image *image = owners->image;
	__u64 first = PM_GET(image, inode, inode_names), name;

	if (!first || image->layout->dentry_alias.offset < 0 ||
	    pm_seen_name(&owners->known, key_of(mapping, PM_GET(image, inode, inode_number)), &name))
		return 0;
	return first - (__u64)image->layout->dentry_alias.offset;
}

void pm_prefetch_owners(struct pm_ram_owners *owners, const __u64 *mappings, size_t n)
{
	struct pm_image *image = owners->image;
	struct pm_field data = image->layout->inode_data, host = image->layout->mapping_host;
	__u64 at[PM_FRAMES_TOGETHER] = { 0 }, missing = image->memory.missing;
	size_t i;

	if (!image->memory.dump->read_list || data.offset < 0 || host.offset < 0)
		return;
	for (i = 0; i < n; i++)
		at[i] = mappings[i] - (__u64)data.offset;
	pm_prefetch(&image->memory, at, n, (size_t)(data.offset + host.offset + host.size));
	for (i = 0; i < n; i++)
		at[i] = dentry_of(owners, mappings[i], at[i]);
	pm_prefetch(&image->memory, at, n, DENTRY_BYTES);
	for (i = 0; i < n; i++)
		at[i] = at[i] ? PM_GET(image, at[i], dentry_parent) : 0;
	pm_prefetch(&image->memory, at, n, DENTRY_BYTES);
	image->memory.missing = missing;
}

__u64 pm_owner_of_cache(struct pm_ram_owners *owners, __u64 cache)
{
	struct pm_image *image = owners->image;
	struct pm_ram_owner owner = { .kind = PM_OWNER_SLAB };
	__u64 id;

	if (!cache || is_known(owners, cache, &id, NULL))
		return cache ? id : 0;
	owner.name.at = owners->path;
	owner.name.len = pm_get_text(&image->memory, PM_GET(image, cache, cache_name),
				     owners->path, MAX_NAME_BYTES);
	owner.object_bytes = PM_GET(image, cache, cache_object);
	/* kmem_cache_order_objects: the order is in the upper half. */
	owner.objects_per_slab = PM_GET(image, cache, cache_objects) & 0xffff;
	return owner.name.len ? put(owners, cache, PM_RAM_SLAB, &owner) : 0;
}

/* An online group and its state for memory refer to each other. */
static bool is_online_group(struct pm_image *image, __u64 group)
{
	const struct pm_layout *layout = image->layout;
	struct pm_field subsystem = layout->cgroup_subsys;
	__u64 cgroup = PM_GET(image, group, memcg_cgroup);
	__u64 state = group + (__u64)(layout->memcg_cgroup.offset - layout->css_cgroup.offset);

	if (!cgroup || subsystem.offset < 0 || layout->memory_cgroup == PM_NONE)
		return false;
	subsystem.offset += (int)(layout->memory_cgroup * sizeof(__u64));
	subsystem.size = sizeof(__u64);
	return pm_get(&image->memory, cgroup, subsystem) == state;
}

/*
 * The charge is a group, or an object that refers to one (kernel memory; since v7.0 all memory).
 * Which one it is follows from the addresses.
 */
static __u64 group_of(struct pm_image *image, __u64 charge)
{
	__u64 at = charge & ~(__u64)CHARGE_BITS, other;

	if (is_online_group(image, at))
		return at;
	other = PM_GET(image, at, object_group);
	return other && (charge & 2 || is_online_group(image, other)) ? other : at;
}

static struct pm_text path_of_group(struct pm_ram_owners *owners, __u64 node)
{
	struct pm_image *image = owners->image;
	size_t end = sizeof(owners->path), begin = end;
	unsigned int deep = 0;
	char text[MAX_NAME_BYTES + 1];
	__u64 parent;

	for (; node; node = parent) {
		size_t length;

		parent = PM_GET(image, node, node_parent);
		if (!parent)
			break;
		length = pm_get_text(&image->memory, PM_GET(image, node, node_name), text,
				     sizeof(text));
		if (!length || ++deep > CGROUPS_DEEP ||
		    !prepend(owners->path, &begin, text, length) ||
		    !prepend(owners->path, &begin, "/", 1))
			return (struct pm_text){ "[name not readable]", 19 };
	}
	if (begin == end)
		owners->path[--begin] = '/';
	return (struct pm_text){ owners->path + begin, end - begin };
}

static __u64 find_group(struct pm_ram_owners *owners, __u64 charge)
{
	struct pm_image *image = owners->image;
	struct pm_ram_owner owner = { .kind = PM_OWNER_CGROUP };
	__u64 id, group, node;

	if (is_known(owners, charge, &id, NULL))
		return id;
	group = group_of(image, charge);
	if (is_known(owners, group, &id, NULL))
		return pm_seen_add(&owners->known, charge, id << 8 | PM_RAM_UNKNOWN) ? id : 0;
	node = PM_GET(image, PM_GET(image, group, memcg_cgroup), cgroup_node);
	owner.number = node ? PM_GET(image, node, node_id) : 0;
	if (!owner.number)
		return 0;
	owner.is_dying = !is_online_group(image, group);
	owner.name = path_of_group(owners, node);
	id = put(owners, group, PM_RAM_UNKNOWN, &owner);
	return id && charge != group &&
		       !pm_seen_add(&owners->known, charge, id << 8 | PM_RAM_UNKNOWN) ? 0 : id;
}

__u64 pm_owner_of_charge(struct pm_ram_owners *owners, __u64 charge)
{
	if (!charge)
		return 0;
	if (charge != owners->last_charge) {
		owners->last_group = find_group(owners, charge);
		owners->last_charge = charge;
	}
	return owners->last_group;
}

/* Boot time in ticks, as in T: lines. */
static void describe_task(struct pm_image *image, __u64 task, struct pm_ram_owner *owner)
{
	owner->kind = PM_OWNER_TASK;
	owner->number = PM_GET(image, task, task_pid) & 0xffffffffu;
	owner->start_time = PM_GET(image, task, task_start) / PM_NS_A_TICK;
}

static bool name_code(struct pm_ram_owners *owners, __u64 address)
{
	const struct pm_dump *dump = owners->image->memory.dump;

	return dump->name_of &&
	       dump->name_of(dump->self, address, owners->path, sizeof(owners->path));
}

/* As in /proc/kallsyms: [ext4]. */
static bool name_module(struct pm_ram_owners *owners, __u64 module)
{
	struct pm_image *image = owners->image;
	char name[MODULE_NAME_BYTES];
	struct pm_field field = image->layout->module_name;

	return field.offset >= 0 &&
	       pm_get_text(&image->memory, module + (__u64)field.offset, name, sizeof(name)) &&
	       snprintf(owners->path, sizeof(owners->path), "[%s]", name) > 0;
}

__u64 pm_owner_of_mark(struct pm_ram_owners *owners, const struct pm_mark *mark)
{
	struct pm_ram_owner owner = { .kind = PM_OWNER_CODE };
	bool has_name = true;
	__u64 id;

	if (mark->owner == PM_MARK_NOBODY || is_known(owners, mark->of, &id, NULL))
		return mark->owner == PM_MARK_NOBODY ? 0 : id;
	owners->path[0] = '\0';
	if (mark->owner == PM_MARK_TASK)
		describe_task(owners->image, mark->of, &owner);
	else if (mark->owner == PM_MARK_MODULE)
		has_name = name_module(owners, mark->of);
	else if (mark->owner == PM_MARK_CODE)
		has_name = name_code(owners, mark->of);
	else
		snprintf(owners->path, sizeof(owners->path), "%s",
			 (const char *)(unsigned long)mark->of);
	owner.name = (struct pm_text){ owners->path, strlen(owners->path) };
	return has_name ? put(owners, mark->of, PM_RAM_UNKNOWN, &owner) : 0;
}

/*
 * kmalloc() of more than two pages (mm/slab_common.c, mm/slub.c): the kernel counts it as slab.
 * Frames have a type for it since v6.15 only.
 */
static bool is_large_kmalloc(const char *stack)
{
	stack += strspn(stack, "_");
	return !strncmp(stack, "kmalloc_large", 13) || !strncmp(stack, "kmalloc_order", 13);
}

__u64 pm_owner_of_stack(struct pm_ram_owners *owners, struct pm_page_stacks *stacks, __u32 handle,
			enum pm_ram_class *class_)
{
	struct pm_ram_owner owner = { .kind = PM_OWNER_CODE };
	__u64 key = STACK_KEY | handle, id;

	if (is_known(owners, key, &id, class_))
		return id;
	*class_ = PM_RAM_KERNEL;
	owner.name.at = owners->path;
	owner.name.len = pm_page_stack_text(stacks, handle, owners->path, PM_STACK_TEXT_BYTES);
	if (owner.name.len) {
		if (is_large_kmalloc(owners->path))
			*class_ = PM_RAM_LARGE_KMALLOC;
		return put(owners, key, *class_, &owner);
	}
	/* A damaged record is looked at once. */
	pm_seen_add(&owners->known, key, *class_);
	return 0;
}
