/* SPDX-License-Identifier: MIT */
/* The page of viewer/web, embedded in the program. */
#ifndef PHYSMEM_EMBEDDED_PAGE_H
#define PHYSMEM_EMBEDDED_PAGE_H

#ifdef __cplusplus
extern "C" {
#endif
extern const char physmem_page_begin[];
extern const char physmem_page_end[];
#ifdef __cplusplus
}
#endif

#endif
