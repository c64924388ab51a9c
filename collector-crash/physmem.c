// SPDX-License-Identifier: MIT
/* The crash command physmem: arguments, output and messages. */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include <defs.h>

#include "crash_dump.h"
#include "output.h"
#include "kernel-image/snapshot.h"

#define MAX_PIDS 1024

static char *help_physmem[] = {
	"physmem",
	"snapshot of all tasks, VMAs and pages",
	"[-o FILE] [-p PID[,PID]...] [-r] [-s] [-h]",

	"  Writes a snapshot of the physical memory of the dumped system: every task (T:),",
	"  every VMA (V:, P:), every resident page with its frame, use count and flags",
	"  (M:), and every swapped-out page (S:). The text format is the same as that of",
	"  the physmem kernel module and physmem-collect. physmem-analyze reads it on any",
	"  machine.",
	"",
	"    -o FILE  write to FILE, which appears when it is complete. A new file is",
	"             readable by its owner only, an existing one keeps its mode. '-' is",
	"             the same as no -o: to the screen, or as redirected (physmem > FILE,",
	"             physmem | COMMAND).",
	"     -p PID  only these processes: ids of processes or their threads, separated",
	"             by commas.",
	"         -r  also the whole of RAM (Z:, O:, R:): what every frame is used for, and by",
	"             which file, slab cache, task or function of the kernel.",
	"         -s  small: no M: and S: lines, only the counts of each VMA (P:).",
	"         -h  print this text.",
	"",
	"  physmem itself follows lists, trees and page tables, from init_task on, with a",
	"  limit to each, so a damaged dump gives a shorter snapshot. G: note.* lines",
	"  count what is missing; the counts are also printed at the end. A dump without",
	"  user pages (makedumpfile -d 31) is sufficient; the sixth number of the E: line",
	"  is the number of pages that the dump lacks. Ctrl-C stops the command without",
	"  writing FILE.",
	"\nEXAMPLES",
	"  The snapshot of a whole dump:\n",
	"    %s> extend physmem.so",
	"    %s> physmem -o snap.txt",
	"    snap.txt: 94 tasks, 1417 areas, 40265 pages, 256 swapped out, 0.15 s\n",
	"  An analysis without leaving crash:\n",
	"    %s> physmem | physmem-analyze --basic -",
	"\n  Where all of RAM goes:\n",
	"    %s> physmem -rs | physmem-analyze --ask ledger --full -",
	"\n  Two processes, counts only:\n",
	"    %s> physmem -s -p 1,371",
	NULL
};

struct request {
	const char *file;	/* NULL: to crash's own output */
	__u64 pids[MAX_PIDS];
	bool met[MAX_PIDS];
	bool with_ram;
	struct pm_choice choice;
};

static volatile sig_atomic_t interrupted;
static struct pm_dump dump;
static struct pm_layout layout;
/*
 * State of one call. It is static, because crash may jump to its prompt from anywhere; then the
 * next call cleans up.
 */
static struct pm_image image;
static struct pm_ram_section ram;
static struct pm_output output;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static bool is_interrupted(void *self)
{
	(void)self;
	return interrupted;
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* PID[,PID]... */
static bool parse_pids(const char *list, struct request *request)
{
	struct pm_choice *choice = &request->choice;
	const char *at = list;
	char *end;

	for (;; at = end + 1) {
		unsigned long long pid = strtoull(at, &end, 10);

		if (end == at || *at == '-' || pid == 0 || pid > UINT_MAX ||
		    (*end && *end != ',') || choice->n_pids == MAX_PIDS) {
			error(INFO,
			      "-p: found '%s', expected at most %d process ids separated by commas\n",
			      list, MAX_PIDS);
			return false;
		}
		request->pids[choice->n_pids++] = pid;
		if (!*end)
			return true;
	}
}

enum parsed { RUN, HELP, WRONG };

static enum parsed parse_arguments(struct request *request)
{
	int option;

	memset(request, 0, sizeof(*request));
	request->choice.pids = request->pids;
	request->choice.met = request->met;
	while ((option = getopt(argcnt, args, "o:p:rsh")) != EOF) {
		switch (option) {
		case 'o':
			request->file = strcmp(optarg, "-") ? optarg : NULL;
			break;
		case 'p':
			if (!parse_pids(optarg, request))
				return WRONG;
			break;
		case 'r':
			request->with_ram = true;
			break;
		case 's':
			request->choice.without_pages = true;
			break;
		case 'h':
			return HELP;
		default:
			argerrs++;
		}
	}
	if (argerrs || args[optind]) {
		cmd_usage(args[0], SYNOPSIS);
		return WRONG;
	}
	return RUN;
}

/* Prints a progress line, at most five times per second. */
static void report_progress(void *to, size_t done, size_t tasks, __u64 pages)
{
	double *last = to;
	double now = seconds_now();

	if (done < tasks && now - *last < 0.2)
		return;
	*last = now;
	fprintf(stderr, "\rphysmem: %zu of %zu tasks, %llu pages\033[K", done, tasks,
		(unsigned long long)pages);
	if (done == tasks)
		fprintf(stderr, "\r\033[K");
	fflush(stderr);
}

/* Reports the result. Messages are not mixed with the snapshot. */
static void report_end(FILE *to, const struct request *request, const struct pm_end *end,
		       double seconds)
{
	const struct pm_notes *notes = &image.notes;
	const struct {
		__u64 n;
		const char *what;
	} lines[] = {
		{ notes->table_excluded,
		  "page tables are missing in the dump; the snapshot lacks their pages" },
		{ notes->frame_excluded,
		  "pages have no count and flags, because the dump lacks their struct page" },
		{ notes->name_excluded, "names of files could not be read" },
		{ notes->in_transit,
		  "pages were neither present nor swapped out: in transit, or lost to a memory failure" },
		{ notes->corrupt,
		  "inconsistent entries of lists, trees or tables were not followed" },
		{ image.memory.missing,
		  "reads of kernel data failed because the dump lacks it; counts are lower bounds" },
		{ end->excluded,
		  "pages are not in the dump; a snapshot does not need their contents" },
	};
	size_t i;

	fprintf(to, "%s%s%llu tasks, %llu areas, %llu pages, %llu swapped out, %.2f s\n",
		request->file ? request->file : "", request->file ? ": " : "",
		(unsigned long long)end->tasks, (unsigned long long)end->areas,
		(unsigned long long)end->pages, (unsigned long long)end->swapped, seconds);
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].n)
			fprintf(to, "  %llu %s\n", (unsigned long long)lines[i].n, lines[i].what);
}

static void report_unmet(const struct request *request)
{
	size_t i;

	for (i = 0; i < request->choice.n_pids; i++)
		if (!request->met[i])
			error(INFO, "the dump has no process or thread %llu\n",
			      (unsigned long long)request->pids[i]);
}

static void report_failure(const struct request *request, int error_number)
{
	if (error_number == -EINTR)
		error(INFO, "stopped%s%s\n", request->file ? "; there is no new " : "",
		      request->file ? request->file : "");
	else if (error_number == -ENODATA)
		error(INFO, "no tasks found from init_task on: the dump lacks them or is damaged\n");
	else if (error_number == -ESRCH)
		report_unmet(request);
	else if (error_number == -EPERM && request->file)
		error(INFO,
		      "%s: it, or a link in its path, belongs to another user; name another file\n",
		      request->file);
	else if (error_number == -ELOOP && request->file)
		error(INFO, "%s: is a symbolic link; name the file itself\n", request->file);
	else if (error_number != -EPIPE)
		error(INFO, "%s: %s\n", request->file ? request->file : "output",
		      strerror(-error_number));
}

static int run(const struct request *request, struct pm_end *end)
{
	double last_shown = 0;
	struct pm_progress progress = {
		.report = isatty(STDERR_FILENO) && (request->file || fp != stdout) ?
				  report_progress : NULL,
		.to = &last_shown,
	};
	int failed = pm_output_open(&output, request->file, fp);

	if (failed)
		return failed;
	failed = pm_snapshot(&image, &request->choice, &progress, &output.out, end);
	if (failed && progress.report)
		fprintf(stderr, "\r\033[K");
	return pm_output_close(&output, failed);
}

static void run_request(const struct request *request)
{
	double began = seconds_now();
	struct pm_end end;
	int failed = run(request, &end);

	if (failed) {
		report_failure(request, failed);
	} else {
		report_unmet(request);
		report_end(request->file ? fp : stderr, request, &end, seconds_now() - began);
	}
}

static void clean_up(void)
{
	pm_output_close(&output, -EINTR);
	pm_ram_section_close(&ram);
	pm_image_close(&image);
}

static bool open_image(struct request *request)
{
	char why[256];

	if (!pm_image_open(&image, &dump, &layout, why, sizeof(why)) ||
	    (request->with_ram && !pm_ram_section_open(&ram, &image, why, sizeof(why)))) {
		error(INFO, "%s\n", why);
		return false;
	}
	request->choice.ram = request->with_ram ? &ram : NULL;
	return true;
}

/*
 * On Ctrl-C crash jumps back to its prompt from anywhere, without the cleanup needed here. It does
 * the same on a closed pipe and on a file that exceeds its size limit.
 */
static void cmd_physmem(void)
{
	struct sigaction stop = { .sa_handler = on_interrupt }, ignore = { .sa_handler = SIG_IGN };
	struct sigaction old_stop, old_pipe, old_size;
	struct request request;
	enum parsed parsed = parse_arguments(&request);

	if (parsed == HELP)
		cmd_usage(args[0], COMPLETE_HELP);
	if (parsed != RUN)
		return;
	clean_up();
	if (!open_image(&request)) {
		clean_up();
		return;
	}
	interrupted = 0;
	sigaction(SIGINT, &stop, &old_stop);
	sigaction(SIGPIPE, &ignore, &old_pipe);
	sigaction(SIGXFSZ, &ignore, &old_size);
	run_request(&request);
	sigaction(SIGXFSZ, &old_size, NULL);
	sigaction(SIGPIPE, &old_pipe, NULL);
	sigaction(SIGINT, &old_stop, NULL);
	clean_up();
}

static struct command_table_entry commands[] = {
	{ "physmem", cmd_physmem, help_physmem, 0 },
	{ NULL, NULL, NULL, 0 }
};

static void __attribute__((constructor)) load(void)
{
	char why[256];

	pm_crash_dump(&dump, is_interrupted);
	if (pm_layout_find(&layout, &dump, why, sizeof(why)))
		register_extension(commands);
	else
		error(INFO, "physmem: %s\n", why);
}
