// SPDX-License-Identifier: MIT
#include "page_window.h"

/* Items that are searched: entries may have gone since they were added. */
#define SEARCHED 8u

void pm_window_clear(struct pm_page_window *window)
{
	window->n = 0;
	window->used = 0;
	window->current = 0;
}

static bool has(const struct pm_item *item, __u64 at, size_t bytes)
{
	return at >= item->at && at + bytes <= item->at + item->bytes;
}

bool pm_window_add(struct pm_page_window *window, __u64 at, size_t bytes)
{
	struct pm_item *last = window->n ? &window->items[window->n - 1] : NULL;

	if (last && has(last, at, bytes))
		return true;
	if (!window->bytes || window->used + bytes > PM_WINDOW_BYTES)
		return false;
	if (last && at == last->at + last->bytes && last->bytes + bytes <= PM_ITEM_BYTES) {
		last->bytes += (__u32)bytes;
	} else if (window->n < PM_WINDOW_ITEMS) {
		window->items[window->n++] = (struct pm_item){
			.at = at, .bytes = (__u32)bytes, .to = window->bytes + window->used
		};
	} else {
		return false;
	}
	window->used += bytes;
	return true;
}

static bool may_read(const struct pm_dump *dump, const struct pm_item *item)
{
	__u64 last = item->at + item->bytes - 1;

	return !dump->may_read || (dump->may_read(dump->self, item->at) &&
				   (item->at / PM_ITEM_BYTES == last / PM_ITEM_BYTES ||
				    dump->may_read(dump->self, last)));
}

void pm_window_read(struct pm_page_window *window, const struct pm_dump *dump)
{
	size_t i, end;

	/* A list has only what may be read, so what must not be splits it. */
	for (i = 0; i < window->n; i = end) {
		for (end = i; end < window->n && end - i < PM_ITEMS; end++)
			if (!may_read(dump, &window->items[end]))
				break;
		if (end > i)
			dump->read_list(dump->self, window->items + i, end - i);
		else
			window->items[end++].is_read = false;
	}
}

const unsigned char *pm_window_find(struct pm_page_window *window, __u64 at, size_t bytes)
{
	size_t i = window->current, left;

	for (left = window->n < SEARCHED ? window->n : SEARCHED; left; left--) {
		const struct pm_item *item = &window->items[i];

		if (has(item, at, bytes)) {
			window->current = i;
			return item->is_read ? (unsigned char *)item->to + (at - item->at) : NULL;
		}
		if (++i == window->n)
			i = 0;
	}
	return NULL;
}
