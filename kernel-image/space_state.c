// SPDX-License-Identifier: MIT
#include "space_state.h"

/* kernel/locking/rwsem.c. With PREEMPT_RT the lock is another one, without this member. */
#define RWSEM_WRITER_LOCKED 1u

static void forget(struct pm_image *image, __u64 object, struct pm_field field)
{
	if (field.offset >= 0)
		pm_forget(&image->memory, object + (__u64)field.offset);
}

bool pm_read_space_state(struct pm_image *image, const struct pm_task_entry *task,
			 struct pm_space_state *state)
{
	const struct pm_layout *layout = image->layout;
	bool has_tree = layout->mm_tree.offset >= 0;
	struct pm_field root = has_tree ? layout->mm_tree : layout->mm_first;
	const struct pm_field of_space[] = { layout->mm_users, layout->mm_areas, layout->mm_pages,
					     root, layout->mm_sequence,
					     layout->mm_table_sequence, layout->mm_lock };
	size_t i;

	forget(image, task->at, layout->task_pid);
	forget(image, task->at, layout->task_mm);
	state->pid = PM_GET(image, task->at, task_pid);
	state->mm = PM_GET(image, task->at, task_mm);
	if (state->pid != task->pid || state->mm != task->mm || !state->mm)
		return false;
	for (i = 0; i < sizeof(of_space) / sizeof(of_space[0]); i++)
		forget(image, state->mm, of_space[i]);
	state->users = PM_GET(image, state->mm, mm_users);
	state->areas = PM_GET(image, state->mm, mm_areas);
	state->pages = PM_GET(image, state->mm, mm_pages);
	state->root = pm_get(&image->memory, state->mm, root);
	state->sequence = PM_GET(image, state->mm, mm_sequence);
	state->tables = PM_GET(image, state->mm, mm_table_sequence);
	state->is_locked = PM_GET(image, state->mm, mm_lock) & RWSEM_WRITER_LOCKED;
	return state->users != 0;
}
