// SPDX-License-Identifier: MIT
#include "marks.h"

#include <stdlib.h>

bool pm_marks_add(struct pm_marks *marks, const struct pm_mark *mark)
{
	if (marks->n == marks->room) {
		size_t room = marks->room ? 2 * marks->room : 1024;
		struct pm_mark *grown;

		if (room > PM_MAX_MARKS)
			return false;
		grown = realloc(marks->at, room * sizeof(*grown));
		if (!grown)
			return false;
		marks->at = grown;
		marks->room = room;
	}
	marks->at[marks->n++] = *mark;
	return true;
}

/* A part of a module lies in an area of vmalloc, and is the first mark of its frame. */
static int in_order(const void *a, const void *b)
{
	const struct pm_mark *one = a, *other = b;

	if (one->pfn != other->pfn)
		return one->pfn < other->pfn ? -1 : 1;
	return one->class_ > other->class_ ? -1 : one->class_ < other->class_;
}

void pm_marks_sort(struct pm_marks *marks)
{
	if (marks->n)
		qsort(marks->at, marks->n, sizeof(*marks->at), in_order);
	marks->next = 0;
}

const struct pm_mark *pm_marks_find(struct pm_marks *marks, __u64 pfn)
{
	while (marks->next < marks->n && marks->at[marks->next].pfn < pfn)
		marks->next++;
	return marks->next < marks->n && marks->at[marks->next].pfn == pfn ?
		       &marks->at[marks->next] : NULL;
}

const struct pm_mark *pm_marks_search(const struct pm_marks *marks, __u64 pfn,
				      enum pm_mark_owner owner)
{
	size_t low = 0, high = marks->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (marks->at[middle].pfn < pfn)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < marks->n && marks->at[low].pfn == pfn; low++)
		if (marks->at[low].owner == owner)
			return &marks->at[low];
	return NULL;
}

void pm_marks_free(struct pm_marks *marks)
{
	free(marks->at);
	memset(marks, 0, sizeof(*marks));
}
