/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The compiled BPF program, embedded in this program. */
#ifndef PM_BPF_OBJECT_H
#define PM_BPF_OBJECT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const unsigned char pm_bpf_object[];
size_t pm_bpf_object_size(void);

#ifdef __cplusplus
}
#endif

#endif
