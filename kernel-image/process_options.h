/* SPDX-License-Identifier: MIT */
/* What is written of processes, and where. */
#ifndef PM_PROCESS_OPTIONS_H
#define PM_PROCESS_OPTIONS_H

#include "emit/emit.h"

struct pm_process_options {
	struct pm_out *out;
	struct pm_end *end;	/* is added to */
	bool without_pages;	/* no M: and S: lines */
	bool with_tables;	/* G: process.PID.page_tables_kB */
	bool is_live;		/* the kernel runs */
	/* Asked often; nonzero ends the walk, which returns it. */
	int (*stopped)(void *self);
	/* Only in running kernels: called after what could be read of a process that changes. */
	void (*unread)(void *self, __u64 tgid);
	void *self;
};

#endif
