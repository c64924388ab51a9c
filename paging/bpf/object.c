// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "paging/bpf/object.h"

/* libbpf reads it as an ELF file in place. */
__asm__(".pushsection .rodata\n"
	".balign 16\n"
	".global pm_bpf_object\n"
	"pm_bpf_object:\n"
	".incbin \"" PM_BPF_OBJECT_FILE "\"\n"
	".Lpm_bpf_object_end:\n"
	".global pm_bpf_object_bytes\n"
	".balign 8\n"
	"pm_bpf_object_bytes:\n"
	".quad .Lpm_bpf_object_end - pm_bpf_object\n"
	".popsection\n");

extern const unsigned long pm_bpf_object_bytes;

size_t pm_bpf_object_size(void)
{
	return pm_bpf_object_bytes;
}
