/* SPDX-License-Identifier: MIT */
/* Text that is written later, or never. */
#ifndef PM_KEPT_TEXT_H
#define PM_KEPT_TEXT_H

#include "emit/emit.h"

struct pm_kept {
	struct pm_out out;	/* the text is written to it */
	char piece[4096];
	char *text;		/* used bytes, without those that out has buffered */
	size_t used, room;
};

/* A zeroed struct. */
void pm_kept_open(struct pm_kept *kept);
void pm_kept_free(struct pm_kept *kept);
void pm_kept_clear(struct pm_kept *kept);
/* Appends the text to another output, with the first error of both, and clears it. */
void pm_kept_write(struct pm_kept *kept, struct pm_out *out);

#endif
