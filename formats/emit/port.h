/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the emitter needs from where it is compiled: fixed-width integers (__u64), size_t, bool and
 * memcpy; the profile's writer needs stores that others see in their order: a store by
 * pm_store_release() is seen after all that stand before it.
 *
 * <linux/types.h> and <linux/string.h> belong to the kernel; user space (the /proc collector, the
 * crash extension, tests) has the integers in its own <linux/types.h> and the rest in the C
 * library. This is the only #ifdef __KERNEL__.
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
