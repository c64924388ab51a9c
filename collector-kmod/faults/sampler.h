/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of registered processes, and the work that sums up their faults PM_PROFILE_HZ times a
 * second while the list is not empty.
 */
#ifndef PM_SAMPLER_H
#define PM_SAMPLER_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct seq_file;

struct pm_sampler_settings {
	unsigned int limit;		/* of registered processes in total */
	unsigned int user_limit;	/* per unprivileged user */
	bool is_cpu_in_ns;		/* otherwise in jiffies */
};

struct pm_registrant {
	kuid_t user;
	bool is_privileged;
};

/* Returns 0 or -ENOMEM. */
int pm_sampler_init(const struct pm_sampler_settings *settings);
/* None of these functions may be called during or after this. */
void pm_sampler_exit(void);

/*
 * nr is a pid in the caller's pid namespace. Registering a process twice is not an error. Returns
 * 0, -ESRCH (no such process), -ENOSPC (the list is full), -EDQUOT (the user's quota is used up) or
 * -ENOMEM.
 */
int pm_sampler_register(pid_t nr, const struct pm_registrant *registrant);
/*
 * Has no effect if the process is not registered. Its usage so far goes into the next sample. If no
 * process is left, it goes into one last sample.
 */
void pm_sampler_unregister(pid_t nr);

/* Prints one line per process that has not ended: its pid in the caller's pid namespace. */
void pm_sampler_show(struct seq_file *file);

#endif
