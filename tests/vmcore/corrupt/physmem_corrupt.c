// SPDX-License-Identifier: MIT
/*
 * A command of crash for tests: takes snapshots of a real dump with faults in the data that is
 * read, different for each seed.
 *
 *   physmem-corrupt DIR FIRST COUNT      writes DIR/SEED.txt for COUNT seeds from FIRST on, and
 *                                        prints a line for each
 *
 * The line has the seed, the result of pm_snapshot(), bytes written, and blocks read from the dump.
 */
#include <errno.h>
#include <stdint.h>

#include <defs.h>

#include "crash_dump.h"
#include "output.h"
#include "kernel-image/snapshot.h"

/* A limit for the size of a snapshot that has one megabyte without faults. */
#define MAX_BYTES (64u << 20)

static struct pm_dump dump;
static struct pm_layout layout;

struct faults {
	const struct pm_dump *healthy;
	uint64_t seed;
	uint64_t one_in;	/* one in this many blocks has a fault */
	uint64_t reads;
};

/* splitmix64 */
static uint64_t mixed(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* A block has the same fault whenever it is read: flipped bits, a random word, or a failed read. */
static bool read_with_faults(void *self, enum pm_space space, __u64 at, void *to, size_t len)
{
	struct faults *faults = self;
	uint64_t random = mixed(faults->seed ^ mixed(at + (unsigned int)space));
	unsigned char *bytes = to;

	faults->reads++;
	if (!faults->healthy->read(faults->healthy->self, space, at, to, len))
		return false;
	if (random % faults->one_in)
		return true;
	random = mixed(random);
	if (random % 16 == 0)
		return false;
	for (unsigned int left = 1 + random / 16 % 4; left; left--) {
		random = mixed(random);
		if (random % 4)
			bytes[random / 32 % len] ^= (unsigned char)(1u << (random / 4 % 8));
		else
			memcpy(bytes + random / 32 % (len - 7) / 8 * 8, &random, sizeof(random));
	}
	return true;
}

static int (*flush_file)(void *to, const char *text, size_t len);
static uint64_t written;

static int flush_at_most(void *to, const char *text, size_t len)
{
	written += len;
	return written > MAX_BYTES ? -EFBIG : flush_file(to, text, len);
}

static void one(const char *directory, uint64_t seed)
{
	static struct pm_image image;
	static struct pm_output output;
	struct faults faults = { .healthy = &dump, .seed = mixed(seed), .one_in = 1ull << (2 + seed % 9) };
	struct pm_dump faulty = dump;
	struct pm_ram_section ram = { 0 };
	struct pm_choice choice = { 0 };
	struct pm_progress progress = { 0 };
	struct pm_end end;
	char file[4096], why[256];
	int failed;

	faulty.self = &faults;
	faulty.read = read_with_faults;
	snprintf(file, sizeof(file), "%s/%llu.txt", directory, (unsigned long long)seed);
	if (!pm_image_open(&image, &faulty, &layout, why, sizeof(why))) {
		fprintf(fp, "%llu refused: %s\n", (unsigned long long)seed, why);
		return;
	}
	/* The whole of RAM, too, if the faults leave its map. */
	if (pm_ram_section_open(&ram, &image, why, sizeof(why)))
		choice.ram = &ram;
	failed = pm_output_open(&output, file, NULL);
	flush_file = output.out.flush;
	output.out.flush = flush_at_most;
	written = 0;
	if (!failed)
		failed = pm_output_close(&output, pm_snapshot(&image, &choice, &progress, &output.out, &end));
	fprintf(fp, "%llu %d %llu %llu\n", (unsigned long long)seed, failed, (unsigned long long)written,
		(unsigned long long)faults.reads);
	pm_ram_section_close(&ram);
	pm_image_close(&image);
}

static void cmd_corrupt(void)
{
	uint64_t first, count, i;

	if (argcnt != 4) {
		fprintf(fp, "usage: physmem-corrupt DIR FIRST COUNT\n");
		return;
	}
	first = strtoull(args[2], NULL, 10);
	count = strtoull(args[3], NULL, 10);
	for (i = first; i < first + count; i++)
		one(args[1], i);
}

static bool never(void *self)
{
	(void)self;
	return false;
}

static char *help[] = { "physmem-corrupt", "snapshots of a damaged dump", "DIR FIRST COUNT",
	"  For tests.", NULL };

static struct command_table_entry commands[] = {
	{ "physmem-corrupt", cmd_corrupt, help, 0 },
	{ NULL, NULL, NULL, 0 }
};

static void __attribute__((constructor)) load(void)
{
	char why[256];

	pm_crash_dump(&dump, never);
	if (pm_layout_find(&layout, &dump, why, sizeof(why)))
		register_extension(commands);
	else
		error(INFO, "physmem-corrupt: %s\n", why);
}
