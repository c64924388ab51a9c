/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks up function arguments in BTF, the kernel's type information (Documentation/bpf/btf.rst).
 * Static functions have no declaration that a build-time probe could check, and their arguments
 * move between kernels.
 *
 * The bytes are untrusted: every offset is checked. Nothing is allocated.
 */
#ifndef PM_BTF_H
#define PM_BTF_H

#include "emit/port.h"

struct pm_btf {
	const unsigned char *types, *names;
	size_t types_size, names_size;
};

/*
 * data must outlive btf. -EINVAL: not BTF in this machine's byte order, or a section exceeds the
 * data.
 */
int pm_btf_open(struct pm_btf *btf, const void *data, size_t size);

/*
 * Returns the position, from 0, of the argument that is a pointer to `struct type`, or an integer
 * named type (for example "long unsigned int").
 * -ENOENT: the function is not in the BTF.
 * -EINVAL: no argument or several have this type, two functions of this name differ, or the BTF is
 * malformed.
 */
int pm_btf_argument(const struct pm_btf *btf, const char *function, const char *type);

/* Returns the size in bytes of the integer that the function returns; 0: void. Errors as above. */
int pm_btf_returns(const struct pm_btf *btf, const char *function);

#endif
