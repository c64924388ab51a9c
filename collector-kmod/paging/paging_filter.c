// SPDX-License-Identifier: GPL-2.0-only
#include "paging_filter.h"

#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

struct pids {
	unsigned int n;
	pid_t pid[PM_MAX_FILTERED];
};

/* One list is in use; the next one is built in the other. */
struct pm_pid_list {
	struct pids lists[2];
	struct pids *now;
};

struct pm_pid_list pm_selected_pids = { .now = &pm_selected_pids.lists[0] };
struct pm_pid_list pm_excluded_pids = { .now = &pm_excluded_pids.lists[0] };

static bool is_in(const struct pids *pids, pid_t tgid)
{
	unsigned int i;

	for (i = 0; i < pids->n; i++)
		if (pids->pid[i] == tgid)
			return true;
	return false;
}

bool pm_paging_is_selected(pid_t tgid)
{
	const struct pids *selected = smp_load_acquire(&pm_selected_pids.now);
	const struct pids *excluded = smp_load_acquire(&pm_excluded_pids.now);

	return (!selected->n || is_in(selected, tgid)) && !is_in(excluded, tgid);
}

/* Parses comma-separated process ids. 0 is skipped. */
static int parse(const char *text, struct pids *pids)
{
	pids->n = 0;
	for (;;) {
		size_t digits = strspn(text, "0123456789");
		char number[16];
		int pid;

		if (!digits || digits >= sizeof(number))
			return -EINVAL;
		memcpy(number, text, digits);
		number[digits] = '\0';
		if (kstrtoint(number, 10, &pid))
			return -EINVAL;
		if (pid) {
			if (pids->n == PM_MAX_FILTERED)
				return -E2BIG;
			pids->pid[pids->n++] = pid;
		}
		text += digits;
		if (*text != ',')
			break;
		text++;
	}
	return *text == '\0' || !strcmp(text, "\n") ? 0 : -EINVAL;
}

static int set_pids(const char *value, const struct kernel_param *parameter)
{
	struct pm_pid_list *list = parameter->arg;
	struct pids *next = &list->lists[list->now == &list->lists[0]];
	int error = parse(value, next);

	if (error) {
		pr_err("physmem_paging: parameter %s: found \"%.64s\", expected at most %u process ids and commas, or 0 for %s\n",
		       parameter->name, value, PM_MAX_FILTERED,
		       list == &pm_selected_pids ? "all" : "none");
		return error;
	}
	smp_store_release(&list->now, next);
	/*
	 * The old list has no readers after this, so it can be reused. The kernel serializes
	 * parameter writes.
	 */
	synchronize_rcu();
	return 0;
}

static int get_pids(char *buffer, const struct kernel_param *parameter)
{
	const struct pids *pids = ((const struct pm_pid_list *)parameter->arg)->now;
	int length = 0;
	unsigned int i;

	for (i = 0; i < pids->n; i++)
		length += scnprintf(buffer + length, PAGE_SIZE - length, "%s%d", i ? "," : "",
				    pids->pid[i]);
	return length + scnprintf(buffer + length, PAGE_SIZE - length, pids->n ? "\n" : "0\n");
}

const struct kernel_param_ops pm_pid_list_operations = {
	.set = set_pids,
	.get = get_pids,
};
