/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of registered processes, and the work that sums up their faults PM_PROFILE_HZ times a
 * second while there are any.
 */
#ifndef PM_SAMPLER_H
#define PM_SAMPLER_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct seq_file;

struct pm_sampler_settings {
	unsigned int limit;		/* registered processes in all */
	unsigned int user_limit;	/* of one user who is not privileged */
	bool is_cpu_in_ns;		/* else in jiffies */
};

struct pm_registrant {
	kuid_t user;
	bool is_privileged;
};

/* 0 or -ENOMEM. */
int pm_sampler_init(const struct pm_sampler_settings *settings);
/* Nobody may call anything any more. */
void pm_sampler_exit(void);

/*
 * nr is seen from the caller's pid namespace. To register what is registered is no error. -ESRCH:
 * no such process; -ENOSPC: the list is full; -EDQUOT: the user's share is used up; -ENOMEM.
 */
int pm_sampler_register(pid_t nr, const struct pm_registrant *who);
/*
 * No effect when it is not registered. What it did until now is in the next sample, or in one more
 * that is the last.
 */
void pm_sampler_unregister(pid_t nr);

/*
 * A line with the number of each process that has not ended, as the caller's pid namespace sees it.
 */
void pm_sampler_show(struct seq_file *file);

#endif
