/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The profiler's buffer (formats/profile-buffer.md) and the one writer of it: in the module, and in
 * user space for tests.
 *
 * A buffer is an array of longs in PM_PROFILE_PAGES pages of the machine. Its first
 * PM_PROFILE_LONGS longs are a ring of samples; the others are never used, and empty: clients
 * written for the assignment look at the first of them.
 */
#ifndef PM_PROFILE_RING_H
#define PM_PROFILE_RING_H

#include "port.h"

#define PM_PROFILE_PAGES 128ul
#define PM_PROFILE_HZ 20u		/* samples a second */
#define PM_PROFILE_SAMPLES 12000ul	/* ten minutes of them */
#define PM_PROFILE_SAMPLE_LONGS 4ul
#define PM_PROFILE_LONGS (PM_PROFILE_SAMPLES * PM_PROFILE_SAMPLE_LONGS)
#define PM_PROFILE_EMPTY (-1L)

/*
 * In the order of the buffer. Faults and time are those since the sample before, of all registered
 * processes.
 */
struct pm_profile_sample {
	unsigned long jiffies;		/* when it was taken; kernel ticks, 1/HZ s */
	unsigned long min_flt;
	unsigned long maj_flt;
	unsigned long cpu;		/* user and system, in jiffies; in ns when the module was told so */
};

/* The writer's side. It never reads the buffer, which programs may fill with anything. */
struct pm_profile_ring {
	unsigned long *longs;
	unsigned long count;		/* longs of the whole buffer */
	unsigned long next;		/* where the next sample begins; below PM_PROFILE_LONGS */
};

/* Every long is empty, and the next sample is the first of the buffer. */
static inline void pm_profile_clear(struct pm_profile_ring *ring)
{
	unsigned long i;

	for (i = 0; i < ring->count; i++)
		ring->longs[i] = (unsigned long)PM_PROFILE_EMPTY;
	ring->next = 0;
}

/*
 * An empty long means that no sample is there: a value that looks like one is written as one less.
 */
static inline unsigned long pm_profile_long(unsigned long value)
{
	return value == (unsigned long)PM_PROFILE_EMPTY ? value - 1 : value;
}

/*
 * Writes a sample over the oldest one. Its first long is empty while the others change, and is
 * written last: a reader that finds it before and after it has read the others, with the same
 * value, has a whole sample.
 */
static inline void pm_profile_put(struct pm_profile_ring *ring, const struct pm_profile_sample *sample)
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
