// SPDX-License-Identifier: GPL-2.0-only
#include "paging_ring.h"

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "kernel/compat.h"
#include "paging_session.h"

/* A waiting reader is woken this long after the first record, so that it can read a batch. */
#define BATCH_MS 10

/*
 * The CPU advances head, the reader advances tail. Both only increase. The records between them are
 * unread.
 */
struct ring {
	struct pm_paging_record *records;
	unsigned int mask;
	unsigned int head;
	unsigned long lost;
	unsigned long lost_reported;	/* reported to the reader */
	unsigned int tail ____cacheline_aligned;
};

static DEFINE_PER_CPU_ALIGNED(struct ring, rings);
static atomic64_t last_sequence = ATOMIC64_INIT(0);
static unsigned long (*missed_calls)(void);
static unsigned long missed_reported;
static unsigned int ring_records;
static int cpus_come;		/* the cpuhp state */

static DECLARE_WAIT_QUEUE_HEAD(readers);
static bool is_awaited;			/* a reader waits and no timer is set yet */
static struct irq_work first_record;
static struct timer_list batch;

/* Runs in an interrupt, because waking a task takes locks that the probed code may hold. */
static void on_first_record(struct irq_work *work)
{
	mod_timer(&batch, jiffies + msecs_to_jiffies(BATCH_MS));
}

static void on_batch(struct timer_list *timer)
{
	wake_up_interruptible(&readers);
}

void pm_rings_init(unsigned long (*count_missed)(void))
{
	missed_calls = count_missed;
	init_irq_work(&first_record, on_first_record);
	timer_setup(&batch, on_batch, 0);
}

/*
 * Allocates a ring for each online CPU, and before another CPU comes online. A machine may have
 * thousands of possible CPUs that never come online. A CPU that went offline keeps its ring. An
 * allocation failure must not prevent a CPU from coming online, so it returns 0.
 */
static int have_ring(unsigned int cpu)
{
	struct ring *ring = per_cpu_ptr(&rings, cpu);

	if (!ring->records)
		ring->records = vzalloc_node(array_size(ring_records, sizeof(*ring->records)),
					     cpu_to_node(cpu));
	return 0;
}

static void free_records(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ring *ring = per_cpu_ptr(&rings, cpu);

		vfree(ring->records);
		ring->records = NULL;
	}
}

/*
 * cpuhp_setup_state() cannot do this: for a dynamic PREPARE state, Linux 5.10 does not call the
 * callback for CPUs that are already online.
 */
static bool have_all_a_ring(void)
{
	unsigned int cpu;
	bool have_all = true;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		have_ring(cpu);
		have_all &= per_cpu_ptr(&rings, cpu)->records != NULL;
	}
	cpus_read_unlock();
	return have_all;
}

int pm_rings_new(unsigned int records)
{
	int cpu;

	atomic64_set(&last_sequence, 0);
	missed_reported = missed_calls();
	ring_records = records;
	for_each_possible_cpu(cpu) {
		struct ring *ring = per_cpu_ptr(&rings, cpu);

		ring->head = 0;
		ring->tail = 0;
		ring->mask = records - 1;
		ring->lost_reported = ring->lost;
	}
	cpus_come = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "physmem_paging:ring",
						    have_ring, NULL);
	if (cpus_come < 0) {
		free_records();
		return cpus_come;
	}
	if (have_all_a_ring())
		return 0;
	pm_rings_free();
	return -ENOMEM;
}

void pm_rings_free(void)
{
	cpuhp_remove_state_nocalls(cpus_come);
	irq_work_sync(&first_record);
	pm_timer_stop(&batch);
	free_records();
}

static bool put_into(struct ring *ring, const struct pm_paging_record *record)
{
	unsigned int head = ring->head;

	/* Pairs with the release in take(): the reader has copied that record. */
	if (!ring->records || head - smp_load_acquire(&ring->tail) > ring->mask)
		return false;
	ring->records[head & ring->mask] = *record;
	smp_store_release(&ring->head, head + 1);
	return true;
}

void pm_rings_put(struct pm_paging_record *record)
{
	struct ring *ring;

	preempt_disable();
	ring = this_cpu_ptr(&rings);
	record->cpu = smp_processor_id();
	record->sequence = atomic64_inc_return(&last_sequence);
	if (!put_into(ring, record))
		WRITE_ONCE(ring->lost, ring->lost + 1);
	/*
	 * Pairs with the barrier in has_records_or_wakes(): either this CPU sees the waiting reader,
	 * or the reader sees the record.
	 */
	smp_mb();
	if (READ_ONCE(is_awaited)) {
		WRITE_ONCE(is_awaited, false);
		irq_work_queue(&first_record);
	}
	preempt_enable();
}

static bool has_records(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct ring *ring = per_cpu_ptr(&rings, cpu);

		if (READ_ONCE(ring->head) != READ_ONCE(ring->tail) ||
		    READ_ONCE(ring->lost) != READ_ONCE(ring->lost_reported))
			return true;
	}
	return missed_calls() != READ_ONCE(missed_reported);
}

static bool has_records_or_wakes(void)
{
	WRITE_ONCE(is_awaited, true);
	smp_mb();
	return has_records();
}

int pm_rings_wait(void)
{
	return wait_event_interruptible(readers, has_records_or_wakes());
}

__poll_t pm_rings_poll(struct file *file, struct poll_table_struct *table)
{
	poll_wait(file, &readers, table);
	return has_records_or_wakes() ? EPOLLIN | EPOLLRDNORM : 0;
}

struct reading {
	char __user *to;
	size_t room;			/* room and done in bytes */
	size_t done;
};

static bool has_room(const struct reading *reading)
{
	return reading->room >= sizeof(struct pm_paging_record);
}

static int hand_over(struct reading *reading, const struct pm_paging_record *record)
{
	if (copy_to_user(reading->to, record, sizeof(*record)))
		return -EFAULT;
	reading->to += sizeof(*record);
	reading->room -= sizeof(*record);
	reading->done += sizeof(*record);
	return 0;
}

static int report_loss(struct reading *reading, unsigned int cpu, unsigned long count)
{
	struct pm_paging_record record = {
		.time_ns = pm_paging_now(),
		.address = PM_PAGING_UNKNOWN,
		.pfn = PM_PAGING_UNKNOWN,
		.slot = count,
		.sector = PM_PAGING_UNKNOWN,
		.service_ns = PM_PAGING_UNKNOWN,
		.cpu = cpu,
		.kind = PM_PAGING_LOST,
		.swap_type = PM_PAGING_NO_TYPE,
	};

	return hand_over(reading, &record);
}

/*
 * Missed calls took no sequence numbers when they happened. They get them now, so that they appear
 * as a gap like other losses.
 */
static int report_missed(struct reading *reading)
{
	unsigned long missed = missed_calls();
	unsigned long count = missed - missed_reported;
	int error;

	if (!count || !has_room(reading))
		return 0;
	error = report_loss(reading, PM_PAGING_NO_CPU, count);
	if (error)
		return error;
	atomic64_add(count, &last_sequence);
	WRITE_ONCE(missed_reported, missed);
	return 0;
}

static int report_losses(struct reading *reading)
{
	int error = report_missed(reading);
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ring *ring = per_cpu_ptr(&rings, cpu);
		unsigned long lost = READ_ONCE(ring->lost);

		if (error || !has_room(reading))
			break;
		if (lost == ring->lost_reported)
			continue;
		error = report_loss(reading, cpu, lost - ring->lost_reported);
		if (!error)
			WRITE_ONCE(ring->lost_reported, lost);
	}
	return error;
}

static const struct pm_paging_record *front(const struct ring *ring)
{
	/* Pairs with the release in put_into(). */
	if (smp_load_acquire(&ring->head) == ring->tail)
		return NULL;
	return &ring->records[ring->tail & ring->mask];
}

/*
 * Returns the ring whose first record is the oldest, or NULL if all rings are empty. *next: the
 * lowest sequence number in the other rings.
 */
static struct ring *oldest(u64 *next)
{
	struct ring *found = NULL;
	u64 least = U64_MAX;
	int cpu;

	*next = U64_MAX;
	for_each_possible_cpu(cpu) {
		struct ring *ring = per_cpu_ptr(&rings, cpu);
		const struct pm_paging_record *record = front(ring);

		if (!record)
			continue;
		if (record->sequence < least) {
			*next = least;
			least = record->sequence;
			found = ring;
		} else if (record->sequence < *next) {
			*next = record->sequence;
		}
	}
	return found;
}

/* Copies records of one ring up to sequence number next, where another ring continues. */
static int take(struct reading *reading, struct ring *ring, u64 next)
{
	const struct pm_paging_record *record;
	int error = 0;

	while (!error && has_room(reading) && (record = front(ring)) && record->sequence < next) {
		error = hand_over(reading, record);
		if (!error)
			smp_store_release(&ring->tail, ring->tail + 1);
	}
	return error;
}

ssize_t pm_rings_read(char __user *to, size_t length)
{
	struct reading reading = { .to = to, .room = min_t(size_t, length, MAX_RW_COUNT) };
	int error = report_losses(&reading);

	while (!error && has_room(&reading) && !(reading.done && signal_pending(current))) {
		u64 next;
		struct ring *ring = oldest(&next);

		if (!ring)
			break;
		error = take(&reading, ring, next);
		cond_resched();
	}
	return reading.done ? reading.done : error;
}

unsigned long pm_rings_lost(void)
{
	unsigned long lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu_ptr(&rings, cpu)->lost);
	return lost;
}
