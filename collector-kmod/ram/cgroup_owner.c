// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cgroups that pay for frames.
 *
 * A charged page has a reference to its group, or to an object (struct obj_cgroup) that refers to
 * one. Both are freed a grace period after their last reference, so they exist until the end of the
 * RCU section in which the page's charge was read; and so do the cgroup and its name in kernfs,
 * which the group holds. No reference is taken, not even to a group that is being deleted.
 */
#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/string.h>

#include "owners.h"

#ifdef CONFIG_MEMCG
/* Low bits of memcg_data: enum page_memcg_data_flags. */
#define CHARGE_BITS 7ul
/* MEMCG_DATA_OBJCGS, MEMCG_DATA_OBJEXTS: an array for the objects of a slab. */
#define CHARGE_IS_ARRAY 1ul

/* Whether a memory cgroup is at the address: its css points to the controller. */
static bool is_group(const struct mem_cgroup *group)
{
	struct cgroup_subsys *controller;

	return group && pm_read_safely(&controller, &group->css.ss, sizeof(controller)) &&
	       controller == &memory_cgrp_subsys;
}

/*
 * The charge is a group, or an object that refers to one (kernel memory; since v7.0 all memory).
 * Which one it is follows from what is there.
 */
static const struct mem_cgroup *group_of(unsigned long charge)
{
	const void *at = (const void *)(charge & ~CHARGE_BITS);
	const struct mem_cgroup *group;

	if (charge & CHARGE_IS_ARRAY)
		return NULL;
	if (is_group(at))
		return at;
	if (!pm_read_safely(&group, &((const struct obj_cgroup *)at)->memcg, sizeof(group)))
		return NULL;
	return is_group(group) ? group : NULL;
}

static u64 put_group(struct pm_owners *owners, u64 key, const struct cgroup_subsys_state *state)
{
	int length = cgroup_path(state->cgroup, owners->path, sizeof(owners->path));
	bool is_whole = length > 0 && length < sizeof(owners->path);
	struct pm_ram_owner owner = {
		.kind = PM_OWNER_CGROUP,
		.number = cgroup_ino(state->cgroup),
		.is_dying = !(READ_ONCE(state->flags) & CSS_ONLINE),
		.name.at = is_whole ? owners->path : "[name not readable]",
	};

	owner.name.len = strlen(owner.name.at);
	return pm_put_owner(owners, key, PM_RAM_UNKNOWN, &owner);
}

static u64 find_group(struct pm_owners *owners, unsigned long charge)
{
	const struct mem_cgroup *group = group_of(charge);
	u64 key, *name;

	if (!group)
		return 0;
	/* No two cgroups have the same serial number. */
	key = pm_owner_key(group->css.serial_nr, 1);
	name = pm_known_find(&owners->known, key);
	return name ? *name : put_group(owners, key, &group->css);
}

u64 pm_cgroup_owner(struct pm_owners *owners, unsigned long charge)
{
	if (charge && charge != owners->last_charge) {
		owners->last_group = find_group(owners, charge);
		owners->last_charge = charge;
	}
	return charge ? owners->last_group >> 8 : 0;
}
#else
u64 pm_cgroup_owner(struct pm_owners *owners, unsigned long charge)
{
	return 0;
}
#endif
