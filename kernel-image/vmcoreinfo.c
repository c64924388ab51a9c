// SPDX-License-Identifier: MIT
#include "vmcoreinfo.h"

#include <stdio.h>
#include <stdlib.h>

/* include/linux/vmcore_info.h: VMCOREINFO_BYTES, with a zero byte at the end. */
#define TEXT_BYTES 4096u

__u64 pm_vmcoreinfo_number(struct pm_image *image, const char *name)
{
	const struct pm_layout *layout = image->layout;
	char text[TEXT_BYTES], key[64];
	const char *found;
	char *end;
	__u64 at, value;

	at = layout->at.vmcoreinfo ? pm_get(&image->memory, layout->at.vmcoreinfo,
					    (struct pm_field){ 0, sizeof(at) }) : 0;
	if (!at || !pm_get_text(&image->memory, at, text, sizeof(text)))
		return PM_NONE;
	snprintf(key, sizeof(key), "\nNUMBER(%s)=", name);
	found = strstr(text, key);
	if (!found)
		return PM_NONE;
	value = (__u64)strtoll(found + strlen(key), &end, 0);
	return *end == '\n' ? value : PM_NONE;
}
