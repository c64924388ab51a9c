// SPDX-License-Identifier: GPL-2.0-only
#include "paging_out.h"

#include <linux/mm.h>

#include "kernel/compat.h"
#include "paging_filter.h"
#include "paging_owner.h"
#include "paging_ring.h"
#include "paging_session.h"

enum { ON_SWAPOUT, ON_WRITE, ON_UNMAP, ON_UNMAP_ONE, ON_ZSWAP_STORE, ON_FRONTSWAP_STORE };

/* Pages that are swapped out together, as at the beginning of the swap-out. */
struct swapout_ctx {
	u64 pfn;
	swp_entry_t entry;
	unsigned int pages;
	struct pm_owner owner;
};

/*
 * Shared memory, and pages that zswap writes back to make room, are written without being unmapped
 * before. A note for their frame and slot would belong to an earlier page.
 */
static bool take_owner(pm_folio *folio, u64 pfn, swp_entry_t entry, struct pm_owner *owner)
{
	bool is_found = pm_owner_take(pfn, entry, owner);

	if (!is_found || !PageAnon(pm_folio_page(folio)))
		owner->pages = 0;
	return is_found;
}

static void begin_swapout(struct swapout_ctx *swapout, pm_folio *folio)
{
	swapout->pfn = page_to_pfn(pm_folio_page(folio));
	swapout->entry = pm_swap_entry(folio);
	swapout->pages = pm_pages_of(folio);
	take_owner(folio, swapout->pfn, swapout->entry, &swapout->owner);
}

static void put_page_out(const struct swapout_ctx *swapout, unsigned int i, u32 flags, u64 now)
{
	static const struct pm_task_id no_task;
	const struct pm_owner *owner = &swapout->owner;
	u64 pfn = swapout->pfn + i;
	bool is_owned = owner->pages && pfn - owner->pfn < owner->pages;
	struct pm_paging_record record;

	if (!pm_paging_is_selected(is_owned ? owner->task_id.tgid : 0))
		return;
	pm_record_begin(&record, PM_PAGING_OUT, swapout->entry, i,
			is_owned ? &owner->task_id : &no_task);
	record.time_ns = now;
	record.pfn = pfn;
	record.flags = flags;
	if (is_owned) {
		record.address = owner->address + ((pfn - owner->pfn) << PAGE_SHIFT);
		record.flags |= PM_PAGING_OWNER_MAPPED | (owner->is_shared ? PM_PAGING_SHARED : 0);
	}
	pm_rings_put(&record);
}

static void put_out(const struct swapout_ctx *swapout, u32 flags)
{
	u64 now = pm_paging_now();
	unsigned int i;

	for (i = 0; i < swapout->pages; i++)
		put_page_out(swapout, i, flags, now);
}

/*
 * Every page that reaches this function is counted in pswpout: pages that reclaim writes, and pages
 * that zswap writes back to make room.
 */
static int on_write(struct kprobe *probe, struct pt_regs *regs)
{
	struct swapout_ctx swapout;
	pm_folio *folio;

	if (!READ_ONCE(pm_paging_session))
		return 0;
	folio = pm_paging_folio(&pm_out_hooks[ON_WRITE], regs);
	if (!folio)
		return 0;
	begin_swapout(&swapout, folio);
	put_out(&swapout, PM_PAGING_IO);
	return 0;
}

static int on_unmap(struct kprobe *probe, struct pt_regs *regs)
{
	pm_folio *folio;

	if (!READ_ONCE(pm_paging_session))
		return 0;
	folio = pm_paging_folio(&pm_out_hooks[ON_UNMAP], regs);
	if (folio)
		pm_owner_begin(folio);
	return 0;
}

static int on_unmap_one(struct kprobe *probe, struct pt_regs *regs)
{
	const struct pm_hook *hook = &pm_out_hooks[ON_UNMAP_ONE];
	struct vm_area_struct *vma = (void *)pm_hook_argument(hook, regs, 1);
	unsigned long va = pm_hook_argument(hook, regs, 2);
	pm_folio *folio;

	if (!READ_ONCE(pm_paging_session))
		return 0;
	folio = pm_paging_folio(hook, regs);
	if (!folio)
		return 0;
	if (virt_addr_valid(vma) && va >= vma->vm_start && va < vma->vm_end)
		pm_owner_unmapping(folio, vma->vm_mm, va);
	else
		pm_paging_reject(hook);
	return 0;
}

struct zswap_store_call {
	pm_folio *folio;
	u32 session;
};

static int begin_store(struct kretprobe_instance *instance, struct pt_regs *regs,
		       const struct pm_hook *hook)
{
	struct zswap_store_call *call = (void *)instance->data;

	call->session = READ_ONCE(pm_paging_session);
	if (!call->session)
		return 1;
	call->folio = pm_paging_folio(hook, regs);
	return !call->folio;
}

/* The page is in zswap, and the folio is still locked. */
static void put_stored(const struct zswap_store_call *call)
{
	struct swapout_ctx swapout;

	if (call->session != READ_ONCE(pm_paging_session))
		return;
	begin_swapout(&swapout, call->folio);
	put_out(&swapout, PM_PAGING_ZSWAP);
}

static int on_zswap_store(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_store(instance, regs, &pm_out_hooks[ON_ZSWAP_STORE]);
}

static int after_zswap_store(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	/* The result is a bool, so only its lowest byte is valid. */
	if ((u8)regs_return_value(regs))
		put_stored((const void *)instance->data);
	return 0;
}

static int on_frontswap_store(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return begin_store(instance, regs, &pm_out_hooks[ON_FRONTSWAP_STORE]);
}

static int after_frontswap_store(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if ((int)regs_return_value(regs) == 0)
		put_stored((const void *)instance->data);
	return 0;
}

/*
 * A zero-filled page is not stored in zswap and not written, so its note still exists when
 * swap_writepage() returns. A page whose slot was released instead also keeps its note, but it is
 * no longer in the swap cache.
 */
struct zero_swapout {
	struct swapout_ctx swapout;
	pm_folio *folio;
	u32 session;
};

static int on_swapout(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct zero_swapout *zero = (void *)instance->data;

	zero->session = READ_ONCE(pm_paging_session);
	if (!zero->session)
		return 1;
	zero->folio = pm_paging_folio(&pm_out_hooks[ON_SWAPOUT], regs);
	if (!zero->folio)
		return 1;
	pm_owner_prepare(zero->folio);
	zero->swapout.pfn = page_to_pfn(pm_folio_page(zero->folio));
	zero->swapout.entry = pm_swap_entry(zero->folio);
	zero->swapout.pages = pm_pages_of(zero->folio);
	return 0;
}

static int after_swapout(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct zero_swapout *zero = (void *)instance->data;
	struct swapout_ctx *swapout = &zero->swapout;

	if (zero->session != READ_ONCE(pm_paging_session) || (int)regs_return_value(regs) ||
	    !take_owner(zero->folio, swapout->pfn, swapout->entry, &swapout->owner))
		return 0;
	/* The caller of the probed function holds a reference to the folio. */
	if (pm_is_in_swap_cache(zero->folio) &&
	    pm_swap_entry(zero->folio).val == swapout->entry.val)
		put_out(swapout, PM_PAGING_ZERO);
	return 0;
}

static bool has_no_map_of_zeros(void)
{
	return !pm_has_zero_bitmap();
}

struct pm_hook pm_out_hooks[PM_OUT_HOOKS] = {
	[ON_SWAPOUT] = {
		.names = { "swap_writeout", "swap_writepage" }, .on_entry = on_swapout,
		.on_return = after_swapout, .data = sizeof(struct zero_swapout),
		.arguments = { { PM_FOLIO } }, .returns = sizeof(int), .is_optional = true,
		.is_idle = has_no_map_of_zeros,
	},
	[ON_WRITE] = {
		.names = { "__swap_writepage" }, .on_call = on_write,
		.arguments = { { PM_FOLIO } }, .is_event = true,
	},
	[ON_UNMAP] = {
		.names = { "try_to_unmap" }, .on_call = on_unmap,
		.arguments = { { PM_FOLIO } }, .is_optional = true,
	},
	[ON_UNMAP_ONE] = {
		.names = { "try_to_unmap_one" }, .on_call = on_unmap_one, .is_optional = true,
		.arguments = {
			{ PM_FOLIO }, { { "vm_area_struct" }, 1 }, { { "long unsigned int" }, 2 }
		},
	},
	[ON_ZSWAP_STORE] = {
		.names = { "zswap_store" }, .on_entry = on_zswap_store,
		.on_return = after_zswap_store, .data = sizeof(struct zswap_store_call),
		.arguments = { { PM_FOLIO } }, .returns = sizeof(bool), .is_optional = true,
		.is_event = true,
	},
	[ON_FRONTSWAP_STORE] = {
		.names = { "zswap_frontswap_store" }, .on_entry = on_frontswap_store,
		.on_return = after_frontswap_store, .data = sizeof(struct zswap_store_call),
		.arguments = { { PM_FOLIO, 2 } }, .returns = sizeof(int), .is_optional = true,
		.is_event = true,
	},
};

void pm_paging_out_init(void)
{
	pm_owners_init();
}

bool pm_paging_out_sees_owners(void)
{
	return IS_ENABLED(CONFIG_MEMCG) && pm_out_hooks[ON_UNMAP].is_set &&
	       pm_out_hooks[ON_UNMAP_ONE].is_set;
}
