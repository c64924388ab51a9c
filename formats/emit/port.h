/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The environment of the emitter: fixed-width integers (__u64), size_t, bool and memcpy. The writer
 * of the profiler's buffer also requires pm_store_release(), a store with release ordering.
 *
 * In the kernel they come from <linux/types.h> and <linux/string.h>. In user space (the /proc
 * collector, the crash extension, tests) the integers come from <linux/types.h> and the rest from
 * the C library. This is the only #ifdef __KERNEL__.
 */
#ifndef PM_PORT_H
#define PM_PORT_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <asm/barrier.h>
#include <linux/string.h>
#define pm_store_release(to, value) smp_store_release(to, value)
#else
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#define pm_store_release(to, value) __atomic_store_n(to, value, __ATOMIC_RELEASE)
#endif

#endif
