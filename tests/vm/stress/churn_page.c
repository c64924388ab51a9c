/* SPDX-License-Identifier: MIT */
/* Stress with pages: huge pages are made, split and made again; others are swapped, released and
 * merged. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "churn.h"

#ifndef MADV_COLD /* Linux 5.4 */
#define MADV_COLD 20
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_COLLAPSE /* Linux 6.1 */
#define MADV_COLLAPSE 25
#endif
#ifndef MREMAP_DONTUNMAP /* Linux 5.7 */
#define MREMAP_DONTUNMAP 4
#endif
#define HUGE_PAGES (HUGE / PAGE)

/* Splits huge pages in several ways; `elsewhere` is a page to which one may be moved. */
static void split(struct dice *dice, char *area, char *elsewhere)
{
	char *page = area + roll(dice, HUGE_PAGES) * PAGE;

	switch (roll(dice, 6)) {
	case 0: make_hole(page); break;
	case 1: mprotect(page, PAGE, PROT_READ); break;
	case 2: madvise(page, PAGE, MADV_DONTNEED); break;
	case 3: madvise(page, PAGE, MADV_FREE); break;
	case 4: madvise(page, PAGE, MADV_PAGEOUT); break;
	default:
		if (mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, elsewhere) ==
				MAP_FAILED)
			make_hole(page);
	}
}

static bool run_split(struct dice *dice)
{
	char *area = map_aligned(3 * HUGE);

	if (!area)
		return false;
	madvise(area, 2 * HUGE, MADV_HUGEPAGE);
	touch(area, HUGE_PAGES, 'h');
	touch(area + HUGE, HUGE_PAGES, 'i');
	split(dice, area, area + 2 * HUGE);
	if (!untouched_since(area + HUGE, HUGE_PAGES, 'i'))
		corrupted("the huge page next to a split one");
	munmap(area, 3 * HUGE);
	return true;
}

/* Small pages are collapsed into huge ones, on request or by khugepaged, which gets some time. */
static bool run_collapse(struct dice *dice)
{
	char *area = map_aligned(2 * HUGE);

	if (!area)
		return false;
	madvise(area, 2 * HUGE, MADV_NOHUGEPAGE);
	touch(area, 2 * HUGE_PAGES, 'l');
	madvise(area, 2 * HUGE, MADV_HUGEPAGE);
	if (roll(dice, 4) == 0 || madvise(area, 2 * HUGE, MADV_COLLAPSE))
		usleep(50000 + (unsigned int)roll(dice, 200000));
	if (!untouched_since(area, 2 * HUGE_PAGES, 'l'))
		corrupted("collapse");
	munmap(area, 2 * HUGE);
	return true;
}

/* Swaps huge pages and small ones out and in. */
static bool run_pageout(struct dice *dice)
{
	size_t pages = 16 + roll(dice, 2 * HUGE_PAGES - 16);
	char *area = map_aligned(2 * HUGE);
	bool done;

	if (!area)
		return false;
	if (roll(dice, 2))
		madvise(area, 2 * HUGE, MADV_HUGEPAGE);
	touch(area, pages, 's');
	done = !madvise(area, 2 * HUGE, MADV_PAGEOUT);
	if (!untouched_since(area, pages, 's'))
		corrupted("swap");
	munmap(area, 2 * HUGE);
	return done;
}

/* Pages that the kernel may free later, and pages that are freed at once. */
static bool run_give_away(struct dice *dice)
{
	size_t pages = 16 + roll(dice, HUGE_PAGES - 16);
	char *area = map_aligned(HUGE);
	bool done;

	if (!area)
		return false;
	touch(area, pages, 'v');
	done = !madvise(area, pages / 4 * PAGE, MADV_FREE);
	done &= !madvise(area + pages / 4 * PAGE, pages / 4 * PAGE, MADV_COLD);
	done &= !madvise(area + pages / 2 * PAGE, pages / 4 * PAGE, MADV_DONTNEED);
	if (area[pages / 2 * PAGE])
		corrupted("a page that was given away");
	touch(area, pages, 'w');
	munmap(area, HUGE);
	return done;
}

/* ksmd merges equal pages while this sleeps. Then they are separated, by writing or on request. */
static bool run_merge(struct dice *dice)
{
	size_t i, pages = 128;
	char *area = map_aligned(HUGE);
	bool done;

	if (!area)
		return false;
	memset(area, 'k', pages * PAGE);
	done = !madvise(area, HUGE, MADV_MERGEABLE);
	usleep(50000 + (unsigned int)roll(dice, 200000));
	if (roll(dice, 2))
		done &= !madvise(area, HUGE, MADV_UNMERGEABLE);
	for (i = 0; i < pages; i++) {
		if (area[i * PAGE + 1] != 'k')
			corrupted("merging");
		area[i * PAGE] = (char)i;
	}
	munmap(area, HUGE);
	return done;
}

const struct kind page_kinds[] = {
	{ "split", run_split, 12 },
	{ "collapse", run_collapse, 8 },
	{ "pageout", run_pageout, 12 },
	{ "give-away", run_give_away, 6 },
	{ "merge", run_merge, 4 },
	{}
};
