// SPDX-License-Identifier: MIT
#include "space_state.h"

static __u64 now(struct pm_image *image, __u64 object, struct pm_field field)
{
	if (field.offset < 0)
		return 0;
	pm_forget(&image->memory, object + (__u64)field.offset);
	return pm_get(&image->memory, object, field);
}

bool pm_read_space_state(struct pm_image *image, const struct pm_task_entry *task,
			 struct pm_space_state *state)
{
	const struct pm_layout *layout = image->layout;
	bool has_tree = layout->mm_tree.offset >= 0;

	state->pid = now(image, task->at, layout->task_pid);
	state->mm = now(image, task->at, layout->task_mm);
	if (state->pid != task->pid || state->mm != task->mm || !state->mm)
		return false;
	state->users = now(image, state->mm, layout->mm_users);
	state->areas = now(image, state->mm, layout->mm_areas);
	state->pages = now(image, state->mm, layout->mm_pages);
	state->root = now(image, state->mm, has_tree ? layout->mm_tree : layout->mm_first);
	state->sequence = now(image, state->mm, layout->mm_sequence);
	state->tables = now(image, state->mm, layout->mm_table_sequence);
	return state->users != 0;
}
