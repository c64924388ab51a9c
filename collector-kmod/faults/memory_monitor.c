// SPDX-License-Identifier: GPL-2.0-only
#include "memory_monitor.h"

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid_namespace.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/time.h>

#include "fault_hook.h"
#include "fault_table.h"
#include "kernel/parameter.h"

#define COMM_COLUMNS 24		/* the name, padded with dashes */
#define ESCAPED_COMM_SIZE (4 * (TASK_COMM_LEN - 1) + 1)
#define TIME_SIZE 40		/* "31/12/292277026596 23:59:59" would fit */

static ushort mode = 0444;
module_param(mode, ushort, 0444);
MODULE_PARM_DESC(mode, "mode of /proc/MemoryMonitor, 0666 in the original [0444]");

static unsigned int entries = 4096;
module_param(entries, uint, 0444);
MODULE_PARM_DESC(entries, "maximum rows of /proc/MemoryMonitor, 32 to 65536; rounded up to a power of two [4096]");

static char *by = "thread";
module_param(by, charp, 0444);
MODULE_PARM_DESC(by, "/proc/MemoryMonitor has one row per thread or per process: thread or process [thread]");

static int by_process;

static unsigned int maxactive = 1024;
module_param(maxactive, uint, 0444);
MODULE_PARM_DESC(maxactive, "maximum tasks in a page fault at once, 1 to 65536; more are missed [1024]");

module_param_cb(missed, &pm_counter_operations, pm_fault_hook_missed, 0444);
MODULE_PARM_DESC(missed, "page faults whose return probe was missed (read-only)");
module_param_cb(overflow, &pm_counter_operations, pm_fault_table_overflow, 0444);
MODULE_PARM_DESC(overflow, "page faults of tasks that found no free row (read-only)");
module_param_cb(reused, &pm_counter_operations, pm_fault_table_reused, 0444);
MODULE_PARM_DESC(reused, "rows of ended tasks that were reused (read-only)");

static struct proc_dir_entry *file;

/*
 * The contents of one open file. They are copied when the first line is read, so they do not change
 * while user space reads slowly.
 */
struct reader {
	bool sees_all;
	size_t n;
	struct pm_fault_row rows[];
};

/* Newest first. */
static int compare_rows(const void *a, const void *b)
{
	u64 order_a = ((const struct pm_fault_row *)a)->order;
	u64 order_b = ((const struct pm_fault_row *)b)->order;

	cond_resched();		/* 65536 rows take tens of milliseconds */
	return order_a < order_b ? 1 : order_a > order_b ? -1 : 0;
}

static void *row_at(struct reader *reader, loff_t position)
{
	if (position == 0)
		return SEQ_START_TOKEN;
	return position <= reader->n ? &reader->rows[position - 1] : NULL;
}

static void *monitor_start(struct seq_file *seq, loff_t *position)
{
	struct reader *reader = seq->private;

	if (*position == 0 && reader->sees_all) {
		reader->n = pm_fault_table_copy(reader->rows, entries);
		sort(reader->rows, reader->n, sizeof(reader->rows[0]), compare_rows, NULL);
	}
	return row_at(reader, *position);
}

static void *monitor_next(struct seq_file *seq, void *row, loff_t *position)
{
	return row_at(seq->private, ++*position);
}

static void monitor_stop(struct seq_file *seq, void *row)
{
}

/*
 * Returns the length. Bytes that could break a row or a terminal are escaped as \ooo, as in
 * /proc/PID/maps.
 */
static size_t escape(char to[ESCAPED_COMM_SIZE], const char comm[TASK_COMM_LEN])
{
	char *p = to;
	size_t i;

	for (i = 0; i < TASK_COMM_LEN - 1 && comm[i]; i++) {
		unsigned char c = comm[i];

		if (c >= ' ' && c <= '~' && c != '\\') {
			*p++ = c;
			continue;
		}
		*p++ = '\\';
		*p++ = '0' + (c >> 6);
		*p++ = '0' + (c >> 3 & 7);
		*p++ = '0' + (c & 7);
	}
	*p = 0;
	return p - to;
}

/* Local time in the kernel's time zone (settimeofday()), the only one that the kernel knows. */
static void write_time(char to[TIME_SIZE], time64_t at)
{
	struct tm tm;

	time64_to_tm(at, -sys_tz.tz_minuteswest * 60, &tm);
	scnprintf(to, TIME_SIZE, "%d/%d/%ld %02d:%02d:%02d", tm.tm_mday, tm.tm_mon + 1,
		  tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static int monitor_show(struct seq_file *seq, void *item)
{
	static const char dashes[COMM_COLUMNS + 1] = "------------------------";
	const struct pm_fault_row *row = item;
	char comm[ESCAPED_COMM_SIZE];
	char first[TIME_SIZE];
	char last[TIME_SIZE];
	size_t columns;

	if (item == SEQ_START_TOKEN) {
		seq_puts(seq, "PID\tCOMM\t\t\tVMA/KB\tRSS/KB\tCOUNT\tFN\t\t\tLU\n");
		return 0;
	}
	columns = escape(comm, row->comm);
	write_time(first, row->first);
	write_time(last, row->last);
	seq_printf(seq, "%ld\t%s%s%ld\t%ld\t%ld\t%s\t%s\n", (long)row->pid, comm,
		   columns < COMM_COLUMNS ? dashes + columns : " ",
		   (long)(row->vm_pages << (PAGE_SHIFT - 10)),
		   (long)(row->rss_pages << (PAGE_SHIFT - 10)), (long)row->count, first, last);
	return 0;
}

static const struct seq_operations monitor_sequence = {
	.start = monitor_start,
	.next = monitor_next,
	.stop = monitor_stop,
	.show = monitor_show,
};

/*
 * The rows are charged to the memory cgroup of the task that opens the file. A task outside the
 * initial pid namespace gets no rows: a container must not see the host's names, and an exited task
 * has no pid there.
 */
static int monitor_open(struct inode *inode, struct file *opened)
{
	struct reader *reader = kvzalloc(struct_size(reader, rows, entries), GFP_KERNEL_ACCOUNT);
	int error;

	if (!reader)
		return -ENOMEM;
	reader->sees_all = task_active_pid_ns(current) == &init_pid_ns;
	error = seq_open(opened, &monitor_sequence);
	if (error)
		kvfree(reader);
	else
		((struct seq_file *)opened->private_data)->private = reader;
	return error;
}

static int monitor_release(struct inode *inode, struct file *opened)
{
	kvfree(((struct seq_file *)opened->private_data)->private);
	return seq_release(inode, opened);
}

static const struct proc_ops monitor_operations = {
	.proc_open = monitor_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = monitor_release,
};

static int __init read_parameters(void)
{
	if (pm_refuse_outside("entries", entries, PM_MIN_FAULT_ROWS, PM_MAX_FAULT_ROWS) ||
	    pm_refuse_outside("maxactive", maxactive, 1, 65536))
		return -EINVAL;
	entries = roundup_pow_of_two(entries);
	/* Catches decimal values that were meant to be octal, such as 444. */
	if ((mode & ~0666) || !(mode & 0444)) {
		pr_err("physmem_faults: parameter mode: found 0%o, expected octal with some r and no x, as 0444\n",
		       mode);
		return -EINVAL;
	}
	by_process = pm_second_of("by", by, "thread", "process");
	return by_process < 0 ? -EINVAL : 0;
}

static int __init make_file(void)
{
	file = proc_create("MemoryMonitor", mode, NULL, &monitor_operations);
	if (file)
		return 0;
	pr_err("MemoryMonitor: Cannot create fortune file.\n");
	return -ENOMEM;
}

int __init pm_memory_monitor_init(void)
{
	int error = read_parameters();

	if (error)
		return error;
	error = pm_fault_table_init(entries);
	if (error)
		return error;
	error = pm_fault_hook_init(maxactive, by_process);
	if (error) {
		pm_fault_table_exit();
		if (error == -ENOMEM)
			return error;
		pr_warn("MemoryMonitor: cannot probe handle_mm_fault (error %d); /proc/MemoryMonitor is not available\n",
			error);
		return 0;
	}
	error = make_file();
	if (error) {
		pm_fault_hook_exit();
		pm_fault_table_exit();
		return error;
	}
	pr_info("MemoryMonitor: kprobe registered.\n");
	return 0;
}

void pm_memory_monitor_exit(void)
{
	if (!file)
		return;
	pm_fault_hook_exit();
	proc_remove(file);
	pm_fault_table_exit();
	if (pm_fault_hook_missed() || pm_fault_table_overflow() || pm_fault_table_reused())
		pr_notice("MemoryMonitor: %lu faults missed, %lu without a row, %lu rows of ended tasks reused\n",
			  pm_fault_hook_missed(), pm_fault_table_overflow(),
			  pm_fault_table_reused());
}
