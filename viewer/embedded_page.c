/* SPDX-License-Identifier: MIT */
/* The assembler takes the file in; PHYSMEM_PAGE_HTML is its path, in quotes. */
#include "viewer/embedded_page.h"

__asm__(
    ".pushsection .rodata\n"
    ".global physmem_page_begin\n"
    "physmem_page_begin:\n"
    ".incbin " PHYSMEM_PAGE_HTML "\n"
    ".global physmem_page_end\n"
    "physmem_page_end:\n"
    ".byte 0\n"
    ".popsection\n");
