/* SPDX-License-Identifier: MIT */
/* VMCOREINFO: numbers for readers of a kernel's memory that its types do not have. */
#ifndef PM_VMCOREINFO_H
#define PM_VMCOREINFO_H

#include "image.h"

/* The number of the line NUMBER(name)=, or PM_NONE. Source: the kernel's own copy of the text. */
__u64 pm_vmcoreinfo_number(struct pm_image *image, const char *name);

#endif
