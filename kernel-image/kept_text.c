// SPDX-License-Identifier: MIT
#include "kept_text.h"

#include <errno.h>
#include <stdlib.h>

static int keep(void *to, const char *text, size_t len)
{
	struct pm_kept *kept = to;

	if (kept->room - kept->used < len) {
		size_t room = 2 * kept->room + len;
		char *grown = realloc(kept->text, room);

		if (!grown)
			return -ENOMEM;
		kept->text = grown;
		kept->room = room;
	}
	memcpy(kept->text + kept->used, text, len);
	kept->used += len;
	return 0;
}

void pm_kept_open(struct pm_kept *kept)
{
	kept->out = (struct pm_out){ .buf = kept->piece,
				     .size = sizeof(kept->piece),
				     .flush = keep,
				     .to = kept };
}

void pm_kept_clear(struct pm_kept *kept)
{
	kept->out.used = 0;
	kept->used = 0;
}

void pm_kept_write(struct pm_kept *kept, struct pm_out *out)
{
	pm_out_flush(&kept->out);
	pm_out_flush(out);
	if (!out->error)
		out->error = kept->out.error;
	if (!out->error && kept->used)
		out->error = out->flush(out->to, kept->text, kept->used);
	pm_kept_clear(kept);
}

void pm_kept_free(struct pm_kept *kept)
{
	free(kept->text);
	kept->text = NULL;
}
