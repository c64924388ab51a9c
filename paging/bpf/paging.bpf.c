// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records swap-ins and swap-outs with BPF, for kernels that do not load the module. The records
 * (formats/emit/paging_record.h) have the same meaning as physmem_paging.ko's. The loader numbers
 * them, because atomic fetch-and-add requires Linux 5.12, and adds sectors.
 *
 * Uses fentry and fexit instead of kprobes. A kretprobe supports only as many concurrent calls as
 * CPUs, but a fault that reads from disk sleeps.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "formats/emit/paging_record.h"
#include "paging/bpf/kernel_types.h"
#include "paging/bpf/paging_map.h"
#include "paging/bpf/page_tables.h"

char LICENSE[] SEC("license") = "GPL";

/* enum vm_fault_reason; all since Linux 5.1. */
#define VM_FAULT_MAJOR 0x0004
#define VM_FAULT_RETRY 0x0400
#define VM_FAULT_ERROR (0x0001 | 0x0002 | 0x0040 | 0x0010 | 0x0020 | 0x0800)

/*
 * swp_entry_t: type in the upper bits, slot in the lower bits. Types from here on are not swap
 * areas but migration, poison and so on.
 */
#define SWP_TYPE_SHIFT 58
#define SWP_FIRST_SPECIAL 23
#define MAX_PAGES 512

const volatile struct pm_bpf_settings settings = {};
struct pm_bpf_losses losses = {};

struct person {
	__u32 pid, tgid;
	char comm[PM_PAGING_COMM];
};

struct read {
	__u64 at;
	__u64 pfn;
	__u64 entry;
	__u32 pages;
	__u32 flags;			/* origin of the data */
};

/* The current swap operation of a task. */
struct doing {
	__u64 is_fault;			/* otherwise a read outside a fault */
	__u64 began;
	__u64 address;
	__u64 entry;			/* of the requested page */
	__u64 pfn;			/* the frame it was read into, if it was read */
	__u64 flags;			/* of that read */
	struct person task_id;
	struct read read;		/* the current read */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);		/* pid and tgid */
	__type(value, struct doing);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 24);	/* set by the loader */
} ring SEC(".maps");

/* Returned as a number, because the verifier forbids pointer arithmetic. */
static __always_inline __u64 argument(const __u64 *ctx, __u8 n)
{
	__u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), &ctx[n]);
	return value;
}

/* The folio, page or vm_fault that the function was called with. */
static __always_inline __u64 subject_of(const __u64 *ctx, enum pm_bpf_function function)
{
	return argument(ctx, settings.arguments[function].subject);
}

static __always_inline __u64 result_of(const __u64 *ctx, enum pm_bpf_function function)
{
	return argument(ctx, settings.arguments[function].result);
}

static __always_inline void count_loss(void)
{
	__sync_fetch_and_add(&losses.of_cpu[bpf_get_smp_processor_id() & (PM_BPF_CPUS - 1)], 1);
}

static __always_inline void person_of_current(struct person *task_id)
{
	__u64 id = bpf_get_current_pid_tgid();

	task_id->pid = id;
	task_id->tgid = id >> 32;
	bpf_get_current_comm(task_id->comm, sizeof(task_id->comm));
}

/* False if the kernel does not provide it. */
static __always_inline bool owner_of(struct mm_struct *mm, struct person *task_id)
{
	struct task_struct *task = NULL;

	if (bpf_core_field_exists(mm->owner))
		task = BPF_CORE_READ(mm, owner);
	if (!task)
		return false;
	task_id->pid = BPF_CORE_READ(task, pid);
	task_id->tgid = BPF_CORE_READ(task, tgid);
	bpf_core_read_str(task_id->comm, sizeof(task_id->comm), &task->comm);
	return true;
}

static __always_inline __u64 swap_entry_of(__u64 page)
{
	return BPF_CORE_READ((struct page *)page, private);
}

static __always_inline __u64 flags_of(__u64 page)
{
	struct page___memdesc *later = (void *)page;

	if (bpf_core_field_exists(later->flags.f))
		return BPF_CORE_READ(later, flags.f);
	return BPF_CORE_READ((struct page *)page, flags);
}

/* File systems use the swap-cache bit for other purposes, but their pages are not swap-backed. */
static __always_inline bool is_in_swap_cache(__u64 page)
{
	__u64 flags = flags_of(page);

	return flags >> bpf_core_enum_value(enum pageflags, PG_swapcache) &
	       flags >> bpf_core_enum_value(enum pageflags, PG_swapbacked) & 1;
}

/* PAGE_MAPPING_ANON, FOLIO_MAPPING_ANON */
static __always_inline bool is_anonymous(__u64 page)
{
	return (__u64)BPF_CORE_READ((struct page *)page, mapping) & 1;
}

static __always_inline __u32 pages_of(__u64 page)
{
	struct folio *folio = (void *)page;
	struct folio___nr_pages *later = (void *)page;
	__u32 pages;

	if (!(flags_of(page) >> bpf_core_enum_value(enum pageflags, PG_head) & 1))
		return 1;
	if (bpf_core_field_exists(folio->_folio_nr_pages))
		pages = BPF_CORE_READ(folio, _folio_nr_pages);
	else if (bpf_core_field_exists(later->_nr_pages))
		pages = BPF_CORE_READ(later, _nr_pages);
	else
		pages = BPF_CORE_READ((struct page *)(page + bpf_core_type_size(struct page)),
				      compound_nr);
	return pages < 1 ? 1 : pages > MAX_PAGES ? MAX_PAGES : pages;
}

static __always_inline struct pm_paging_record *record_begin(__u8 kind, __u64 entry,
							     const struct person *task_id)
{
	struct pm_paging_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		count_loss();
		return NULL;
	}
	record->sequence = 0;
	record->address = PM_PAGING_UNKNOWN;
	record->slot = entry & ((1ull << SWP_TYPE_SHIFT) - 1);
	record->sector = PM_PAGING_UNKNOWN;
	record->service_ns = PM_PAGING_UNKNOWN;
	record->cpu = bpf_get_smp_processor_id();
	record->kind = kind;
	record->swap_type = entry >> SWP_TYPE_SHIFT;
	record->pid = task_id ? task_id->pid : 0;
	record->tgid = task_id ? task_id->tgid : 0;
	if (task_id)
		__builtin_memcpy(record->comm, task_id->comm, sizeof(record->comm));
	else
		__builtin_memset(record->comm, 0, sizeof(record->comm));
	return record;
}

/*
 * x86: type in the five highest bits, the slot inverted above bit 13
 * (arch/x86/include/asm/pgtable_64.h).
 */
static __always_inline bool swap_entry_of_pte(__u64 pte, __u64 *entry)
{
	__u64 type = pte >> 59;

	*entry = type << SWP_TYPE_SHIFT | ~pte << 5 >> 14;
	return pte && !(pte & PM_PTE_PRESENT) && type < SWP_FIRST_SPECIAL;
}

static __always_inline bool is_excluded(const struct person *task_id)
{
	return settings.excluded_tgid && task_id->tgid == settings.excluded_tgid;
}

SEC("fentry/do_swap_page")
int begin_fault(__u64 *ctx)
{
	struct vm_fault *vmf = (void *)subject_of(ctx, PM_BPF_FAULT);
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 key = bpf_get_current_pid_tgid();
	struct mm_struct *mm = BPF_CORE_READ(vmf, vma, vm_mm);
	struct doing fault = { .is_fault = 1, .pfn = PM_PAGING_UNKNOWN };

	if (!swap_entry_of_pte(BPF_CORE_READ(vmf, orig_pte.pte), &fault.entry))
		return 0;
	fault.address = BPF_CORE_READ(vmf, address) >> PM_PAGE_SHIFT << PM_PAGE_SHIFT;
	/* Debuggers and khugepaged fault in memory of other processes. */
	if (mm == BPF_CORE_READ(task, mm)) {
		person_of_current(&fault.task_id);
	} else if (!owner_of(mm, &fault.task_id)) {
		fault.address = PM_PAGING_UNKNOWN;
	}
	if (is_excluded(&fault.task_id))
		return 0;
	fault.began = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&tasks, &key, &fault, BPF_ANY))
		count_loss();
	return 0;
}

static __always_inline __u32 flags_of_fault(const struct doing *fault, __u32 result)
{
	__u32 flags = fault->flags;

	if (result & VM_FAULT_MAJOR)
		flags |= PM_PAGING_MAJOR;
	if (result & VM_FAULT_ERROR)
		flags |= PM_PAGING_FAILED;
	else if (result & VM_FAULT_RETRY)
		flags |= PM_PAGING_RETRY;
	else if (fault->pfn == PM_PAGING_UNKNOWN)
		flags |= PM_PAGING_CACHE_HIT;
	return flags;
}

SEC("fexit/do_swap_page")
int end_fault(__u64 *ctx)
{
	struct vm_fault *vmf = (void *)subject_of(ctx, PM_BPF_FAULT);
	__u64 key = bpf_get_current_pid_tgid();
	struct doing *fault = bpf_map_lookup_elem(&tasks, &key);
	struct pm_paging_record *record;
	__u64 pfn = PM_PAGING_UNKNOWN;
	__u32 flags;

	if (!fault || !fault->is_fault)
		return 0;
	flags = flags_of_fault(fault, result_of(ctx, PM_BPF_FAULT));
	/*
	 * A write fault may have copied the page. After RETRY, the lock that protects the page
	 * tables is no longer held.
	 */
	if (!(flags & (PM_PAGING_RETRY | PM_PAGING_FAILED)))
		pfn = mapped_frame((__u64)BPF_CORE_READ(vmf, vma, vm_mm), fault->address);
	record = record_begin(PM_PAGING_IN, fault->entry, &fault->task_id);
	if (record) {
		record->flags = flags;
		record->address = fault->address;
		record->pfn = pfn != PM_PAGING_UNKNOWN ? pfn : fault->pfn;
		record->time_ns = bpf_ktime_get_ns();
		/* This CPU's clock may be some ns behind another CPU's. */
		record->service_ns =
			record->time_ns > fault->began ? record->time_ns - fault->began : 0;
		bpf_ringbuf_submit(record, 0);
	}
	bpf_map_delete_elem(&tasks, &key);
	return 0;
}

static __always_inline int begin_read(__u64 page)
{
	__u64 key = bpf_get_current_pid_tgid();
	struct doing *doing = bpf_map_lookup_elem(&tasks, &key);

	if (!doing) {
		struct doing outside = {};

		person_of_current(&outside.task_id);
		if (is_excluded(&outside.task_id))
			return 0;
		if (bpf_map_update_elem(&tasks, &key, &outside, BPF_ANY)) {
			count_loss();
			return 0;
		}
		doing = bpf_map_lookup_elem(&tasks, &key);
		if (!doing)
			return 0;
	}
	doing->read.at = bpf_ktime_get_ns();
	doing->read.entry = swap_entry_of(page);
	doing->read.pfn = frame_of(page);
	doing->read.pages = pages_of(page);
	doing->read.flags = settings.is_swapin_reported ? PM_PAGING_ZERO : PM_PAGING_IO;
	return 0;
}

/* Page i of a read that no fault waits for. The reader is known, but not the owner. */
__noinline int put_read(__u32 i, __u64 pfn, __u32 flags)
{
	__u64 key = bpf_get_current_pid_tgid();
	const struct doing *doing = bpf_map_lookup_elem(&tasks, &key);
	struct pm_paging_record *record;
	struct person task_id;

	if (!doing)
		return 0;
	person_of_current(&task_id);
	record = record_begin(PM_PAGING_IN, doing->read.entry + i, &task_id);
	if (!record)
		return 0;
	record->flags = flags | (doing->is_fault ? PM_PAGING_READAHEAD : PM_PAGING_NO_FAULT);
	record->pfn = pfn;
	record->time_ns = doing->read.at;
	bpf_ringbuf_submit(record, 0);
	return 0;
}

static __always_inline int end_read(void)
{
	__u64 key = bpf_get_current_pid_tgid();
	struct doing *doing = bpf_map_lookup_elem(&tasks, &key);
	__u32 i;

	if (!doing)
		return 0;
	for (i = 0; i < MAX_PAGES; i++) {
		if (i >= doing->read.pages)
			break;
		if (!doing->is_fault || doing->read.entry + i != doing->entry) {
			put_read(i, doing->read.pfn + i, doing->read.flags);
			continue;
		}
		/* The page was already read in this fault, and reclaimed during readahead. */
		if (doing->pfn != PM_PAGING_UNKNOWN)
			put_read(i, doing->pfn, doing->flags);
		doing->pfn = doing->read.pfn + i;
		doing->flags = doing->read.flags;
	}
	/* prevents a second report if the begin of the next read is missed */
	doing->read.pages = 0;
	if (!doing->is_fault)
		bpf_map_delete_elem(&tasks, &key);
	return 0;
}

SEC("fentry/swap_readpage")
int begin_readpage(__u64 *ctx)
{
	return begin_read(subject_of(ctx, PM_BPF_READ));
}

SEC("fexit/swap_readpage")
int end_readpage(__u64 *ctx)
{
	return end_read();
}

SEC("fentry/swap_read_folio")
int begin_read_folio(__u64 *ctx)
{
	return begin_read(subject_of(ctx, PM_BPF_READ));
}

SEC("fexit/swap_read_folio")
int end_read_folio(__u64 *ctx)
{
	return end_read();
}

static __always_inline int read_is(__u32 flags)
{
	__u64 key = bpf_get_current_pid_tgid();
	struct doing *doing = bpf_map_lookup_elem(&tasks, &key);

	if (doing)
		doing->read.flags = flags;
	return 0;
}

/*
 * Up to v6.5 frontswap, and from v6.6 on zswap_load(), is called before a read. Its return value
 * shows whether it had the page. Since v6.12, swap_read_folio() checks the zero-page bitmap, then
 * calls zswap_load(), which in later kernels returns an error instead of a bool. It calls
 * zswap_folio_swapin() only before a read from the device. From v6.8 to v6.11, readahead calls
 * zswap_folio_swapin() before swap_read_folio(), so that call carries no information there. The
 * loader chooses the programs. Linux kernel commits 42c06a0e8ebe ("mm: kill frontswap"),
 * b5ba474f3f51 ("zswap: shrink zswap pool based on memory pressure"), 0ca0c24e3211 ("mm: store zero
 * pages to be swapped out in a bitmap"), and of v6.12 too "zswap: track swapins from disk more
 * accurately".
 */
SEC("fentry/zswap_folio_swapin")
int on_zswap_swapin(__u64 *ctx)
{
	return read_is(PM_PAGING_IO);
}

SEC("fentry/zswap_load")
int on_zswap_load(__u64 *ctx)
{
	return read_is(PM_PAGING_ZSWAP);
}

SEC("fexit/zswap_load")
int end_zswap_load(__u64 *ctx)
{
	return result_of(ctx, PM_BPF_LOAD) & 0xff ? read_is(PM_PAGING_ZSWAP) : 0;
}

SEC("fexit/zswap_frontswap_load")
int end_frontswap_load(__u64 *ctx)
{
	return (__u32)result_of(ctx, PM_BPF_FRONTSWAP_LOAD) == 0 ? read_is(PM_PAGING_ZSWAP) : 0;
}

#include "paging/bpf/swap_out.h"
