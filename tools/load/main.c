// SPDX-License-Identifier: MIT
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "load.h"
#include "progress.h"

static const char help[] =
	"physmem-load: run programs with known memory behaviour\n"
	"\n"
	"USAGE\n"
	"  physmem-load LOAD [OPTION]... [WORD]...\n"
	"\n"
	"LOADS\n"
	"  work MB R|L ACCESSES  the work program of the profiler assignment: MB blocks\n"
	"                        of 1 MiB (1 to 1048576), ACCESSES per iteration. R:\n"
	"                        each access is to a random byte. Any other letter is\n"
	"                        \"local\": as in the original, only one access in five\n"
	"                        is to a random byte; others compute an address\n"
	"      --iterations N    number of iterations [default: 20]\n"
	"      --pause S         seconds after each iteration [default: 1]\n"
	"      --no-register     do not write R PID and U PID to the profiler\n"
	"      --status FILE     the profiler's file; errors are reported and ignored.\n"
	"                        After U, prints faults and CPU time since R by\n"
	"                        getrusage() [default: /proc/mp3/status]\n"
	"  pagefault1, columns   Pagefault.c version 1: writes two arrays column by\n"
	"                        column; a row is 1024 ints, which is one page\n"
	"      --rows N          rows of each array [default: 30000, 117 MiB each]\n"
	"      --columns N       columns of a row that are written [default: 1024]\n"
	"      --rounds N        end after writing all columns N times; 0: never\n"
	"                        [default: 0]\n"
	"      --columns-per-pause N\n"
	"                        columns between two pauses [default: 1]\n"
	"      --pause S         seconds of a pause [default: 1]\n"
	"  pagefault2, pair      Pagefault.c version 2: two children sweep an array\n"
	"                        each; the parent stops one of them in turn\n"
	"      --ints N          ints of each array [default: 10142720, 38.7 MiB]\n"
	"      --switch S        seconds between SIGSTOP and SIGCONT; the second child is\n"
	"                        stopped first [default: 30]\n"
	"  leak                  one process leaks pages of its heap at a constant rate\n"
	"      --pages-per-ms X  pages per ms [default: 1: 4 MB per second with pages of\n"
	"                        4 KiB]\n"
	"      --among N         N-1 more processes, which grow once, churn, or idle\n"
	"                        [default: 1]\n"
	"  touch                 writes one byte per page: once, again, and after\n"
	"                        MADV_PAGEOUT; prints the faults of each phase and of the\n"
	"                        whole process\n"
	"      --pages N         number of pages [default: 1000]\n"
	"      --pause S         seconds before the first phase, after each phase, and\n"
	"                        between MADV_PAGEOUT and the last phase [default: 0]\n"
	"      --stop            stop at these points (SIGSTOP) until a SIGCONT\n"
	"      --register        write R PID and U PID to the profiler, before and after\n"
	"                        (--status FILE)\n"
	"  grow KIND             memory of one kind grows by a step when a line is read from\n"
	"                        standard input, and ends with it. heap: pages of the heap;\n"
	"                        tables: page tables, one byte of each is read; signals:\n"
	"                        queued signals, objects of a slab cache of the kernel;\n"
	"                        file: pages at the end of an existing file (--path FILE)\n"
	"      --units N         pages, page tables or signals of a step [default: 100]\n"
	"\n"
	"columns, pair and leak end after --duration S [default: 60, 120, 60]; with\n"
	"--duration 0, never. This is the default of pagefault1 and pagefault2, as in the\n"
	"document's programs, which otherwise equal columns and pair. Phases are printed\n"
	"on standard error. Children end with their parent.\n"
	"\n"
	"OTHER OPTIONS\n"
	"  -h, --help            print this page\n"
	"      --version         print the version\n"
	"\n"
	"EXAMPLES\n"
	"  case study 1, second half:\n"
	"    nice physmem-load work 1024 R 50000 & nice physmem-load work 1024 L 10000 &\n"
	"  as in the document:\n"
	"    physmem-load pagefault2\n"
	"  write 4000 pages 4 times:\n"
	"    physmem-load pagefault1 --rows 2000 --columns 4 --rounds 1 --pause 0\n"
	"  find the process that leaks:\n"
	"    physmem-load leak --among 20 --duration 30\n"
	"\n"
	"EXIT STATUS\n"
	"  0 done   2 wrong usage   4 out of memory, or a process could not be started\n";

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} loads[] = {
	{"work", load_work}, {"columns", load_columns}, {"pagefault1", load_pagefault1},
	{"pair", load_pair}, {"pagefault2", load_pagefault2}, {"leak", load_leak},
	{"touch", load_touch}, {"grow", load_grow},
};

static int print(const char *text)
{
	return fputs(text, stdout) >= 0 && fflush(stdout) == 0 ? LOAD_DONE : LOAD_IO;
}

static bool has_option(int argc, char **argv, const char *option)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], option) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	/* Makes write() fail if a file exceeds its size limit, as on a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	if (has_option(argc, argv, "--help") || has_option(argc, argv, "-h"))
		return print(help);
	if (has_option(argc, argv, "--version"))
		return print("physmem-load " PHYSMEM_VERSION
			     "\nMIT licence. There is no warranty.\n");
	for (size_t i = 0; argc > 1 && i < sizeof loads / sizeof *loads; i++) {
		if (strcmp(argv[1], loads[i].name) != 0)
			continue;
		load_begin(loads[i].name);
		return loads[i].run(argc - 1, argv + 1);
	}
	load_refuse("%s%s, expected work, columns, pagefault1, pair, pagefault2, leak, touch or grow (physmem-load --help lists them)",
		    argc > 1 ? "found " : "found nothing", argc > 1 ? argv[1] : "");
	return LOAD_USAGE;
}
