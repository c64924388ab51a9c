/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The profiler's buffer (formats/profile-buffer.md) and its only writer, used by the module and by
 * tests in user space.
 *
 * A buffer is an array of longs in PM_PROFILE_PAGES pages. Its first PM_PROFILE_LONGS longs are a
 * ring of samples. The others stay empty, because clients written for the assignment check the
 * first of them.
 */
#ifndef PM_PROFILE_RING_H
#define PM_PROFILE_RING_H

#include "port.h"

#define PM_PROFILE_PAGES 128ul
#define PM_PROFILE_HZ 20u		/* samples per second */
#define PM_PROFILE_SAMPLES 12000ul	/* ten minutes */
#define PM_PROFILE_SAMPLE_LONGS 4ul
#define PM_PROFILE_LONGS (PM_PROFILE_SAMPLES * PM_PROFILE_SAMPLE_LONGS)
#define PM_PROFILE_EMPTY (-1L)

/*
 * Fields in the order of the buffer. Faults and CPU time are summed over all registered processes,
 * since the previous sample.
 */
struct pm_profile_sample {
	unsigned long jiffies;		/* time of the sample; kernel ticks, 1/HZ s */
	unsigned long min_flt;
	unsigned long maj_flt;
	unsigned long cpu;		/* user and system; in jiffies or ns (module option) */
};

/* State of the writer. It never reads the buffer, because programs may write anything to it. */
struct pm_profile_ring {
	unsigned long *longs;
	unsigned long count;		/* longs of the whole buffer */
	unsigned long next;		/* index of the next sample; below PM_PROFILE_LONGS */
};

/* Makes every long empty. The next sample is then the first of the buffer. */
static inline void pm_profile_clear(struct pm_profile_ring *ring)
{
	unsigned long i;

	for (i = 0; i < ring->count; i++)
		ring->longs[i] = (unsigned long)PM_PROFILE_EMPTY;
	ring->next = 0;
}

/* An empty long means that there is no sample. A value equal to it is written as one less. */
static inline unsigned long pm_profile_long(unsigned long value)
{
	return value == (unsigned long)PM_PROFILE_EMPTY ? value - 1 : value;
}

/*
 * Writes a sample over the oldest one. Its first long is empty while the others change, and is
 * written last. A reader has a consistent sample if the first long has the same non-empty value
 * before and after it reads the others.
 */
static inline void pm_profile_put(struct pm_profile_ring *ring,
				  const struct pm_profile_sample *sample)
{
	unsigned long *to = ring->longs + ring->next;

	pm_store_release(&to[0], (unsigned long)PM_PROFILE_EMPTY);
	pm_store_release(&to[1], pm_profile_long(sample->min_flt));
	pm_store_release(&to[2], pm_profile_long(sample->maj_flt));
	pm_store_release(&to[3], pm_profile_long(sample->cpu));
	pm_store_release(&to[0], pm_profile_long(sample->jiffies));
	ring->next = (ring->next + PM_PROFILE_SAMPLE_LONGS) % PM_PROFILE_LONGS;
}

#endif
