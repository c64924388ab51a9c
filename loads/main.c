// SPDX-License-Identifier: MIT
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "load.h"
#include "progress.h"

static const char help[] =
	"physmem-load: work for memory measurements, with known numbers of pages\n"
	"\n"
	"USAGE\n"
	"  physmem-load LOAD [OPTION]... [WORD]...\n"
	"\n"
	"LOADS\n"
	"  work MB R|L ACCESSES   the profiler assignment's work program: MB blocks of 1 MiB (1 to 1048576), ACCESSES an\n"
	"                         iteration. R: each is to a random byte. Anything else is \"local\": as in the original, only\n"
	"                         one access in five goes to memory, to a random byte too; the others compute an address.\n"
	"      --iterations N       [default: 20]\n"
	"      --pause S            seconds after each iteration [default: 1]\n"
	"      --no-register        do not write R PID and U PID to the profiler\n"
	"      --status FILE        the profiler's file [default: /proc/mp3/status]; a failure is told and ignored;\n"
	"                           after U, faults and CPU time since R by getrusage() are told\n"
	"  pagefault1, columns    Pagefault.c version 1: two arrays of rows of 1024 ints, which is a page, written column by\n"
	"                         column\n"
	"      --rows N             of each array [default: 30000, 117 MiB each]\n"
	"      --columns N          of a row, before it begins anew [default: 1024]\n"
	"      --rounds N           ends after so many times all columns; 0: does not [default: 0]\n"
	"      --columns-per-pause N  [default: 1]\n"
	"      --pause S            [default: 1]\n"
	"  pagefault2, pair       Pagefault.c version 2: two children sweep an array each; the parent stops one, then the other\n"
	"      --ints N             of each array [default: 10142720, 38.7 MiB]\n"
	"      --switch S           seconds between SIGSTOP and SIGCONT [default: 30; the second child is stopped first]\n"
	"  leak                   one process loses pages of its heap at an even rate\n"
	"      --pages-per-ms X     [default: 1: 4 MB a second with pages of 4 KiB]\n"
	"      --among N            N-1 more processes that grow at their start, churn, or idle [default: 1]\n"
	"  touch                  writes one byte a page, once, again, and after MADV_PAGEOUT; prints the faults of each phase,\n"
	"                         and those of the process's life\n"
	"      --pages N            [default: 1000]\n"
	"      --pause S            before the first phase, after each, and between MADV_PAGEOUT and the last [default: 0]\n"
	"      --stop               stop there (SIGSTOP), until a SIGCONT\n"
	"      --register           write R PID and U PID to the profiler, before and after (--status FILE)\n"
	"\n"
	"columns, pair and leak end after --seconds S [default: 60, 120, 60]; --seconds 0 is for ever, and the default of\n"
	"pagefault1 and pagefault2, as of the document's programs, which they are otherwise too. Phases are told on standard error; children end with their parent.\n"
	"\n"
	"EXAMPLES\n"
	"  nice physmem-load work 1024 R 50000 & nice physmem-load work 1024 L 10000 &    case study 1, second half\n"
	"  physmem-load pagefault2                                                         as the document has it\n"
	"  physmem-load pagefault1 --rows 2000 --columns 4 --rounds 1 --pause 0            4 times 4000 pages, and done\n"
	"  physmem-load leak --among 20 --seconds 30                                       find the one that leaks\n"
	"\n"
	"EXIT STATUS\n"
	"  0 done   2 wrong usage   4 no memory, or no process could be started\n";

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} loads[] = {
	{"work", load_work}, {"columns", load_columns}, {"pagefault1", load_pagefault1}, {"pair", load_pair},
	{"pagefault2", load_pagefault2}, {"leak", load_leak}, {"touch", load_touch},
};

static int print(const char *text)
{
	return fputs(text, stdout) >= 0 && fflush(stdout) == 0 ? LOAD_DONE : LOAD_IO;
}

static bool wants(int argc, char **argv, const char *option)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], option) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	/* A file above the limit of its size is an error of write(), as a full disk is. */
	signal(SIGXFSZ, SIG_IGN);
	if (wants(argc, argv, "--help") || wants(argc, argv, "-h"))
		return print(help);
	if (wants(argc, argv, "--version"))
		return print("physmem-load " PHYSMEM_VERSION "\nMIT licence. There is no warranty.\n");
	for (size_t i = 0; argc > 1 && i < sizeof loads / sizeof *loads; i++) {
		if (strcmp(argv[1], loads[i].name) != 0)
			continue;
		load_begin(loads[i].name);
		return loads[i].run(argc - 1, argv + 1);
	}
	load_refuse("%s%s, expected work, columns, pagefault1, pair, pagefault2, leak or touch (physmem-load --help tells them)",
		    argc > 1 ? "found " : "found nothing", argc > 1 ? argv[1] : "");
	return LOAD_USAGE;
}
