// SPDX-License-Identifier: MIT
#include "task_list.h"

#include <errno.h>
#include <stdlib.h>

#include "seen.h"

#define PF_KTHREAD 0x00200000u

/* A list_head's two pointers. */
enum direction {
	FORWARD = 0,
	BACKWARD = sizeof(__u64)
};

struct walk {
	struct pm_image *image;
	struct pm_tasks *tasks;
	struct pm_seen seen;
	int error;
};

enum outcome {
	TAKEN,
	KNOWN,		/* visited before: the list has a cycle */
	NO_TASK,	/* not a plausible task */
	FAILED
};

static struct pm_task_entry *new_entry(struct pm_tasks *tasks)
{
	if (tasks->n == tasks->room) {
		size_t room = tasks->room ? 2 * tasks->room : 1024;
		struct pm_task_entry *grown = realloc(tasks->entries, room * sizeof(*grown));

		if (!grown)
			return NULL;
		tasks->entries = grown;
		tasks->room = room;
	}
	return &tasks->entries[tasks->n++];
}

/* tgid: the process that the task must belong to; 0: any. */
static enum outcome take_task(struct walk *walk, __u64 at, __u32 tgid)
{
	struct pm_image *image = walk->image;
	__u32 pid = (__u32)PM_GET(image, at, task_pid);
	__u32 own_tgid = (__u32)PM_GET(image, at, task_tgid);
	struct pm_task_entry *entry;

	if (pm_is_interrupted(image)) {
		walk->error = -EINTR;
		return FAILED;
	}
	if (pm_seen_has(&walk->seen, at))
		return KNOWN;
	if (pid == 0 || pid > PM_MAX_TASKS || own_tgid == 0 || own_tgid > PM_MAX_TASKS ||
	    (tgid && own_tgid != tgid))
		return NO_TASK;
	/* More tasks than a kernel can have: the list is corrupt. */
	if (!pm_seen_add(&walk->seen, at, 0))
		return NO_TASK;
	entry = new_entry(walk->tasks);
	if (!entry) {
		walk->error = -ENOMEM;
		return FAILED;
	}
	/* A kernel thread that temporarily uses a process's address space does not own it. */
	*entry = (struct pm_task_entry){
		.at = at,
		.pid = pid,
		.tgid = own_tgid,
		.mm = PM_GET(image, at, task_flags) & PF_KTHREAD ? 0 : PM_GET(image, at, task_mm),
	};
	return TAKEN;
}

/* Takes the leaders of all processes. Returns false if the list does not lead back to its head. */
static bool take_processes(struct walk *walk, enum direction direction)
{
	struct pm_image *image = walk->image;
	struct pm_field next = image->layout->task_next;
	__u64 head = image->layout->at.init_task;
	__u64 at = head;
	__u64 node;

	do {
		node = pm_get(&image->memory, at + (__u64)direction, next);
		at = node - (__u64)next.offset;
		if (node && at == head)
			return true;
	} while (node && take_task(walk, at, 0) == TAKEN);
	return false;
}

/*
 * Takes the other threads of a process from the list in its signal_struct, which includes the
 * leader.
 */
static void take_threads(struct walk *walk, const struct pm_task_entry leader)
{
	struct pm_image *image = walk->image;
	__u64 signal = PM_GET(image, leader.at, task_signal);
	__u64 head = signal + (__u64)image->layout->signal_threads.offset;
	__u64 node = signal ? PM_GET(image, signal, signal_threads) : head;
	bool has_met_leader = false;

	while (node && node != head) {
		__u64 at = node - (__u64)image->layout->task_thread_next.offset;

		if (at == leader.at && has_met_leader)
			break;
		has_met_leader |= at == leader.at;
		if (at != leader.at && take_task(walk, at, leader.tgid) != TAKEN)
			break;
		node = PM_GET(image, at, task_thread_next);
	}
	image->notes.corrupt += node != head;
}

static int in_order(const void *a, const void *b)
{
	const struct pm_task_entry *one = a, *other = b;
	bool one_leads = one->pid == one->tgid, other_leads = other->pid == other->tgid;

	if (one->tgid != other->tgid)
		return one->tgid < other->tgid ? -1 : 1;
	if (one_leads != other_leads)
		return one_leads ? -1 : 1;
	return one->pid < other->pid ? -1 : one->pid > other->pid;
}

int pm_find_tasks(struct pm_image *image, struct pm_tasks *tasks)
{
	struct walk walk = { .image = image, .tasks = tasks };
	size_t processes, i;

	memset(tasks, 0, sizeof(*tasks));
	if (!take_processes(&walk, FORWARD) && !walk.error) {
		/* The list is broken. Tasks after the broken entry are found from the other end. */
		image->notes.corrupt++;
		take_processes(&walk, BACKWARD);
	}
	processes = tasks->n;
	for (i = 0; i < processes && !walk.error; i++)
		take_threads(&walk, tasks->entries[i]);
	pm_seen_free(&walk.seen);
	if (!walk.error && !tasks->n)
		walk.error = -ENODATA;
	if (walk.error)
		pm_free_tasks(tasks);
	else
		qsort(tasks->entries, tasks->n, sizeof(*tasks->entries), in_order);
	return walk.error;
}

void pm_free_tasks(struct pm_tasks *tasks)
{
	free(tasks->entries);
	memset(tasks, 0, sizeof(*tasks));
}
