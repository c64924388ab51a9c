// SPDX-License-Identifier: GPL-2.0-only
#include "paging_in.h"

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "kernel/compat_tables.h"
#include "paging_event.h"
#include "paging_filter.h"
#include "paging_ring.h"
#include "paging_task.h"
#include "paging_session.h"
#include "pte_peek.h"

enum { ON_FAULT, ON_READ, ON_ZSWAP_SWAPIN, ON_ZSWAP_LOAD, ON_ZSWAP_LOADED, ON_FRONTSWAP_LOADED };

/* A fault in progress, or a read outside of any fault. */
struct pm_swap_in {
	struct vm_fault *vmf;		/* on the stack of the caller; NULL: no fault */
	u64 began;
	u64 address;
	swp_entry_t entry;		/* of the faulting page */
	u64 pfn;			/* that the page was read into; unknown: not read */
	u32 flags;			/* of that read */
	u32 read_flags;			/* source of the data of the current read */
	u32 session;
	struct pm_task_id task_id;
};

/* A call of swap_readpage(), swap_read_folio(). */
struct read {
	struct pm_swap_in *within;
	struct pm_swap_in own;		/* used outside of faults */
	u64 at;
	u64 pfn;
	swp_entry_t entry;
	unsigned int pages;
};

/* Flags of a read for which no probed zswap function was called. */
static u32 plain_read(void);

/*
 * Debuggers and khugepaged fault in memory of other processes. The record then has the owner of the
 * memory and its address.
 */
static bool find_fault_owner(const struct mm_struct *mm, struct pm_task_id *task_id)
{
	if (mm != current->mm)
		return pm_owner_of(mm, task_id);
	pm_task_id_of(current, task_id);
	return true;
}

static int on_do_swap_page(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct vm_fault *vmf = (void *)pm_hook_argument(&pm_in_hooks[ON_FAULT], regs, 0);
	struct pm_swap_in *fault = (void *)instance->data;
	u64 type, offset;

	fault->session = READ_ONCE(pm_paging_session);
	if (!fault->session)
		return 1;
	/* Every caller of do_swap_page() has it in a local variable. */
	if (!object_is_on_stack(vmf)) {
		pm_paging_reject(&pm_in_hooks[ON_FAULT]);
		return 1;
	}
	if (!pm_pte_swap(vmf->orig_pte, &type, &offset))
		return 1;
	memset(&fault->task_id, 0, sizeof(fault->task_id));
	fault->address = find_fault_owner(vmf->vma->vm_mm, &fault->task_id) ? vmf->address & PAGE_MASK :
								    PM_PAGING_UNKNOWN;
	if (!pm_paging_is_selected(fault->task_id.tgid))
		return 1;
	fault->vmf = vmf;
	fault->entry = swp_entry(type, offset);
	fault->pfn = PM_PAGING_UNKNOWN;
	fault->flags = 0;
	fault->began = pm_paging_now();
	if (pm_paging_task_begin(fault))
		return 0;
	pm_paging_miss();
	return 1;
}

static u32 flags_of_fault(const struct pm_swap_in *fault, vm_fault_t result)
{
	bool was_read = fault->pfn != PM_PAGING_UNKNOWN;
	u32 flags = fault->flags;

	if (result & VM_FAULT_MAJOR)
		flags |= PM_PAGING_MAJOR;
	if (result & VM_FAULT_ERROR)
		flags |= PM_PAGING_FAILED;
	else if (result & VM_FAULT_RETRY)
		flags |= PM_PAGING_RETRY;
	else if (!was_read)
		flags |= PM_PAGING_CACHE_HIT;
	return flags;
}

/*
 * Returns the frame that is mapped now, because a write fault may have copied the page. If none is
 * mapped, for example because the page was reclaimed again, returns the frame it was read into.
 * After RETRY the lock that protects the tables has been released.
 */
static u64 frame_of_fault(const struct pm_swap_in *fault, u32 flags)
{
	u64 pfn;

	if (flags & (PM_PAGING_RETRY | PM_PAGING_FAILED) ||
	    !pm_pte_peek_pmd(fault->vmf->pmd, fault->vmf->address, &pfn))
		return fault->pfn;
	return pfn;
}

static int after_do_swap_page(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct pm_swap_in *fault = (const void *)instance->data;
	struct pm_paging_record record;

	pm_paging_task_end(fault);
	if (!fault->vmf || fault->session != READ_ONCE(pm_paging_session))
		return 0;
	pm_record_begin(&record, PM_PAGING_IN, fault->entry, 0, &fault->task_id);
	record.flags = flags_of_fault(fault, (__force vm_fault_t)regs_return_value(regs));
	record.address = fault->address;
	record.pfn = frame_of_fault(fault, record.flags);
	record.time_ns = pm_paging_now();
	record.service_ns = max(record.time_ns, fault->began) - fault->began;
	pm_rings_put(&record);
	return 0;
}

/* A fault that began before tracing was switched on is not recorded, but its later reads are. */
static void discard_fault(struct pm_swap_in *fault, u32 session)
{
	fault->vmf = NULL;
	fault->session = session;
}

static int on_read(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct read *read = (void *)instance->data;
	u32 session = READ_ONCE(pm_paging_session);
	pm_folio *folio;

	if (!session)
		return 1;
	folio = pm_paging_folio(&pm_in_hooks[ON_READ], regs);
	if (!folio)
		return 1;
	read->within = pm_paging_task();
	if (!read->within) {
		if (!pm_paging_is_selected(current->tgid))
			return 1;
		read->within = &read->own;
		discard_fault(&read->own, session);
		if (!pm_paging_task_begin(&read->own)) {
			pm_paging_miss();
			return 1;	/* the source of its data would be unknown */
		}
	}
	if (read->within->session != session)
		discard_fault(read->within, session);
	read->within->read_flags = plain_read();
	read->entry = pm_swap_entry(folio);
	read->pfn = page_to_pfn(pm_folio_page(folio));
	read->pages = pm_pages_of(folio);
	read->at = pm_paging_now();
	return 0;
}

/* Records a page that no fault waits for. The reading task is known, the owner is not. */
static void put_read(const struct read *read, unsigned int i, u64 pfn, u32 flags)
{
	struct pm_paging_record record;
	struct pm_task_id task_id;

	pm_task_id_of(current, &task_id);
	pm_record_begin(&record, PM_PAGING_IN, read->entry, i, &task_id);
	record.flags = flags | (read->within->vmf ? PM_PAGING_READAHEAD : PM_PAGING_NO_FAULT);
	record.pfn = pfn;
	record.time_ns = read->at;
	pm_rings_put(&record);
}

static int after_read(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct read *read = (void *)instance->data;
	struct pm_swap_in *within = read->within;
	unsigned int i;

	if (within == &read->own)
		pm_paging_task_end(within);
	if (within->session != READ_ONCE(pm_paging_session))
		return 0;
	for (i = 0; i < read->pages; i++) {
		if (!within->vmf || read->entry.val + i != within->entry.val) {
			put_read(read, i, read->pfn + i, within->read_flags);
			continue;
		}
		/*
		 * The page was already read in this fault, and reclaimed during readahead of
		 * others.
		 */
		if (within->pfn != PM_PAGING_UNKNOWN)
			put_read(read, i, within->pfn, within->flags);
		within->pfn = read->pfn + i;
		within->flags = within->read_flags;
	}
	return 0;
}

static void read_is(u32 flags)
{
	struct pm_swap_in *within = pm_paging_task();

	if (within)
		within->read_flags = flags;
}

static int on_zswap_swapin(struct kprobe *probe, struct pt_regs *regs)
{
	read_is(PM_PAGING_IO);
	return 0;
}

static int on_zswap_load(struct kprobe *probe, struct pt_regs *regs)
{
	read_is(PM_PAGING_ZSWAP);
	return 0;
}

static int on_load(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return 0;
}

/* The result is a bool, so only its lowest byte is valid. */
static int after_zswap_load(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if ((u8)regs_return_value(regs))
		read_is(PM_PAGING_ZSWAP);
	return 0;
}

static int after_frontswap_load(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if ((int)regs_return_value(regs) == 0)
		read_is(PM_PAGING_ZSWAP);
	return 0;
}

/*
 * How to determine the source of a page before it is read from the device. Until v6.5 frontswap is
 * tried first, from v6.6 on zswap_load(); their return values show whether they had the page. Since
 * v6.12 swap_read_folio() tries the map of zero-filled pages, then zswap_load(). It calls
 * zswap_folio_swapin() only before it reads from the device. From v6.8 to v6.11 readahead calls
 * zswap_folio_swapin() before swap_read_folio(), so the call has no meaning there. Linux kernel
 * commits 42c06a0e8ebe ("mm: kill frontswap"), b5ba474f3f51 ("zswap: shrink zswap pool based on
 * memory pressure"), 0ca0c24e3211 ("mm: store zero pages to be swapped out in a bitmap"), and, also
 * in v6.12, "zswap: track swapins from disk more accurately".
 */
static bool has_no_map_of_zeros(void)
{
	return !pm_has_zero_bitmap();
}

static bool has_swapin_call(void)
{
	return pm_in_hooks[ON_ZSWAP_SWAPIN].is_set;
}

static bool has_no_swapin_call(void)
{
	return !has_swapin_call();
}

static u32 plain_read(void)
{
	return has_swapin_call() ? PM_PAGING_ZERO : PM_PAGING_IO;
}

bool pm_paging_in_sees_zswap(void)
{
	return has_swapin_call() || pm_in_hooks[ON_ZSWAP_LOADED].is_set ||
	       pm_in_hooks[ON_FRONTSWAP_LOADED].is_set;
}

struct pm_hook pm_in_hooks[PM_IN_HOOKS] = {
	[ON_FAULT] = {
		.names = { "do_swap_page" },
		.on_entry = on_do_swap_page, .on_return = after_do_swap_page,
		.data = sizeof(struct pm_swap_in), .arguments = { { { "vm_fault" } } },
		.returns = sizeof(vm_fault_t), .is_event = true,
	},
	[ON_READ] = {
		.names = { "swap_read_folio", "swap_readpage" },
		.on_entry = on_read, .on_return = after_read, .data = sizeof(struct read),
		.arguments = { { PM_FOLIO } }, .is_event = true,
	},
	[ON_ZSWAP_SWAPIN] = {
		.names = { "zswap_folio_swapin" }, .on_call = on_zswap_swapin, .is_optional = true,
		.is_idle = has_no_map_of_zeros,
	},
	[ON_ZSWAP_LOAD] = {
		.names = { "zswap_load" }, .on_call = on_zswap_load, .is_optional = true,
		.is_idle = has_no_swapin_call,
	},
	[ON_ZSWAP_LOADED] = {
		.names = { "zswap_load" }, .on_entry = on_load, .on_return = after_zswap_load,
		.returns = sizeof(bool), .is_optional = true, .is_idle = has_swapin_call,
	},
	[ON_FRONTSWAP_LOADED] = {
		.names = { "zswap_frontswap_load" }, .on_entry = on_load,
		.on_return = after_frontswap_load, .returns = sizeof(int), .is_optional = true,
	},
};
