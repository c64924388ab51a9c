// SPDX-License-Identifier: MIT
/* The numbers of a T: line, the same as in /proc/PID/task/TID/stat and /proc/PID/stat. */
#include "task_facts.h"

#define CGROUPS_DEEP 256
#define COPY_OF_COMM 16			/* TASK_COMM_LEN */

/* In ns. */
struct times {
	__u64 utime, stime, runtime;
	__u64 shown_utime, shown_stime;
};

/* total * part / whole; 32-bit targets have no wider type. Rounds down. */
static __u64 share_of(__u64 total, __u64 part, __u64 whole)
{
	__u64 share = 0, rest = 0;
	int bit;

	for (bit = 63; whole && bit >= 0; bit--) {
		rest = 2 * rest + (total >> bit & 1 ? part : 0);
		share = 2 * share + rest / whole;
		rest %= whole;
	}
	return share;
}

/*
 * Ticks give the ratio of user to system time, and the scheduler gives the total. The kernel
 * reports the total divided by that ratio, and never less than it reported before (cputime_adjust()
 * in kernel/sched/cputime.c). If the kernel measures both (VIRT_CPU_ACCOUNTING_NATIVE), it does not
 * keep the reported times.
 */
static void adjust(const struct pm_layout *layout, struct times *times)
{
	__u64 stime = times->stime;

	if (layout->task_shown_utime.offset < 0)
		return;
	if (times->shown_stime + times->shown_utime >= times->runtime) {
		times->utime = times->shown_utime;
		times->stime = times->shown_stime;
		return;
	}
	if (!stime || !times->utime)
		stime = stime ? times->runtime : 0;
	else
		stime = share_of(times->runtime, stime, stime + times->utime);
	if (stime < times->shown_stime)
		stime = times->shown_stime;
	times->utime = times->runtime > stime ? times->runtime - stime : 0;
	if (times->utime < times->shown_utime)
		times->utime = times->shown_utime;
	times->stime = times->runtime - times->utime;
}

static void thread_times(struct pm_image *image, __u64 at, struct pm_task *record)
{
	struct times times = {
		.utime = PM_GET(image, at, task_utime),
		.stime = PM_GET(image, at, task_stime),
		.runtime = PM_GET(image, at, task_runtime),
		.shown_utime = PM_GET(image, at, task_shown_utime),
		.shown_stime = PM_GET(image, at, task_shown_stime),
	};

	adjust(image->layout, &times);
	record->utime = times.utime / PM_NS_A_TICK;
	record->stime = times.stime / PM_NS_A_TICK;
}

/* The signal structure has the sums of exited threads; live threads are added. */
static void group_facts(struct pm_image *image, __u64 signal, const struct pm_task_entry *group,
			size_t n, struct pm_task *record)
{
	struct times times = {
		.utime = PM_GET(image, signal, signal_utime),
		.stime = PM_GET(image, signal, signal_stime),
		.runtime = PM_GET(image, signal, signal_runtime),
		.shown_utime = PM_GET(image, signal, signal_shown_utime),
		.shown_stime = PM_GET(image, signal, signal_shown_stime),
	};
	size_t i;

	record->group_min_flt = PM_GET(image, signal, signal_min_flt);
	record->group_maj_flt = PM_GET(image, signal, signal_maj_flt);
	for (i = 0; i < n; i++) {
		record->group_min_flt += PM_GET(image, group[i].at, task_min_flt);
		record->group_maj_flt += PM_GET(image, group[i].at, task_maj_flt);
		times.utime += PM_GET(image, group[i].at, task_utime);
		times.stime += PM_GET(image, group[i].at, task_stime);
		times.runtime += PM_GET(image, group[i].at, task_runtime);
	}
	adjust(image->layout, &times);
	record->group_utime = times.utime / PM_NS_A_TICK;
	record->group_stime = times.stime / PM_NS_A_TICK;
}

static bool has_cgroups(const struct pm_layout *layout)
{
	return layout->task_css_set.offset >= 0 && layout->css_set_unified.offset >= 0 &&
	       layout->cgroup_node.offset >= 0 && layout->cgroup_parent.offset >= 0 &&
	       layout->node_parent.offset >= 0 && layout->at.unified_root;
}

/*
 * Returns the cgroup in the unified hierarchy, unless the task is at its root and the memory
 * controller has its own hierarchy.
 */
static __u64 memory_cgroup(struct pm_image *image, __u64 task)
{
	const struct pm_layout *layout = image->layout;
	__u64 set = PM_GET(image, task, task_css_set);
	__u64 unified = PM_GET(image, set, css_set_unified);
	struct pm_field subsystem = layout->css_set_subsys;
	__u64 own;

	if (layout->memory_cgroup == PM_NONE || PM_GET(image, unified, cgroup_parent))
		return unified;
	subsystem.offset += (int)(layout->memory_cgroup * sizeof(__u64));
	subsystem.size = sizeof(__u64);
	own = PM_GET(image, pm_get(&image->memory, set, subsystem), css_cgroup);
	return own && PM_GET(image, own, cgroup_root) != layout->at.unified_root ? own : unified;
}

/* Prepends "/name" to the path at *begin. Returns false if there is no room. */
static bool prepend(struct pm_image *image, __u64 name, char *path, size_t *begin)
{
	char text[256];
	size_t length = pm_get_text(&image->memory, name, text, sizeof(text));

	if (length + 1 > *begin)
		return false;
	*begin -= length + 1;
	path[*begin] = '/';
	memcpy(path + *begin + 1, text, length);
	return true;
}

/*
 * As in /proc/PID/cgroup: relative to the initial namespace, and marked if the cgroup was removed.
 */
static struct pm_text cgroup_path_of(struct pm_image *image, __u64 task, char *path, size_t room)
{
	static const char deleted[] = " (deleted)";
	__u64 cgroup, node, parent;
	size_t begin = room - sizeof(deleted);
	size_t end = begin;
	unsigned int deep = 0;

	if (!has_cgroups(image->layout))
		return (struct pm_text){ path, 0 };
	cgroup = memory_cgroup(image, task);
	for (node = PM_GET(image, cgroup, cgroup_node); node; node = parent) {
		parent = PM_GET(image, node, node_parent);
		if (parent && (!prepend(image, PM_GET(image, node, node_name), path, &begin) ||
			       ++deep > CGROUPS_DEEP)) {
			image->notes.corrupt++;
			return (struct pm_text){ path, 0 };
		}
	}
	if (begin == end)
		path[--begin] = '/';
	if (PM_GET(image, cgroup, cgroup_root) == image->layout->at.unified_root &&
	    !(PM_GET(image, cgroup, cgroup_state) & image->layout->css_online)) {
		memcpy(path + end, deleted, sizeof(deleted));
		end += sizeof(deleted) - 1;
	}
	return (struct pm_text){ path + begin, end - begin };
}

static __u64 parent_of(struct pm_image *image, __u64 task)
{
	__u64 parent = PM_GET(image, task, task_parent);

	return parent ? PM_GET(image, parent, task_tgid) : 0;
}

void pm_task_facts(struct pm_image *image, const struct pm_task_entry *task,
		   const struct pm_task_entry *group, size_t n, struct pm_task *record,
		   struct pm_task_names *names)
{
	__u64 at = task->at;
	__u64 signal = PM_GET(image, at, task_signal);

	memset(record, 0, sizeof(*record));
	record->comm.at = names->comm;
	record->comm.len = pm_get_text(&image->memory,
				       at + (__u64)image->layout->task_comm.offset, names->comm,
				       COPY_OF_COMM + 1);
	record->pid = task->pid;
	record->mm = task->mm;
	record->cpu = PM_GET(image, at, task_cpu);
	record->min_flt = PM_GET(image, at, task_min_flt);
	record->maj_flt = PM_GET(image, at, task_maj_flt);
	record->cmin_flt = PM_GET(image, signal, signal_cmin_flt);
	record->cmaj_flt = PM_GET(image, signal, signal_cmaj_flt);
	thread_times(image, at, record);
	record->tgid = task->tgid;
	record->start_time = PM_GET(image, at, task_start) / PM_NS_A_TICK;
	record->ppid = parent_of(image, at);
	record->uid = PM_GET(image, PM_GET(image, at, task_cred), cred_uid);
	record->is_leader = task->pid == task->tgid;
	if (record->is_leader) {
		group_facts(image, signal, group, n, record);
		record->cgroup = cgroup_path_of(image, at, names->cgroup, sizeof(names->cgroup));
	}
}
