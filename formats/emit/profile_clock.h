/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Deadlines of the profiler's samples: PM_PROFILE_HZ per second, from the first registration on.
 *
 * A period is HZ / 20 jiffies, for example 12.5 with HZ=250. Deadlines are therefore exact in
 * twentieths of a jiffy. The delay of one sample does not delay the next.
 */
#ifndef PM_PROFILE_CLOCK_H
#define PM_PROFILE_CLOCK_H

#include "profile_ring.h"

/* The next deadline. jiffies wraps like the kernel's. */
struct pm_profile_clock {
	unsigned long jiffies;
	unsigned int rest;		/* of a jiffy, in 1/PM_PROFILE_HZ; below PM_PROFILE_HZ */
};

/*
 * Advances to the first deadline after now. Deadlines that were missed because the system was busy
 * are skipped: one sample for a longer time is as good as a burst of samples. now must be less than
 * two days after the deadline (32 bits, HZ=1000).
 */
static inline void pm_profile_clock_advance(struct pm_profile_clock *clock, unsigned long now,
					    unsigned int hz)
{
	unsigned long late = now - clock->jiffies;
	/* From the deadline to the next jiffy. */
	unsigned long due = (late + 1) * PM_PROFILE_HZ - clock->rest;
	unsigned long periods = (due + hz - 1) / hz;
	unsigned long rest = clock->rest + periods * hz;

	clock->jiffies += rest / PM_PROFILE_HZ;
	clock->rest = (unsigned int)(rest % PM_PROFILE_HZ);
}

/* Starts the clock: the first deadline is one period after now. */
static inline void pm_profile_clock_start(struct pm_profile_clock *clock, unsigned long now,
					  unsigned int hz)
{
	clock->jiffies = now + hz / PM_PROFILE_HZ;
	clock->rest = hz % PM_PROFILE_HZ;
}

#endif
