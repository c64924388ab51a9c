// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit dee3d0bef2b0 ("proc: rewrite stable_page_flags()") (in v6.10):
 * /proc/kpageflags shows the flags of the folio for each of its pages; before, it showed the flags
 * of the page itself. The commit also made the parameter const, which this probe checks.
 */
#include <linux/module.h>
#include <linux/mm.h>

int pm_probe(void)
{
	BUILD_BUG_ON(!__builtin_types_compatible_p(typeof(&stable_page_flags),
						   u64 (*)(const struct page *)));
	return 0;
}

MODULE_LICENSE("GPL");
