// SPDX-License-Identifier: GPL-2.0-only
#include "sampler.h"

#include <linux/cred.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/seq_file.h>
#include <linux/workqueue.h>

#include "emit/profile_clock.h"
#include "profile_buffer.h"
#include "registered.h"

static void tick(struct work_struct *unused);

static struct pm_sampler_settings settings;
static struct workqueue_struct *queue;
static DECLARE_DELAYED_WORK(work, tick);

/*
 * Protects the variables below and the buffer. Memory is never allocated under it, because samples
 * matter most when memory is short.
 */
static DEFINE_MUTEX(lock);
static LIST_HEAD(processes);
static unsigned int count;		/* length of the list */
static struct pm_usage sums;		/* since the last sample */
static u32 cpu_rest;			/* CPU time below a jiffy, carried over; in 1/HZ ns */
static struct pm_profile_clock clock;

/*
 * The work may already be pending: an earlier run of it can overlap with a new first registration.
 */
static void wait_for_deadline(void)
{
	unsigned long now = jiffies;

	queue_delayed_work(queue, &work, time_after(clock.jiffies, now) ? clock.jiffies - now : 0);
}

static void begin(void)
{
	pm_profile_buffer_clear();
	memset(&sums, 0, sizeof(sums));
	cpu_rest = 0;
	pm_profile_clock_start(&clock, jiffies, HZ);
	wait_for_deadline();
}

/*
 * Converts the CPU time of a sample to the unit of the buffer. Fractions of a jiffy are carried to
 * a later sample.
 */
static unsigned long cpu_of(u64 ns)
{
	if (settings.is_cpu_in_ns)
		return min_t(u64, ns, ULONG_MAX);
	return div_u64_rem(ns * HZ + cpu_rest, NSEC_PER_SEC, &cpu_rest);
}

static void put_sample(unsigned long now)
{
	struct pm_profile_sample sample = {
		.jiffies = now,
		.min_flt = sums.min_flt,
		.maj_flt = sums.maj_flt,
		.cpu = cpu_of(sums.cpu),
	};

	pm_profile_buffer_put(&sample);
	memset(&sums, 0, sizeof(sums));
}

static void drop(struct pm_registered *process)
{
	list_del(&process->link);
	count--;
	pm_registered_free(process);
}

/*
 * The sample has the time at which the walk began; processes later in the list are read a little
 * later. The walk covers at most settings.limit processes. With pm_sum_groups it also covers all of
 * their threads, whose number is bounded by system limits only. There is no cond_resched() within a
 * process.
 */
static void take_sample(void)
{
	struct pm_registered *process, *next;
	unsigned long now = jiffies;

	list_for_each_entry_safe(process, next, &processes, link) {
		if (pm_registered_count(process, &sums))
			drop(process);
		cond_resched();
	}
	put_sample(now);
	pm_profile_clock_advance(&clock, now, HZ);
}

static void tick(struct work_struct *unused)
{
	mutex_lock(&lock);
	if (count && !time_before(jiffies, clock.jiffies))
		take_sample();
	if (count)
		wait_for_deadline();
	mutex_unlock(&lock);
}

static struct pm_registered *find(const struct pid *pid)
{
	struct pm_registered *process;

	list_for_each_entry(process, &processes, link)
		if (process->pid == pid)
			return process;
	return NULL;
}

static unsigned int share_of(kuid_t user)
{
	struct pm_registered *process;
	unsigned int share = 0;

	list_for_each_entry(process, &processes, link)
		share += uid_eq(process->user, user);
	return share;
}

/* Adds the process to the list. Returns 0, -EEXIST, -ENOSPC or -EDQUOT. */
static int add(struct pm_registered *process, bool is_privileged)
{
	if (find(process->pid))
		return -EEXIST;
	if (count >= settings.limit)
		return -ENOSPC;
	if (!is_privileged && share_of(process->user) >= settings.user_limit)
		return -EDQUOT;
	if (!count)
		begin();
	list_add_tail(&process->link, &processes);
	count++;
	return 0;
}

int pm_sampler_register(pid_t nr, const struct pm_registrant *registrant)
{
	struct pm_registered *process = pm_registered_new(nr, registrant->user);
	int error;

	if (IS_ERR(process))
		return PTR_ERR(process);
	mutex_lock(&lock);
	error = add(process, registrant->is_privileged);
	mutex_unlock(&lock);
	if (error)
		pm_registered_free(process);
	return error == -EEXIST ? 0 : error;
}

/*
 * A tick that is waiting for the lock will find an empty list and not requeue itself. Waiting for
 * it here would deadlock.
 */
static void remove(struct pm_registered *process)
{
	pm_registered_count(process, &sums);
	drop(process);
	if (count)
		return;
	cancel_delayed_work(&work);
	if (sums.min_flt || sums.maj_flt || sums.cpu)
		put_sample(jiffies);
}

void pm_sampler_unregister(pid_t nr)
{
	struct pm_registered *process;

	mutex_lock(&lock);
	rcu_read_lock();
	process = find(pm_find_registrable(nr));
	rcu_read_unlock();
	if (process)
		remove(process);
	mutex_unlock(&lock);
}

void pm_sampler_show(struct seq_file *file)
{
	struct pm_registered *process;

	mutex_lock(&lock);
	list_for_each_entry(process, &processes, link) {
		pid_t nr = pid_vnr(process->pid);

		if (nr && !pm_registered_is_over(process))
			seq_printf(file, "%d\n", nr);
	}
	mutex_unlock(&lock);
}

/*
 * A separate workqueue with a rescuer: a thrashing system has no memory for a new worker just when
 * samples matter. It has high priority because the watched programs compete for the CPUs. It is
 * unbound, so the work can run on any CPU.
 */
int pm_sampler_init(const struct pm_sampler_settings *given)
{
	settings = *given;
	queue = alloc_workqueue("physmem_faults", WQ_MEM_RECLAIM | WQ_HIGHPRI | WQ_UNBOUND, 1);
	return queue ? 0 : -ENOMEM;
}

void pm_sampler_exit(void)
{
	struct pm_registered *process, *next;

	mutex_lock(&lock);
	list_for_each_entry_safe(process, next, &processes, link)
		drop(process);
	mutex_unlock(&lock);
	cancel_delayed_work_sync(&work);
	destroy_workqueue(queue);
}
