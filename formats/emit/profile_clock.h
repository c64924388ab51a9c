/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * When the profiler's samples are due: PM_PROFILE_HZ times a second, counted from the first
 * registration.
 *
 * A period is HZ / 20 jiffies: 12.5 with HZ=250. Deadlines are therefore counted in twentieths of a
 * jiffy, and are exact: what one sample is late is not added to the next.
 */
#ifndef PM_PROFILE_CLOCK_H
#define PM_PROFILE_CLOCK_H

#include "profile_ring.h"

/* The next deadline. jiffies wraps, as the kernel's does. */
struct pm_profile_clock {
	unsigned long jiffies;
	unsigned int rest;		/* of a jiffy, in 1/PM_PROFILE_HZ; below PM_PROFILE_HZ */
};

/*
 * To the first deadline behind now. When the system was too busy for some deadlines, these are left
 * out: a burst of samples would say nothing, and one that covers a longer time says all. now is
 * less than two days behind the deadline (32 bits, HZ=1000).
 */
static inline void pm_profile_clock_advance(struct pm_profile_clock *clock, unsigned long now, unsigned int hz)
{
	unsigned long late = now - clock->jiffies;
	unsigned long due = (late + 1) * PM_PROFILE_HZ - clock->rest;	/* from the deadline to the next jiffy */
	unsigned long periods = (due + hz - 1) / hz;
	unsigned long rest = clock->rest + periods * hz;

	clock->jiffies += rest / PM_PROFILE_HZ;
	clock->rest = (unsigned int)(rest % PM_PROFILE_HZ);
}

/* A clock that begins now: its first deadline is a period ahead. */
static inline void pm_profile_clock_start(struct pm_profile_clock *clock, unsigned long now, unsigned int hz)
{
	clock->jiffies = now + hz / PM_PROFILE_HZ;
	clock->rest = hz % PM_PROFILE_HZ;
}

#endif
